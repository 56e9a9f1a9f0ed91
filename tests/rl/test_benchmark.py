"""The benchmark measures every part of playing and learning."""

import pytest
import torch

from gata.rl.benchmark import measure
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
