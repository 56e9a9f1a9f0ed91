"""What settings mean."""

import pytest
import torch

from gata.errors import UsageError
from gata.rl.replay import Priorities, Replay
from gata.rl.settings import LearningSettings, TrainSettings


def test_epsilon_waits_and_falls() -> None:
    settings = LearningSettings(epsilon_after=500, epsilon_episodes=100, epsilon_end=0.2)
    assert [settings.epsilon(n) for n in (0, 500)] == [1.0, 1.0]
    assert settings.epsilon(550) == pytest.approx(0.6)
    assert settings.epsilon(600) == settings.epsilon(9_000) == pytest.approx(0.2)


def test_the_correction_goes_from_one_power_to_the_other() -> None:
    def powers(*priorities: float) -> list[float]:
        replay = Replay(10, (0,), torch.float32, torch.device("cpu"), Priorities(*priorities))
        return [replay.power(progress) for progress in (0.0, 0.5, 1.0, 2.0)]

    assert powers() == pytest.approx([0.4, 0.7, 1, 1])
    assert powers(0.6, 0.0, 0.0) == [0, 0, 0, 0]
    with pytest.raises(UsageError, match="correction_end is 2, expected 0 to 1"):
        LearningSettings(correction_end=2)


def test_training_sets_by_name() -> None:
    assert TrainSettings(level=2, games="20").training_set == "level2/train/20"
    assert TrainSettings(level=5, games="unlimited").training_set == "level5/unlimited"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"learning_rate": float("nan")}, "learning_rate is nan, expected above 0"),
        ({"learning_rate": -1.0}, "learning_rate is -1.0, expected above 0"),
        ({"clip": 0.0}, "clip is 0.0, expected above 0"),
        ({"bonus": float("nan")}, "bonus is nan, expected 0 or more"),
        ({"push_tolerance": float("inf")}, "push_tolerance is inf, expected 0 or more"),
        ({"learn_after": -1}, "learn_after is -1, expected 0 or more"),
        ({"patience": -1}, "patience is -1, expected 0 or more"),
        ({"priority": 2.0}, "priority is 2.0, expected 0 to 1"),
    ],
)
def test_numbers_out_of_range_are_refused(changes, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        LearningSettings(**changes)


@pytest.mark.parametrize("changes", [{"level": 0}, {"level": 6}, {"seed": -1}])
def test_unknown_levels_and_seeds_are_refused(changes) -> None:
    ((name, value),) = changes.items()
    with pytest.raises(UsageError, match=f"{name} is {value}, expected"):
        TrainSettings(**changes)
