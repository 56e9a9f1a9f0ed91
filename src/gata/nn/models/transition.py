"""Action prediction (AP) and state prediction (SP): which action led to which graph."""

from typing import NamedTuple

from torch import Tensor, nn
from torch.nn import functional

from gata.nn.encoders import Encoders
from gata.nn.masking import Encoded
from gata.nn.settings import NetworkSettings
from gata.nn.transition_scorer import TransitionScorer
from gata.nn.words import Lexicon


class Transitions(NamedTuple):
    """Questions about what happened in some states of games.

    A candidate answer is an outcome (the graph after) and an action. AP: the same outcome with
    different actions. SP: different outcomes with the same action.
    """

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
    outcomes: Tensor
    """(questions, candidates) the outcome of each candidate."""
    actions: Tensor
    """(questions, candidates) its action, one of ``commands``."""
    allowed: Tensor
    """(questions, candidates) booleans: which candidates there are."""


class TransitionModel(nn.Module):
    """Rates the candidates of each question; graphs and commands are encoded once for all."""

    def __init__(self, lexicon: Lexicon, settings: NetworkSettings) -> None:
        super().__init__()
        self.encoders = Encoders(lexicon, settings)
        self.head = TransitionScorer(settings.hidden)

    def forward(self, transitions: Transitions, known: Tensor | None = None) -> Tensor:
        """(questions, candidates) scores, the lowest number where there is no candidate.

        ``known`` as in ``WordTables``.
        """
        encoders = self.encoders
        tables = encoders.tables(known)
        before = encoders.graph(transitions.before, transitions.before_nodes, tables)
        after = encoders.graph(transitions.after, transitions.after_nodes, tables)
        own_before = Encoded(*(part[transitions.state] for part in before))
        pairs = self.head.pairs(own_before, after)
        actions = encoders.commands(transitions.commands, tables)
        scores: Tensor = self.head(
            # Not indexed: its gradient would add up the many uses of a row one after the other.
            functional.embedding(transitions.outcomes, pairs),
            functional.embedding(transitions.actions, actions),
            transitions.allowed,
        )
        return scores
