"""Sequences side by side: B lanes, each with a path under way; every update takes T steps of all.

A lane whose path ends begins the next one at once, so every batch is full and all have the same
shape. Where a path is cut by the end of a batch, gradients stop and the state goes on: truncated
back-propagation through time.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gata.pretrain.data.corpus import Ragged
from gata.pretrain.order import Ids, Shuffled


class Stretch(NamedTuple):
    """T steps of B lanes."""

    records: Ids
    """(T, B) records of the corpus."""
    paths: Ids
    """(T, B) paths they are read from."""
    starts: npt.NDArray[np.bool_]
    """(T, B): a path begins here."""

    def lanes(self, some: slice) -> "Stretch":
        """The same steps of some lanes only."""
        return Stretch(self.records[:, some], self.paths[:, some], self.starts[:, some])


class Lanes:
    """Endless stretches of shuffled paths."""

    def __init__(self, paths: Ragged, batch: int, seed: int) -> None:
        self._values, self._starts = paths.values, paths.offsets[:-1]
        self._lengths = paths.lengths
        self._order = Shuffled(len(paths), seed)
        self._path: Ids = np.zeros(batch, np.int64)
        self._done: Ids = np.zeros(batch, np.int64)
        """Steps taken in the path under way; a lane whose path is done needs a new one."""
        self._left: Ids = np.zeros(batch, np.int64)

    @property
    def drawn(self) -> int:
        """How many paths were begun."""
        return self._order.drawn

    def take(self, steps: int) -> Stretch:
        """The next steps of every lane."""
        rows = [self._step() for _ in range(steps)]
        return Stretch(*(np.stack(column) for column in zip(*rows, strict=True)))

    def _step(self) -> tuple[Ids, Ids, npt.NDArray[np.bool_]]:
        starts = self._left == 0
        new = self._order.take(int(starts.sum()))
        self._path[starts], self._done[starts], self._left[starts] = new, 0, self._lengths[new]
        records = self._values[self._starts[self._path] + self._done].astype(np.int64)
        self._done += 1
        self._left -= 1
        return records, self._path.copy(), starts

    def position(self) -> dict[str, Any]:
        """Where the lanes are, for JSON."""
        return {
            "drawn": self._order.drawn,
            "path": self._path.tolist(),
            "done": self._done.tolist(),
        }

    def seek(self, position: dict[str, Any]) -> None:
        """Go on from ``position``."""
        self._order.drawn = position["drawn"]
        self._path = np.array(position["path"], np.int64)
        self._done = np.array(position["done"], np.int64)
        self._left = np.where(self._done > 0, self._lengths[self._path] - self._done, 0)
