"""Action prediction (AP) and state prediction (SP): which action led to which graph."""

from typing import NamedTuple

from torch import Tensor, nn

from gata.nn.encoders import Encoders
from gata.nn.masking import Encoded
from gata.nn.settings import NetworkSettings
from gata.nn.transition_scorer import TransitionScorer
from gata.nn.words import Lexicon


class Transitions(NamedTuple):
    """Some states of games, and for each the outcome of every action that was possible there."""

    before: Tensor
    """(S, R, N, N) graphs of the states."""
    before_nodes: Tensor
    """(S, N) booleans, their nodes."""
    after: Tensor
    """(P, R, N, N) graphs of the outcomes."""
    after_nodes: Tensor
    """(P, N) booleans."""
    state: Tensor
    """(P,) which state an outcome belongs to."""
    commands: Tensor
    """(C, length) word ids of distinct commands."""
    options: Tensor
    """(P, most options) which of ``commands`` each option of the outcome's state is."""
    allowed: Tensor
    """(P, most options) booleans: which options there are."""


class TransitionModel(nn.Module):
    """Rates every action beside every outcome of the same state.

    AP asks which action fits an outcome, SP which outcome fits an action: rows or columns of the
    same table.
    """

    def __init__(self, lexicon: Lexicon, settings: NetworkSettings) -> None:
        super().__init__()
        self.encoders = Encoders(lexicon, settings)
        self.head = TransitionScorer(settings.hidden)

    def forward(self, transitions: Transitions, known: Tensor | None = None) -> Tensor:
        """(P, most options) scores of each option as the way to each outcome.

        The lowest number stands where there is no option; ``known`` as in ``WordTables``.
        """
        encoders = self.encoders
        tables = encoders.tables(known)
        before = encoders.graph(transitions.before, transitions.before_nodes, tables)
        after = encoders.graph(transitions.after, transitions.after_nodes, tables)
        commands = encoders.commands(transitions.commands, tables)
        own_before = Encoded(*(part[transitions.state] for part in before))
        options = commands[transitions.options]
        scores: Tensor = self.head(own_before, after, options, transitions.allowed)
        return scores
