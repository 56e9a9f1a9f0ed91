"""Drawing numbers in proportion to their weights, many at once, on any device."""

import torch
from torch import Tensor

LEVELS = 3
"""A wide, flat tree: each level costs a few kernels, however many are drawn."""


class SumTree:
    """Weights of 0 .. ``size`` - 1, summed in a tree.

    Each node of a level holds the sum of ``width`` nodes of the level below. Sums are always made
    anew from what is below, so no error adds up over many changes.
    """

    def __init__(self, size: int, device: torch.device) -> None:
        self.size = size
        self.width = next(w for w in range(2, size + 3) if w**LEVELS >= size)
        self._levels = [
            torch.zeros(self.width**level, dtype=torch.float64, device=device)
            for level in range(LEVELS + 1)
        ]

    @property
    def weights(self) -> Tensor:
        """(size,) float64."""
        return self._levels[-1][: self.size]

    @property
    def total(self) -> Tensor:
        """The sum of all weights, a scalar."""
        return self._levels[0][0]

    @property
    def bytes(self) -> int:
        """Of memory."""
        return sum(level.numel() * level.element_size() for level in self._levels)

    def set(self, numbers: Tensor, weights: Tensor) -> None:
        """Change weights.

        Args:
            numbers: (changes,) whose weights change; one that occurs twice gets its largest.
            weights: (changes,), 0 or more.
        """
        leaves = self._levels[-1]
        leaves.scatter_reduce_(0, numbers, weights.double(), "amax", include_self=False)
        for level in range(LEVELS - 1, -1, -1):
            numbers = torch.div(numbers, self.width, rounding_mode="floor")
            below = self._levels[level + 1].view(-1, self.width)
            self._levels[level][numbers] = below[numbers].sum(1)

    def draw(self, shares: Tensor) -> Tensor:
        """The numbers at some shares of the total.

        Args:
            shares: (draws,) from 0 to 1, such as uniform random numbers.

        Returns:
            (draws,) int64; weights of 0 are never drawn, as long as there is another.
        """
        rest = shares.double() * self.total
        node = torch.zeros_like(rest, dtype=torch.int64)
        places = torch.arange(self.width, device=rest.device)
        for level in range(1, LEVELS + 1):
            below = self._levels[level].view(-1, self.width)[node]
            sums = below.cumsum(1)
            # Rounding can leave more than there is: the last one with a weight is meant then.
            last = torch.where(below > 0, places, 0).amax(1)
            child = torch.minimum((sums <= rest.unsqueeze(1)).sum(1), last).unsqueeze(1)
            rest = rest - (sums - below).gather(1, child).squeeze(1)
            node = node * self.width + child.squeeze(1)
        return node
