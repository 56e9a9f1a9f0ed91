"""The benchmark measures every part of playing and learning."""

import pytest
import torch

from gata.rl.benchmark import measure
from gata.rl.machine import Machine, assemble
from gata.rl.settings import TrainSettings
from tests.rl.tiny import learning


def test_all_parts_are_measured(monkeypatch) -> None:
    monkeypatch.setattr("gata.rl.benchmark.FILL", 40)
    settings = TrainSettings(agent="tr-dqn", level=2, games="1", learning=learning(parallel=2))
    speed = measure(settings, torch.device("cpu"), 1)
    assert speed[:3] == ("tr-dqn", settings.level, 2)
    assert all(value > 0 for value in speed[3:])
    a_step = speed.play_ms / 2 + speed.update_ms / settings.learning.update_every
    assert speed.steps_per_s == pytest.approx(1000 / a_step)
    per_episode = speed.episodes_per_s * settings.learning.step_limit
    assert per_episode == pytest.approx(speed.steps_per_s)


def test_a_replay_that_is_smaller_than_what_fills_it_is_filled() -> None:
    small = learning(parallel=2, step_limit=6, replay=14)
    settings = TrainSettings(agent="tr-dqn", games="1", learning=small)
    assert measure(settings, torch.device("cpu"), 1).update_ms > 0


def test_what_updates_learn_from_was_played(monkeypatch) -> None:
    """A step of an episode tells the command that was taken in the step before it."""
    machines = []

    def noted(*arguments) -> Machine:
        machines.append(assemble(*arguments))
        return machines[-1]

    monkeypatch.setattr("gata.rl.benchmark.assemble", noted)
    monkeypatch.setattr("gata.rl.benchmark.FILL", 1)
    few = learning(parallel=4, step_limit=6)
    measure(TrainSettings(agent="gtf", games="1", learning=few), torch.device("cpu"), 8)
    (machine,) = machines
    steps, size = machine.replay.steps, machine.replay.size
    taken = steps.candidates[:size].gather(1, steps.choices[:size, None].long()).squeeze(1)
    goes_on = steps.episodes[1:size] == steps.episodes[: size - 1]
    assert goes_on.sum() > 9
    assert torch.equal(steps.previous[1:size][goes_on], taken[:-1][goes_on])
    assert ((steps.beliefs[:size] >= 0).sum(1) > 0).all(), "a state was never noted"
