"""The belief of GATA-GTF: the game's own graph, full or seen, as it is told."""

from torch import Tensor
from torch.nn import functional

from gata.belief.edges import EdgeBelief
from gata.belief.interface import Step
from gata.errors import UsageError
from gata.graph.adjacency import EDGE_DTYPE, PADDING


class GivenBelief(EdgeBelief):
    """Takes each step's edges for the truth. Which graph that is, its caller decides."""

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
