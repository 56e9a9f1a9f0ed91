"""The belief of GATA-GTF: the game's own graph, full or seen, as it is told."""

import torch
from torch import Tensor
from torch.nn import functional

from gata.belief.edges import MAX_EDGES, graph_of_edges, graph_to_encode, no_edges
from gata.belief.interface import Belief, BeliefGraph, Step
from gata.errors import UsageError
from gata.graph.adjacency import EDGE_DTYPE, PADDING
from gata.graph.vocabulary import PAPER, GraphVocabulary


class GivenBelief(Belief):
    """Takes each step's edges for the truth. Which graph that is, its caller decides."""

    def __init__(self, vocabulary: GraphVocabulary = PAPER, max_edges: int = MAX_EDGES) -> None:
        self.vocabulary = vocabulary
        self.max_edges = max_edges
        self.state_shape = (max_edges,)
        self.state_dtype = EDGE_DTYPE

    def initial(self, batch: int, device: torch.device | None = None) -> Tensor:
        """No edges."""
        return no_edges(batch, self.max_edges, device)

    def update(self, state: Tensor, step: Step) -> Tensor:
        """The step's edges."""
        if step.edges is None:
            raise UsageError("a given belief needs the game's graph in every step; found none")
        spare = self.max_edges - step.edges.shape[1]
        if spare < 0:
            raise UsageError(
                f"a graph of {step.edges.shape[1]} edges, expected at most"
                f" {self.max_edges} (max_edges)"
            )
        return functional.pad(step.edges.to(EDGE_DTYPE), (0, spare), value=PADDING)

    def graph(self, state: Tensor) -> BeliefGraph:
        """The graphs of those edges."""
        return graph_of_edges(state, self.vocabulary)

    def graph_to_encode(self, state: Tensor) -> BeliefGraph:
        """On a CPU without the nodes that are in no edge."""
        return graph_to_encode(state, self.vocabulary)
