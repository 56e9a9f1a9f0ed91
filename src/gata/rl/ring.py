"""The last steps of the games that were played, in the order in which they came."""

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from gata.errors import UsageError
from gata.rl.steps import CANDIDATES_STEP, STATE_ONLY, Steps
from gata.rl.targets import Returns, n_step
from gata.training.rows import Ids, round_up, to_device


class Ring:
    """The last ``capacity`` steps, on the training device.

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
    ) -> None:
        if capacity < 1:
            raise UsageError(f"replay: capacity is {capacity}, expected 1 or more")
        self.capacity, self.device = capacity, device
        self.size = 0
        """How many records there are."""
        self.pushed = 0
        """Episodes so far."""
        self._next = 0
        # On the host, so that the mean costs no wait. Rewards are whole numbers: sums are exact.
        self._rewards = np.zeros(capacity)
        self._is_step = np.zeros(capacity, np.bool_)
        self._reward_sum, self._step_count = 0.0, 0
        self.steps = Steps.empty(capacity, CANDIDATES_STEP, state_shape, state_dtype, device)

    @property
    def bytes(self) -> int:
        """Of memory on the device."""
        return sum(column.numel() * column.element_size() for column in self.steps)

    @property
    def version(self) -> tuple[int, int]:
        """Another one whenever the columns have moved in the device's memory."""
        return self.steps.candidates.data_ptr(), self.steps.candidates.shape[1]

    @property
    def mean_reward(self) -> float:
        """Over all steps; 0 if there are none."""
        return self._reward_sum / self._step_count if self._step_count else 0.0

    def store(
        self, steps: Steps, rewards: npt.NDArray[np.float64], is_step: npt.NDArray[np.bool_]
    ) -> Tensor:
        """Write whole episodes over the oldest steps; returns their places, (steps,).

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
        self._keep_count(numbers, rewards, is_step)
        self._next = (self._next + count) % self.capacity
        self.size = min(self.capacity, self.size + count)
        return places

    def _keep_count(
        self,
        numbers: Ids,
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
        wide = old.new_zeros(self.capacity, round_up(width, CANDIDATES_STEP))
        wide[:, : old.shape[1]] = old
        self.steps = self.steps._replace(candidates=wide)

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
        return {name: column[: self.size] for name, column in self.steps._asdict().items()}

    def numbers(self) -> dict[str, int]:
        """The same for plain numbers."""
        return {"size": self.size, "pushed": self.pushed, "next": self._next}

    def restore(self, tensors: dict[str, Tensor], numbers: dict[str, int]) -> None:
        """Become what another one of the same capacity was."""
        self.size, self.pushed, self._next = (
            numbers["size"],
            numbers["pushed"],
            numbers["next"],
        )
        self._widen(tensors["candidates"].shape[1])
        for name, column in self.steps._asdict().items():
            column[: self.size] = tensors[name].to(self.device)
        rewards = tensors["rewards"].double().cpu().numpy()
        is_step = (tensors["ends"] != STATE_ONLY).cpu().numpy()
        self._keep_count(np.arange(self.size), rewards, is_step)
