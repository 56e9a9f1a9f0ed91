"""What every belief can do: begin, take a step, show its graph."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor


class Step(NamedTuple):
    """What a step of a batch of games tells the belief."""

    observation: Tensor
    """(batch, length) word ids: O_t."""
    action: Tensor
    """(batch, length) word ids: A_{t-1}, the command that led there; "restart" at the start."""
    edges: Tensor | None = None
    """(batch, edges) ids of the game's true graph, full or seen; below 0 is padding. Only a given
    belief looks at it."""


class BeliefGraph(NamedTuple):
    """A batch of graphs, ready for a graph encoder."""

    adjacency: Tensor
    """(batch, R, N, N), without inverse relations."""
    present: Tensor
    """(batch, N) booleans, the nodes that are part of the graph."""
    nodes: Tensor | None = None
    """(batch, N) ids of the nodes, if these are not all there are, in their order."""

    def split(self, sizes: Sequence[int]) -> list["BeliefGraph"]:
        """The first so many graphs, the next, ..."""
        parts = (torch.split(tensor, list(sizes)) for tensor in self if tensor is not None)
        return [BeliefGraph(*part) for part in zip(*parts, strict=True)]


class Belief(ABC):
    """A belief is a small state per game, from which its graph follows.

    A state is a tensor of ``state_shape`` and ``state_dtype`` per game: store it, and ``graph``
    shows the same graph again. States are never changed in place. Nothing here passes gradients:
    the updaters are trained beforehand.
    """

    state_shape: tuple[int, ...]
    """Of one game's state."""
    state_dtype: torch.dtype
    in_one_piece = True
    """Whether ``update`` stays on the device from beginning to end, and can be captured there."""

    @abstractmethod
    def initial(self, batch: int, device: torch.device | None = None) -> Tensor:
        """The states of games of which nothing has been seen; their graphs are empty."""

    @abstractmethod
    def update(self, state: Tensor, step: Step) -> Tensor:
        """The states after a step: (batch, *state_shape) -> the same."""

    @abstractmethod
    def graph(self, state: Tensor) -> BeliefGraph:
        """The graphs of states, with all nodes."""

    def graph_to_encode(self, state: Tensor) -> BeliefGraph:
        """The same for an encoder, which may be spared nodes that are no part of them."""
        return self.graph(state)
