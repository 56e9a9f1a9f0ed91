"""Episodes that are being played, until they are over."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from torch import Tensor

from gata.rl.steps import CANDIDATES_STEP
from gata.training.rows import round_up


@dataclass
class Draft:
    """The episodes that are being played: (games, steps + 1, ...) each.

    The engine's numbers stay on the host until an episode is over; beliefs are where the networks
    are.
    """

    texts: npt.NDArray[np.int32]
    previous: npt.NDArray[np.int16]
    candidates: npt.NDArray[np.int16]
    counts: npt.NDArray[np.int16]
    choices: npt.NDArray[np.int16]
    rewards: npt.NDArray[np.float64]
    novel: npt.NDArray[np.bool_]
    ends: npt.NDArray[np.int8]
    beliefs: Tensor

    @classmethod
    def empty(cls, games: int, steps: int, initial: Tensor) -> "Draft":
        """Room for episodes of ``steps`` steps and a last state; ``initial`` is a belief each."""
        shape = (games, steps + 1)
        return cls(
            texts=np.zeros(shape, np.int32),
            previous=np.zeros(shape, np.int16),
            candidates=np.zeros((*shape, CANDIDATES_STEP), np.int16),
            counts=np.zeros(shape, np.int16),
            choices=np.zeros(shape, np.int16),
            rewards=np.zeros(shape),
            novel=np.zeros(shape, np.bool_),
            ends=np.zeros(shape, np.int8),
            beliefs=initial.unsqueeze(1).repeat(1, steps + 1, *[1] * (initial.dim() - 1)),
        )

    def widen(self, candidates: int) -> None:
        """Make room for so many candidates."""
        more = round_up(candidates, CANDIDATES_STEP) - self.candidates.shape[2]
        if more > 0:
            self.candidates = np.pad(self.candidates, ((0, 0), (0, 0), (0, more)))
