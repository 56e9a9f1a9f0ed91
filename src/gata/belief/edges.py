"""Beliefs whose graph is a set of edges: a row of ids, ascending, padded to a fixed width."""

from collections.abc import Iterable, Sequence

import numpy as np
import torch
from torch import Tensor

from gata.belief.interface import NO_EDGE, BeliefGraph
from gata.graph.adjacency import adjacency, node_mask
from gata.graph.vocabulary import GraphVocabulary

MAX_EDGES = 256
"""Room for the edges of a graph. The largest full graph at the start of a shipped game has 94."""

EDGE_DTYPE = torch.int32
"""Edge ids in a state."""


def no_edges(batch: int, width: int, device: torch.device | None) -> Tensor:
    """Empty graphs."""
    return torch.full((batch, width), NO_EDGE, dtype=EDGE_DTYPE, device=device)


def edge_rows(graphs: Sequence[Iterable[int]], width: int, device: torch.device | None) -> Tensor:
    """Sets of edge ids as states; the caller keeps them within ``width``."""
    rows = np.full((len(graphs), width), NO_EDGE, dtype=np.int32)
    for row, edges in zip(rows, graphs, strict=True):
        ordered = sorted(edges)
        row[: len(ordered)] = ordered
    return torch.from_numpy(rows).to(device)


def graph_of_edges(edges: Tensor, vocabulary: GraphVocabulary) -> BeliefGraph:
    """The graphs of states; nodes with an edge are part of them."""
    graph = adjacency(edges.long(), vocabulary)
    return BeliefGraph(graph, node_mask(graph))
