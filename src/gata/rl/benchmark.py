"""How fast agents play and learn on the device at hand."""

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch

from gata.agents.making import make_brain
from gata.agents.presets import find
from gata.games.store import load_level
from gata.rl.machine import Machine, assemble
from gata.rl.settings import TrainSettings
from gata.training.capture import Captured
from gata.training.device import get_ready

WARM_UP = 4
"""Rounds before the clock starts,"""
CAPTURING_WARM_UP = 40
"""and where they are captured: each width that texts come in is, when it is met for the third
time."""
FILL = 2_000
"""Steps in the replay before updates are measured, if it has room for so many. Every game has been
to its end by then: episodes that end early are not like the others."""
EXPLORING = 0.1
"""Epsilon of the measured play: as in most of a training."""


class Speed(NamedTuple):
    """Of one agent; times are medians, of all parallel games together."""

    agent: str
    level: int
    """Of the games."""
    parallel: int
    engine_ms: float
    """A step of the games."""
    belief_ms: float
    """Bringing the beliefs up to date."""
    act_ms: float
    """Valuing the candidates."""
    play_ms: float
    """A step of play as a whole, bookkeeping included."""
    sample_ms: float
    """Drawing a batch, and adding up what its steps brought."""
    update_ms: float
    """An update as a whole, sampling included."""
    steps_per_s: float
    """Steps of games in training, with their share of updates."""
    episodes_per_s: float
    """The same for episodes that last as long as they can."""


def measure(settings: TrainSettings, device: torch.device, rounds: int) -> Speed:
    """Play and learn with a clock.

    Args:
        settings: who learns what; its replay is filled by random play first.
        device: where.
        rounds: how many times each part is measured.
    """
    get_ready(device)
    brain = make_brain(find(settings.agent), seed=settings.seed, device=device)
    learning = settings.learning
    machine = assemble(settings, brain, load_level(settings.level, "train", int(settings.games)))
    played = 0
    while machine.replay.size < min(FILL, learning.replay) or played <= learning.step_limit:
        machine.rollout.step(1.0)
        played += 1
    learner, random = machine.learner, machine.random
    sampling = Captured(lambda chance: (learner.sample(chance).places,), device)

    def sample() -> None:
        sampling(learner.chance(random, 0.5), version=learner.lookup.version)

    engine, belief, act = _parts_of_play(machine, device, rounds)
    play = _median(lambda: machine.rollout.step(EXPLORING), device, rounds)
    update = _median(lambda: learner.learn(random, 0.5), device, rounds)
    step = play / learning.parallel + update / learning.update_every
    return Speed(
        agent=settings.agent,
        level=settings.level,
        parallel=learning.parallel,
        engine_ms=1000 * engine,
        belief_ms=1000 * belief,
        act_ms=1000 * act,
        play_ms=1000 * play,
        sample_ms=1000 * _median(sample, device, rounds),
        update_ms=1000 * update,
        steps_per_s=1 / step,
        episodes_per_s=1 / step / learning.step_limit,
    )


def _parts_of_play(machine: Machine, device: torch.device, rounds: int) -> list[float]:
    """Seconds of the engine, of belief and of acting.

    What is played for that is in nobody's notes, so the rollout is then put back where it was.
    """
    before = machine.rollout.tensors()
    env, actor = machine.rollout.env, machine.rollout.actor
    warm_up = _warm_up(device)
    times = np.zeros((warm_up + rounds, 3))
    for row in times:
        outputs = env.outputs
        start = _now(device)
        situation = actor.observe(outputs)
        observed = _now(device)
        best = actor.values(situation).argmax(1).cpu().numpy()
        acted = _now(device)
        env.step_candidates(best)
        row[:] = _now(device) - acted, observed - start, acted - observed
        actor.did(situation.candidates[np.arange(env.batch), best])
    machine.rollout.restore(before)
    medians: list[float] = np.median(times[warm_up:], axis=0).tolist()
    return medians


def _median(work: Callable[[], object], device: torch.device, rounds: int) -> float:
    times = []
    warm_up = _warm_up(device)
    for _ in range(warm_up + rounds):
        start = _now(device)
        work()
        times.append(_now(device) - start)
    return float(np.median(times[warm_up:]))


def _warm_up(device: torch.device) -> int:
    return CAPTURING_WARM_UP if device.type == "cuda" else WARM_UP


def _now(device: torch.device) -> float:
    """The time when the device is through."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    return time.perf_counter()
