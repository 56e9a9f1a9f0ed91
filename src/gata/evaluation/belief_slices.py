"""What an updater believes in one state of a game, for pictures: as it is, and less its mean."""

from typing import NamedTuple

import numpy as np

from gata.evaluation.probing.sources import GRAPHS_AT_ONCE, GraphSource
from gata.evaluation.probing.walks import Array, Walks


class Believed(NamedTuple):
    """Graphs, (relations, nodes, nodes) each."""

    graph: Array
    """G_t."""
    less_mean: Array
    """G_t without what the updater believes on average, in all games and states."""


def believe(source: GraphSource, walks: Walks, state: int, others: Walks) -> Believed:
    """The belief in one state.

    Args:
        source: the updater.
        walks: the game.
        state: its number there.
        others: the games that the mean is taken over.
    """
    graph: Array = source.graphs(walks)(np.array([state]))[0].cpu().numpy()
    return Believed(graph, graph - mean_graph(source, others))


def mean_graph(source: GraphSource, walks: Walks) -> Array:
    """The mean over all states of some games: (relations, nodes, nodes)."""
    graphs_of = source.graphs(walks)
    total: Array | float = 0.0
    for first in range(0, len(walks), GRAPHS_AT_ONCE):
        states = np.arange(first, min(first + GRAPHS_AT_ONCE, len(walks)))
        total = total + graphs_of(states).double().sum(dim=0).cpu().numpy()
    mean: Array = np.asarray(total) / len(walks)
    return mean.astype(np.float32)
