"""What was experienced: a ring of single steps on the training device, drawn by priority."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from gata.rl.ring import Ring
from gata.rl.steps import STATE_ONLY, Steps
from gata.rl.sum_tree import SumTree

SMALLEST_ERROR = 1e-6
"""Added to errors, so that what was learnt perfectly can still be drawn."""


@dataclass(frozen=True)
class Priorities:
    """How steps are drawn."""

    exponent: float = 0.6
    """Priorities are errors to this power; 0 draws all steps equally."""
    correction: float = 0.4
    """Importance weights have this power at the beginning of training,"""
    correction_end: float = 1.0
    """and this at its end."""


class Drawn(NamedTuple):
    """A sample of steps."""

    places: Tensor
    """(draws,) in the ring."""
    weights: Tensor
    """(draws,) importance weights, the largest of them 1."""


class Replay(Ring):
    """A ring whose steps are drawn by priority."""

    def __init__(
        self,
        capacity: int,
        state_shape: tuple[int, ...],
        state_dtype: torch.dtype,
        device: torch.device,
        priorities: Priorities | None = None,
    ) -> None:
        super().__init__(capacity, state_shape, state_dtype, device)
        self.priorities = priorities or Priorities()
        self._tree = SumTree(capacity, device)
        self._largest = torch.ones((), dtype=torch.float64, device=device)

    @property
    def bytes(self) -> int:
        """Of memory on the device, priorities included."""
        return super().bytes + self._tree.bytes

    def push(
        self, steps: Steps, rewards: npt.NDArray[np.float64], is_step: npt.NDArray[np.bool_]
    ) -> None:
        """Store whole episodes, each step with the largest priority so far; see ``store``."""
        places = self.store(steps, rewards, is_step)
        self._tree.set(places, torch.where(steps.ends == STATE_ONLY, 0, self._largest))

    def power(self, progress: float) -> float:
        """Of importance weights: they correct more and more of the preference.

        Args:
            progress: how much of the training is over, 0 to 1.
        """
        start, end = self.priorities.correction, self.priorities.correction_end
        return start + (end - start) * min(1.0, progress)

    def draw(self, shares: Tensor, power: Tensor | float) -> Drawn:
        """Draw steps by priority.

        Args:
            shares: (draws,) random numbers from 0 to 1; the draws are spread evenly over the sum
                of priorities, and each is moved within its part of it.
            power: from ``power``.
        """
        count = len(shares)
        spread = (torch.arange(count, device=self.device) + shares) / count
        places = self._tree.draw(spread)
        weights = self._tree.weights[places] ** -power
        return Drawn(places, (weights / weights.max()).float())

    def learnt(self, places: Tensor, errors: Tensor) -> None:
        """Set the priorities of steps to how wrong their values were.

        Args:
            places: (steps,) in the ring; one that occurs twice gets its largest error.
            errors: (steps,) absolute.
        """
        weights = (errors.double() + SMALLEST_ERROR) ** self.priorities.exponent
        self._largest.copy_(torch.maximum(self._largest, weights.max()))
        self._tree.set(places, weights)

    # For checkpoints.

    def tensors(self) -> dict[str, Tensor]:
        """Everything that ``restore`` needs beside ``numbers``; only what is filled."""
        priorities = self._tree.weights[: self.size]
        return {**super().tensors(), "priorities": priorities, "largest": self._largest}

    def restore(self, tensors: dict[str, Tensor], numbers: dict[str, int]) -> None:
        """Become what another replay of the same capacity was."""
        super().restore(tensors, numbers)
        places = torch.arange(self.size, device=self.device)
        self._tree.set(places, tensors["priorities"].to(self.device))
        self._largest.copy_(tensors["largest"])
