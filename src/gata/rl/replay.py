"""What was experienced: a ring of single steps on the training device, drawn by priority."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from gata.errors import UsageError
from gata.rl.sum_tree import SumTree
from gata.rl.targets import Returns, n_step
from gata.training.rows import round_up, to_device

STATE_ONLY = 3
"""In the place of how a step ended: no step, but the state that a time-out left behind. Stored
only if time-outs are bootstrapped, and never drawn."""

WIDTH_STEP = 8
"""Room for candidates grows by so many."""

SMALLEST_ERROR = 1e-6
"""Added to errors, so that what was learnt perfectly can still be drawn."""


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


class Replay:
    """The last ``capacity`` steps.

    Episodes are stored whole and in order, so that what follows a step stands behind it. Every
    record is a step that can be drawn, also the last of an episode: n-step returns are made of
    single steps when they are needed, and end where the episode ends.
    """

    def __init__(
        self,
        capacity: int,
        state_shape: tuple[int, ...],
        state_dtype: torch.dtype,
        device: torch.device,
        priorities: Priorities | None = None,
    ) -> None:
        if capacity < 1:
            raise UsageError(f"replay: capacity is {capacity}, expected 1 or more")
        self.capacity, self.device = capacity, device
        self.priorities = priorities or Priorities()
        self.size = 0
        """How many records there are."""
        self.pushed = 0
        """Episodes so far."""
        self._next = 0
        self._tree = SumTree(capacity, device)
        self._largest = torch.ones((), dtype=torch.float64, device=device)
        # On the host, so that the mean costs no wait. Rewards are whole numbers: sums are exact.
        self._rewards = np.zeros(capacity)
        self._is_step = np.zeros(capacity, np.bool_)
        self._reward_sum, self._step_count = 0.0, 0
        self.steps = self.columns(capacity, WIDTH_STEP, state_shape, state_dtype, device)

    @staticmethod
    def columns(
        capacity: int,
        candidates: int,
        state_shape: tuple[int, ...],
        state_dtype: torch.dtype,
        device: torch.device,
    ) -> Steps:
        """Room for ``capacity`` steps with so many candidates each."""

        def column(dtype: torch.dtype, *shape: int) -> Tensor:
            return torch.zeros(capacity, *shape, dtype=dtype, device=device)

        return Steps(
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

    @property
    def bytes(self) -> int:
        """Of memory on the device, priorities included."""
        columns = sum(column.numel() * column.element_size() for column in self.steps)
        return columns + self._tree.bytes

    @property
    def version(self) -> tuple[int, int]:
        """Another one whenever the columns have moved in the device's memory."""
        return self.steps.candidates.data_ptr(), self.steps.candidates.shape[1]

    @property
    def mean_reward(self) -> float:
        """Over all steps; 0 if there are none."""
        return self._reward_sum / self._step_count if self._step_count else 0.0

    def push(
        self, steps: Steps, rewards: npt.NDArray[np.float64], is_step: npt.NDArray[np.bool_]
    ) -> None:
        """Store whole episodes, each step with the largest priority so far.

        Args:
            steps: the episodes, one after the other.
            rewards: their rewards, on the host.
            is_step: which records are steps, not ``STATE_ONLY``, on the host.
        """
        count = len(steps.texts)
        if count > self.capacity:
            raise UsageError(
                f"replay: {count} steps at once do not fit into a capacity of {self.capacity}"
            )
        self._widen(steps.candidates.shape[1])
        numbers = (self._next + np.arange(count)) % self.capacity
        places = to_device(numbers, self.device)
        for name, column in steps._asdict().items():
            if name != "candidates":
                getattr(self.steps, name)[places] = column
        # What an earlier, longer row left behind is beyond the count.
        self.steps.candidates[places, : steps.candidates.shape[1]] = steps.candidates
        self._tree.set(places, torch.where(steps.ends == STATE_ONLY, 0, self._largest))
        self._keep_count(numbers, rewards, is_step)
        self._next = (self._next + count) % self.capacity
        self.size = min(self.capacity, self.size + count)

    def _keep_count(
        self,
        numbers: npt.NDArray[np.int64],
        rewards: npt.NDArray[np.float64],
        is_step: npt.NDArray[np.bool_],
    ) -> None:
        self._reward_sum += float(rewards.sum() - self._rewards[numbers].sum())
        self._step_count += int(is_step.sum()) - int(self._is_step[numbers].sum())
        self._rewards[numbers] = rewards
        self._is_step[numbers] = is_step

    def _widen(self, width: int) -> None:
        old = self.steps.candidates
        if width <= old.shape[1]:
            return
        wide = old.new_zeros(self.capacity, round_up(width, WIDTH_STEP))
        wide[:, : old.shape[1]] = old
        self.steps = self.steps._replace(candidates=wide)

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

    def look_ahead(
        self, places: Tensor, n: Tensor, most: int, *, discount: float, bootstrap_time_outs: bool
    ) -> tuple[Returns, Tensor]:
        """The n-step returns of steps, and where the state after them is.

        Args:
            places: (...,) in the ring.
            n: (...,) how many steps to look ahead, from 1 to ``most``.
            most: N.
            discount: of a reward, per step it is later.
            bootstrap_time_outs: as in ``n_step``.

        Returns:
            The returns; and the places of the following states, where they count, else ``places``.
        """
        window = self.after(places, most)
        returns = n_step(
            self.steps.rewards[window],
            self.steps.ends[window],
            n,
            discount=discount,
            bootstrap_time_outs=bootstrap_time_outs,
        )
        following = (places + returns.steps) % self.capacity
        return returns, torch.where(returns.bootstraps, following, places)

    def bonus(self, places: Tensor, n: Tensor, most: int, discount: float) -> Tensor:
        """The n-step sum of new observations, discounted: (...,)."""
        window = self.after(places, most)
        novel = self.steps.novel[window].float()
        ends = self.steps.ends[window]
        return n_step(novel, ends, n, discount=discount, bootstrap_time_outs=False).value

    def after(self, places: Tensor, count: int) -> Tensor:
        """The places of steps and what stands behind them: (...,) -> (..., count)."""
        later = torch.arange(count, device=self.device)
        return (places.unsqueeze(-1) + later) % self.capacity

    def same_episode(self, places: Tensor, offsets: Tensor) -> tuple[Tensor, Tensor]:
        """Places before and after steps, and whether they belong to the same episode.

        Args:
            places: (draws,)
            offsets: (steps,), ascending, below 0 for what came before.

        Returns:
            (draws, steps) places and booleans. What was overwritten belongs to no old episode.
        """
        window = (places.unsqueeze(-1) + offsets) % self.capacity
        episodes = self.steps.episodes
        return window, episodes[window] == episodes[places].unsqueeze(-1)

    def is_step(self, places: Tensor) -> Tensor:
        """Whether there is a step at places, or only a state."""
        return self.steps.ends[places] != STATE_ONLY

    # For checkpoints.

    def tensors(self) -> dict[str, Tensor]:
        """Everything that ``restore`` needs beside ``numbers``; only what is filled."""
        used = {name: column[: self.size] for name, column in self.steps._asdict().items()}
        return {**used, "priorities": self._tree.weights[: self.size], "largest": self._largest}

    def numbers(self) -> dict[str, int]:
        """The same for plain numbers."""
        return {"size": self.size, "pushed": self.pushed, "next": self._next}

    def restore(self, tensors: dict[str, Tensor], numbers: dict[str, int]) -> None:
        """Become what another replay of the same capacity was."""
        self.size, self.pushed, self._next = (
            numbers["size"],
            numbers["pushed"],
            numbers["next"],
        )
        self._widen(tensors["candidates"].shape[1])
        for name, column in self.steps._asdict().items():
            column[: self.size] = tensors[name].to(self.device)
        places = torch.arange(self.size, device=self.device)
        self._tree.set(places, tensors["priorities"].to(self.device))
        self._largest.copy_(tensors["largest"])
        rewards = tensors["rewards"].double().cpu().numpy()
        is_step = (tensors["ends"] != STATE_ONLY).cpu().numpy()
        self._keep_count(np.arange(self.size), rewards, is_step)
