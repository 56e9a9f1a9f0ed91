"""Updates of the action selector from the replay: Double DQN."""

import copy

import numpy as np
import torch
from torch import Tensor

from gata.agents.making import Brain
from gata.agents.selector import ActionSelector
from gata.rl.lesson import Batch
from gata.rl.looking_up import Lookup
from gata.rl.replay import Replay
from gata.rl.settings import LearningSettings
from gata.rl.single_steps import SingleSteps
from gata.rl.windows import Windows
from gata.training.capture import Captured, Tensors
from gata.training.rows import to_device
from gata.training.update import Update


class Learner:
    """The online network of a brain, its target network, and the optimiser."""

    def __init__(
        self,
        brain: Brain,
        settings: LearningSettings,
        replay: Replay,
        lookup: Lookup,
        *,
        threads: int = 1,
    ) -> None:
        """Start from the brain as it is.

        Args:
            brain: who learns.
            settings: how.
            replay: where the steps are.
            lookup: of that replay.
            threads: work on parts of a batch, on a CPU.
        """
        self.brain, self.settings, self.replay = brain, settings, replay
        self.device = brain.device
        self.lookup = lookup
        self.online = brain.selector
        self.target: ActionSelector = copy.deepcopy(brain.selector).requires_grad_(False).eval()
        kind = Windows if brain.preset.recurrent else SingleSteps
        self.lesson = kind(brain, self.target, settings, replay, lookup)
        self.update = Update(
            list(self.online.parameters()),
            self.lesson.loss,
            learning_rate=settings.learning_rate,
            clip=settings.clip,
            parts=threads,
        )
        self._sampling = Captured(self._sample, self.device)
        self._learning = Captured(self._learn, self.device)

    def copy_to_target(self) -> None:
        """Let the target network be what the online network is."""
        self.target.load_state_dict(self.online.state_dict())

    def learn(self, random: np.random.Generator, progress: float) -> Tensor:
        """One update; returns its loss.

        Args:
            random: decides what is drawn.
            progress: how much of the training is over, 0 to 1.
        """
        version = self.lookup.version
        need, *batch = self._sampling(self.chance(random, progress), version=version)
        variant = self.lookup.make_room(need)
        (loss,) = self._learning(*batch, version=version, variant=variant)
        return loss

    def chance(self, random: np.random.Generator, progress: float) -> Tensor:
        """What decides an update, in one row: one copy to the device."""
        batch = self.settings.batch
        shares = random.random(batch)
        n = random.integers(1, self.lesson.most_steps + 1, batch)
        row = np.concatenate([shares, n, [self.replay.power(progress)]])
        return to_device(row, self.device)

    def _sample(self, chance: Tensor) -> Tensors:
        """What ``sample`` gives, in a row."""
        batch = self.sample(chance)
        return batch.need, batch.places, batch.is_real, *batch.arguments

    def _learn(self, places: Tensor, is_real: Tensor, *arguments: Tensor) -> Tensors:
        """Update, set priorities."""
        loss, errors = self.update.run(*arguments)
        self.replay.learnt(places.flatten(), torch.where(is_real, errors, 0).flatten())
        return (loss,)

    def sample(self, chance: Tensor) -> Batch:
        """Draw a batch, and add up what its steps brought.

        Args:
            chance: (2 * batch + 1,) float64: shares of the priorities, numbers of steps to look
                ahead, and the power of importance weights.
        """
        draws = self.settings.batch
        shares, n, power = chance[:draws], chance[draws:-1].long(), chance[-1]
        return self.lesson.batch(self.replay.draw(shares, power), n)
