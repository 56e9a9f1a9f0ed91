"""Everything that plays and learns, put together."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from gata.agents.actor import Actor
from gata.agents.commands import CommandBook
from gata.agents.making import Brain
from gata.agents.thinking import Thinking
from gata.engine import VectorEnv
from gata.games.game import Game
from gata.language import vocabulary
from gata.rl.learner import Learner
from gata.rl.looking_up import make_lookup
from gata.rl.replay import Priorities, Replay
from gata.rl.rollout import Rollout
from gata.rl.settings import TrainSettings
from gata.rl.texts import TextBook


@dataclass(frozen=True)
class Machine:
    """The parts of a training."""

    random: np.random.Generator
    """Decides what is explored and what is drawn."""
    texts: TextBook
    replay: Replay
    rollout: Rollout
    learner: Learner


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
