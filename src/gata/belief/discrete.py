"""The belief of GATA-GTP: a set of edges, changed by commands that a trained model writes."""

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from gata.belief.command_reader import CommandReader, apply_changes
from gata.belief.edges import MAX_EDGES, EdgeBelief
from gata.belief.interface import Step
from gata.graph.adjacency import pad_edges
from gata.graph.vocabulary import PAPER, GraphVocabulary
from gata.language import vocabulary as language
from gata.language.vocabulary import Vocabulary
from gata.nn.command_generator import CommandGenerator
from gata.nn.generation import WriteSome, write_some
from gata.nn.tokens import join

MAX_COMMAND_WORDS = 200
"""The longest text of update commands a model may write in a step."""


class DiscreteBelief(EdgeBelief):
    """The edges, after the greedily written commands of every step so far."""

    in_one_piece = False  # commands are read on the host

    def __init__(
        self,
        generator: CommandGenerator,
        words: Vocabulary,
        graph_vocabulary: GraphVocabulary = PAPER,
        *,
        max_edges: int = MAX_EDGES,
        max_words: int = MAX_COMMAND_WORDS,
        capture: Callable[[WriteSome], WriteSome] | None = None,
    ) -> None:
        """Begin with nothing.

        Args:
            generator: writes the commands.
            words: in which they are written.
            graph_vocabulary: what they are about.
            max_edges: room for the edges of a graph.
            max_words: the most words of a step.
            capture: makes of a function of tensors one that a GPU replays as one piece.
        """
        super().__init__(graph_vocabulary, max_edges)
        self.generator = generator
        self.max_words = max_words
        self._reader = CommandReader(words, graph_vocabulary)
        some = partial(write_some, generator.decoder, language.EOS)
        self._write_some = capture(some) if capture else some

    @torch.no_grad()
    def write(self, state: Tensor, step: Step) -> Tensor:
        """The commands for a step, before they are carried out: (batch, ``max_words``) ids."""
        adjacency, present, nodes = self.graph_to_encode(state)
        return self.generator.write(
            join(step.observation, language.SEP, step.action),
            adjacency,
            present,
            order=nodes,
            begin=language.BOS,
            end=language.EOS,
            max_length=self.max_words,
            some=self._write_some,
        )

    def update(self, state: Tensor, step: Step) -> Tensor:
        """The edges after the commands."""
        before = ([edge for edge in row if edge >= 0] for row in state.tolist())
        changes = map(self._reader.read, self.write(state, step).tolist())
        after = [apply_changes(*pair, self.max_edges) for pair in zip(before, changes, strict=True)]
        return pad_edges(after, self.max_edges, state.device)
