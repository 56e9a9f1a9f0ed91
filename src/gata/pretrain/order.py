"""Which examples are drawn.

To learn: all, shuffled, epoch after epoch, from a seed and a count. To be tested: some, evenly
spread.
"""

import numpy as np
import numpy.typing as npt

Ids = npt.NDArray[np.int64]


class Shuffled:
    """An endless row of the numbers 0 to n - 1: all of them in a new order in each epoch.

    Its whole state is how many were drawn.
    """

    def __init__(self, count: int, seed: int) -> None:
        self.count = count
        self.drawn = 0
        self._seed = seed
        self._epoch = -1
        self._permutation: Ids = np.empty(0, np.int64)

    def take(self, number: int) -> Ids:
        """The next ones: (number,)."""
        parts = []
        while number:
            epoch, place = divmod(self.drawn, self.count)
            if epoch != self._epoch:
                random = np.random.default_rng([self._seed, epoch])
                self._epoch, self._permutation = epoch, random.permutation(self.count)
            part = self._permutation[place : place + number]
            parts.append(part)
            self.drawn += len(part)
            number -= len(part)
        return np.concatenate([np.empty(0, np.int64), *parts])


def spread(count: int, at_most: int | None) -> Ids:
    """``at_most`` of the numbers below ``count``, evenly spread; all if there are no more."""
    if at_most is None or at_most >= count:
        return np.arange(count)
    return np.linspace(0, count, at_most, endpoint=False).astype(np.int64)
