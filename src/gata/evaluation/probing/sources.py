"""What a probe can read of a state: a believed graph, a memory of text, the truth, or noise."""

import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from gata.belief.continuous import ContinuousBelief
from gata.belief.interface import Step
from gata.errors import UsageError
from gata.evaluation.probing.pairs import Pairs
from gata.evaluation.probing.walks import Array, Walks, remember, true_graphs
from gata.graph.vocabulary import PAPER
from gata.models.shipped import find, without_role
from gata.models.weights import load_model, read_model
from gata.nn.continuous_updater import ContinuousUpdater
from gata.nn.models import Steps, TextObservationGeneration
from gata.nn.tokens import Grouped

GRAPHS_AT_ONCE = 128
"""Graphs are large (0.4 MB), so few are kept at a time."""

Reader = Callable[[Pairs, int], Tensor]
"""What there is to read of pairs for the probe with this seed: (pairs, S)."""

GraphsOf = Callable[[Array], Tensor]
"""The graphs of some states: (states,) numbers -> (states, relations, nodes, nodes)."""


class Source(ABC):
    """Says something about pairs of nodes; ``nodes`` are the node embeddings that go with it."""

    nodes: Tensor
    """(nodes, D)."""
    standardised = False
    """Whether its numbers are to be moved and scaled, so that each has mean 0 and spread 1 over the
    pairs of the training games."""

    @abstractmethod
    def along(self, walks: Walks) -> Reader:
        """Walk through games; then, pairs of their states can be read."""


class GraphSource(Source):
    """Anything with a graph per state: of it, the probe reads G_ij."""

    def along(self, walks: Walks) -> Reader:
        """Reads (pairs, relations)."""
        graphs_of = self.graphs(walks)

        def read(pairs: Pairs, seed: int) -> Tensor:
            signal = self.nodes.new_empty(len(pairs.state), len(PAPER.relations))
            order = np.argsort(pairs.state, kind="stable")
            states, begins = np.unique(pairs.state[order], return_index=True)
            ends = np.append(begins[1:], len(order))
            for first in range(0, len(states), GRAPHS_AT_ONCE):
                some = slice(first, first + GRAPHS_AT_ONCE)
                rows = order[begins[some][0] : ends[some][-1]]
                place = np.searchsorted(states[some], pairs.state[rows])
                graphs = graphs_of(states[some])
                signal[rows] = graphs[place, :, pairs.source[rows], pairs.target[rows]]
            return signal

        return read

    @abstractmethod
    def graphs(self, walks: Walks) -> GraphsOf:
        """Walk through games; graphs are made when asked for, since all would be too many."""


class Truth(GraphSource):
    """The seen graph itself: the upper bound."""

    def __init__(self, nodes: Tensor) -> None:
        self.nodes = nodes

    def graphs(self, walks: Walks) -> GraphsOf:
        """Ones and zeros."""
        device = self.nodes.device
        return lambda states: torch.from_numpy(true_graphs(walks, states)).to(device)


class Noise(GraphSource):
    """A graph of numbers from N(0, 1) for each state, always the same: the lower bound."""

    def __init__(self, nodes: Tensor) -> None:
        self.nodes = nodes

    def graphs(self, walks: Walks) -> GraphsOf:
        """Numbers from N(0, 1), others for other games."""
        shape = (len(PAPER.relations), len(PAPER.nodes), len(PAPER.nodes))
        games = zlib.crc32("\n".join(walks.games).encode())

        def draw(states: Array) -> Tensor:
            draws = (np.random.default_rng([games, int(state)]) for state in states)
            graphs = np.stack([chance.standard_normal(shape, np.float32) for chance in draws])
            return torch.from_numpy(graphs).to(self.nodes.device)

        return draw


class BeliefSource(GraphSource):
    """The graphs of a trained continuous updater."""

    def __init__(self, belief: ContinuousBelief) -> None:
        self.belief = belief
        self._known: dict[Walks, Tensor] = {}
        with torch.no_grad():
            self.nodes = belief.updater.encoders.tables().nodes

    def graphs(self, walks: Walks) -> GraphsOf:
        """G_t = f_d(h_t)."""
        memories = self.memories(walks)
        return lambda states: self.belief.graph(memories[states]).adjacency

    def memories(self, walks: Walks) -> Tensor:
        """h_t: (states, H); games are walked through once."""
        if walks not in self._known:
            initial = self.belief.initial(len(walks.games), self.nodes.device)
            self._known[walks] = remember(
                walks, initial, lambda memory, *texts: self.belief.update(memory, Step(*texts))
            )
        return self._known[walks]


class BeliefMemory(Source):
    """The updater's h_t in the place of G_ij: on a par with the memory of Tr-DRQN."""

    def __init__(self, source: BeliefSource) -> None:
        self.nodes = source.nodes
        self._source = source

    def along(self, walks: Walks) -> Reader:
        """Reads (pairs, H), the same for all pairs of a state."""
        memories = self._source.memories(walks)
        return lambda pairs, seed: memories[pairs.state]


class MixedMemory(Source):
    """As many mixtures of the updater's h_t as G_ij has numbers, others for each seed.

    It has the width of G_ij and the layout of h_t, so it tells which of them makes a difference.
    How much ten mixtures tell is a matter of chance, so that the scores of seeds must differ by it.
    """

    def __init__(self, source: BeliefSource) -> None:
        self.nodes = source.nodes
        self._source = source

    def along(self, walks: Walks) -> Reader:
        """Reads (pairs, relations), the same for all pairs of a state."""
        memories = self._source.memories(walks)
        return lambda pairs, seed: (memories @ self._mixtures(seed))[pairs.state]

    def _mixtures(self, seed: int) -> Tensor:
        """(H, relations), the same for all games."""
        (size,) = self._source.belief.state_shape
        numbers = (
            own_chance(seed).standard_normal((size, len(PAPER.relations)), np.float32) / size**0.5
        )
        return torch.from_numpy(numbers).to(self.nodes)


class Standardised(Source):
    """The same numbers, each with mean 0 and spread 1.

    A probe learns for a fixed time, so it can tell less of numbers that hardly vary.
    """

    standardised = True

    def __init__(self, source: Source) -> None:
        self.nodes = source.nodes
        self._source = source

    def along(self, walks: Walks) -> Reader:
        """As they are: whoever reads of the training games knows their means and spreads."""
        return self._source.along(walks)


class TextMemory(Source):
    """The memory of Tr-DRQN: its h_t stands in the place of G_ij."""

    def __init__(self, model: TextObservationGeneration) -> None:
        self.model = model
        with torch.no_grad():
            self.nodes = model.tables().nodes

    def along(self, walks: Walks) -> Reader:
        """Reads (pairs, H), the same for all pairs of a state."""
        memories = remember(walks, self.model.initial(len(walks.games)), self._advance)
        h, _ = memories.chunk(2, dim=-1)
        return lambda pairs, seed: h[pairs.state]

    def _advance(self, memory: Tensor, observations: Tensor, actions: Tensor) -> Tensor:
        starts = torch.zeros(1, len(memory), dtype=torch.bool, device=memory.device)
        return self.model.walk(Steps(Grouped.of(observations), actions, starts), memory).state


def load_sources(name: str, device: torch.device) -> dict[str, Source]:
    """All that can be read of a file of weights, by the names of the rows.

    Args:
        name: of shipped weights, or a path.
        device: where to put them.
    """
    path, row = find(name), without_role(name)
    if read_model(path).kind == "text-og":
        model = load_model(path, device=device)
        assert isinstance(model, TextObservationGeneration)
        return {row: TextMemory(model)}
    source = load_belief(name, device)
    return {
        row: source,
        f"{row} memory": BeliefMemory(source),
        f"{row} memory, mixed": MixedMemory(source),
        f"{row} memory, standardised": Standardised(BeliefMemory(source)),
    }


def own_chance(seed: int) -> np.random.Generator:
    """A stream of a source's own: the seed's first one decides the negatives."""
    (chance,) = np.random.default_rng(seed).spawn(1)
    return chance


def load_belief(name: str | Path, device: torch.device) -> BeliefSource:
    """The beliefs of a continuous updater: a shipped one by name, or one's own by path."""
    path = find(name)
    kind = read_model(path).kind
    if kind not in ("og", "coc"):
        raise UsageError(
            f"{name}: a model of kind {kind!r} believes in no continuous graph; expected og or coc"
        )
    updater = load_model(path, device=device, role="updater")
    assert isinstance(updater, ContinuousUpdater)
    return BeliefSource(ContinuousBelief(updater))
