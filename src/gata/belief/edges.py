"""Beliefs whose graph is a set of edges: a row of ids, ascending, padded to a fixed width."""

import torch
from torch import Tensor

from gata.belief.interface import Belief, BeliefGraph
from gata.graph.adjacency import EDGE_DTYPE, PADDING, adjacency, narrow_adjacency, node_mask
from gata.graph.vocabulary import PAPER, GraphVocabulary

MAX_EDGES = 256
"""Room for the edges of a graph. The largest full graph at the start of a shipped game has 94."""


class EdgeBelief(Belief):
    """A belief of edges; how they change from step to step is for those who are one."""

    def __init__(self, vocabulary: GraphVocabulary = PAPER, max_edges: int = MAX_EDGES) -> None:
        """Begin with nothing.

        Args:
            vocabulary: of the graphs.
            max_edges: room for the edges of a graph.
        """
        self.vocabulary = vocabulary
        self.max_edges = max_edges
        self.state_shape = (max_edges,)
        self.state_dtype = EDGE_DTYPE

    def initial(self, batch: int, device: torch.device | None = None) -> Tensor:
        """No edges."""
        return torch.full((batch, self.max_edges), PADDING, dtype=EDGE_DTYPE, device=device)

    def graph(self, state: Tensor) -> BeliefGraph:
        """The graphs of the edges; nodes with an edge are part of them."""
        graph = adjacency(state, self.vocabulary)
        return BeliefGraph(graph, node_mask(graph))

    def graph_to_encode(self, state: Tensor) -> BeliefGraph:
        """The same, on a CPU without the nodes that are in no edge; a GPU wants fixed shapes."""
        if state.device.type != "cpu":
            return self.graph(state)
        return BeliefGraph(*narrow_adjacency(state, self.vocabulary))
