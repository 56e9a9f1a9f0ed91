"""Beliefs whose graph is a set of edges: a row of ids, ascending, padded to a fixed width."""

import torch
from torch import Tensor

from gata.belief.interface import BeliefGraph
from gata.graph.adjacency import EDGE_DTYPE, PADDING, adjacency, narrow_adjacency, node_mask
from gata.graph.vocabulary import GraphVocabulary

MAX_EDGES = 256
"""Room for the edges of a graph. The largest full graph at the start of a shipped game has 94."""


def no_edges(batch: int, width: int, device: torch.device | None) -> Tensor:
    """Empty graphs."""
    return torch.full((batch, width), PADDING, dtype=EDGE_DTYPE, device=device)


def graph_of_edges(edges: Tensor, vocabulary: GraphVocabulary) -> BeliefGraph:
    """The graphs of states; nodes with an edge are part of them."""
    graph = adjacency(edges, vocabulary)
    return BeliefGraph(graph, node_mask(graph))


def graph_to_encode(edges: Tensor, vocabulary: GraphVocabulary) -> BeliefGraph:
    """The same, on a CPU without the nodes that are in no edge; a GPU wants fixed shapes."""
    if edges.device.type != "cpu":
        return graph_of_edges(edges, vocabulary)
    return BeliefGraph(*narrow_adjacency(edges, vocabulary))
