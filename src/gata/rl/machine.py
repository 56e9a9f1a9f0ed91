"""Everything that plays and learns, put together."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from gata import console
from gata.agents.actor import Actor
from gata.agents.commands import CommandBook
from gata.agents.making import Brain
from gata.agents.presets import Preset
from gata.agents.thinking import Thinking
from gata.engine import VectorEnv
from gata.games.game import Game
from gata.language import vocabulary
from gata.models.weights import check_tensors
from gata.rl.fixed_lookup import FixedLookup
from gata.rl.learner import Learner
from gata.rl.looking_up import Lookup
from gata.rl.narrow_lookup import NarrowLookup
from gata.rl.replay import Priorities, Replay
from gata.rl.rollout import Rollout
from gata.rl.scouting import retrace, scout
from gata.rl.settings import TrainSettings
from gata.rl.texts import TextBook
from gata.training.checkpoint import prefixed, under

SCOUTING = 1
"""Beside the seed of a run: makes random numbers of their own."""


@dataclass(frozen=True)
class Machine:
    """The parts of a training."""

    random: np.random.Generator
    """Decides what is explored and what is drawn."""
    texts: TextBook
    replay: Replay
    rollout: Rollout
    learner: Learner

    def scout(self, seed: int, bars: console.Bars | None = None) -> dict[str, float] | None:
        """Fill the replay with the best of many random episodes, if the settings say so.

        Returns what was found, in numbers.

        Args:
            seed: of the run; what is drawn later does not depend on whether there was scouting.
            bars: to show the progress among others.
        """
        rollout = self.rollout
        settings, env, actor = rollout.settings, rollout.env, rollout.actor
        if not settings.scout_episodes:
            return None
        random = np.random.default_rng([seed, SCOUTING])
        found = scout(env, settings.scout_episodes, settings.scout_keep, random, bars)
        rows = min(settings.parallel, len(found.best))
        own = VectorEnv(env.pack, rows, step_limit=env.step_limit)
        player = Actor(actor.thinking, actor.numbers, rows)
        rollout = Rollout(own, player, self.replay, self.texts, settings, random)
        retrace(found.best, rollout, bars)
        return found.summary()

    # For checkpoints.

    def tensors(self) -> dict[str, Tensor]:
        """Everything that ``restore`` needs beside ``state``."""
        return {
            **prefixed("online", self.learner.online.state_dict()),
            **prefixed("target", self.learner.target.state_dict()),
            **prefixed("optimizer", self.learner.update.tensors()),
            **prefixed("replay", self.replay.tensors()),
            **prefixed("rollout", self.rollout.tensors()),
            "texts.values": self.texts.tokens.values,
            "texts.lengths": torch.from_numpy(self.texts.tokens.lengths.copy()),
        }

    def state(self) -> dict[str, Any]:
        """The same for what JSON holds."""
        return {"replay": self.replay.numbers(), "random": self.random.bit_generator.state}

    def restore(self, tensors: dict[str, Tensor], state: dict[str, Any], origin: Path) -> None:
        """Become what another machine of the same settings was.

        Args:
            tensors: with others, perhaps.
            state: the same.
            origin: the file they are from.
        """
        learner = self.learner
        for name, network in (("online", learner.online), ("target", learner.target)):
            weights = under(name, tensors)
            check_tensors(origin, weights, network.state_dict())
            network.load_state_dict(weights)
        learner.update.restore(under("optimizer", tensors))
        self.texts.restore(tensors["texts.values"].numpy(), tensors["texts.lengths"].numpy())
        self.replay.restore(under("replay", tensors), state["replay"])
        self.rollout.restore(under("rollout", tensors))
        self.random.bit_generator.state = state["random"]


def assemble(settings: TrainSettings, brain: Brain, games: Sequence[Game]) -> Machine:
    """The parts for a brain that learns from some games."""
    learning, device = settings.learning, brain.device
    random = np.random.default_rng(settings.seed)
    book, texts = CommandBook(vocabulary.default(), device), TextBook(device)
    priorities = Priorities(learning.priority, learning.correction, learning.correction_end)
    replay = Replay(learning.replay, brain.state_shape, brain.state_dtype, device, priorities)
    env = VectorEnv(games, learning.parallel, seed=settings.seed, step_limit=learning.step_limit)
    actor = Actor(Thinking(brain, book), book.enter(env.commands), learning.parallel)
    rollout = Rollout(env, actor, replay, texts, learning, random)
    lookup = make_lookup(brain.preset, replay, texts, book)
    threads = torch.get_num_threads() if device.type == "cpu" else 1
    learner = Learner(brain, learning, replay, lookup, threads=threads)
    return Machine(random, texts, replay, rollout, learner)


def make_lookup(preset: Preset, replay: Replay, texts: TextBook, book: CommandBook) -> Lookup:
    """The way that suits the device of the replay."""
    way = NarrowLookup if replay.device.type == "cpu" else FixedLookup
    return way(preset, replay, texts, book)
