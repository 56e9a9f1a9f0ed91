"""What every training loop keeps account of: its losses and its time."""

import math
import time
from pathlib import Path

import torch
from torch import Tensor

from gata.errors import GataError


class Losses:
    """The losses since the last report; on the device, so that adding one waits for nothing."""

    def __init__(self, device: torch.device) -> None:
        self.sum = torch.zeros((), dtype=torch.float64, device=device)
        self.count = 0

    def add(self, loss: Tensor) -> None:
        """Count a loss."""
        self.sum += loss
        self.count += 1

    def mean(self, run: Path, update: int) -> float:
        """Of the losses so far, 0 if there are none; one that is no number is an error.

        Args:
            run: the folder of the run.
            update: the number of the last update.
        """
        mean = float(self.sum) / max(1, self.count)
        if not math.isfinite(mean):
            raise GataError(
                f"{run}: the loss is {mean} after update {update}; the last checkpoint is from"
                " before, a lower --learning-rate may help"
            )
        return mean

    def clear(self) -> None:
        """Begin to count anew."""
        self.sum.zero_()
        self.count = 0


class Clock:
    """The time a run has taken, over all the processes that worked at it."""

    def __init__(self) -> None:
        self._before = 0.0
        self._started = self._saved = time.monotonic()

    def go_on(self, seconds: float) -> None:
        """Start, after so many seconds in earlier processes."""
        self._before = seconds
        self._started = self._saved = time.monotonic()

    @property
    def here(self) -> float:
        """Seconds in this process."""
        return time.monotonic() - self._started

    @property
    def seconds(self) -> float:
        """Seconds in all."""
        return self._before + self.here

    def saved(self) -> None:
        """A checkpoint was written."""
        self._saved = time.monotonic()

    @property
    def since_saved(self) -> float:
        """Seconds since the last checkpoint, or the start."""
        return time.monotonic() - self._saved
