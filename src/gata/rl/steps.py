"""Single steps of episodes, in columns."""

from typing import NamedTuple

import torch
from torch import Tensor

STATE_ONLY = 3
"""In the place of how a step ended: no step, but the state that a time-out left behind. Stored
only if time-outs are bootstrapped, and never drawn."""

CANDIDATES_STEP = 8
"""Room for candidates grows by so many, in the replay and in the episodes being played."""


class Steps(NamedTuple):
    """Consecutive steps of one or more whole episodes, one after the other; (steps, ...) each."""

    texts: Tensor
    """int32: the observation, by its number in a table of texts."""
    previous: Tensor
    """int16: the command that led here."""
    candidates: Tensor
    """(steps, most) int16: the commands on offer."""
    counts: Tensor
    """int16: how many they are."""
    choices: Tensor
    """int16: which of them was taken, by its place."""
    rewards: Tensor
    """float32: what it brought."""
    novel: Tensor
    """bool: it led to an observation that was new in the episode."""
    ends: Tensor
    """int8: how the step ended (``gata.rl.targets``), or ``STATE_ONLY``."""
    episodes: Tensor
    """int32: a number that the steps of an episode, and no others in the ring, share."""
    beliefs: Tensor
    """(steps, *state shape)"""

    @classmethod
    def empty(
        cls,
        capacity: int,
        candidates: int,
        state_shape: tuple[int, ...],
        state_dtype: torch.dtype,
        device: torch.device,
    ) -> "Steps":
        """Room for ``capacity`` steps with so many candidates each."""

        def column(dtype: torch.dtype, *shape: int) -> Tensor:
            return torch.zeros(capacity, *shape, dtype=dtype, device=device)

        return cls(
            texts=column(torch.int32),
            previous=column(torch.int16),
            candidates=column(torch.int16, candidates),
            counts=column(torch.int16),
            choices=column(torch.int16),
            rewards=column(torch.float32),
            novel=column(torch.bool),
            ends=column(torch.int8),
            episodes=column(torch.int32),
            beliefs=column(state_dtype, *state_shape),
        )
