"""What settings mean."""

from dataclasses import asdict

import pytest
import torch

from gata.errors import UsageError
from gata.rl.replay import Priorities, Replay
from gata.rl.settings import LearningSettings, TrainSettings

PAPER = {
    "episodes": 100_000,
    "step_limit": 50,
    "parallel": 25,
    "update_every": 50,
    "learn_after": 100,
    "batch": 64,
    "learning_rate": 0.001,
    "clip": 5.0,
    "discount": 0.9,
    "multi_step": 3,
    "bootstrap_time_outs": False,
    "epsilon_start": 1.0,
    "epsilon_end": 0.1,
    "epsilon_after": 0,
    "epsilon_episodes": 20_000,
    "replay": 500_000,
    "priority": 0.6,
    "correction": 0.4,
    "correction_end": 1.0,
    "push_tolerance": 0.1,
    "scout_episodes": 0,
    "target_every": 500,
    "evaluate_every": 1_000,
    "patience": 3,
    "window": 8,
    "burn_in": 4,
    "bonus": 0.1,
    "bonus_discount": 0.5,
}
"""Algorithm 1 and the appendix; what the paper does not have (scouting) is off."""


def test_defaults_are_those_of_the_paper() -> None:
    settings = asdict(TrainSettings().learning)
    assert {name: settings[name] for name in PAPER} == PAPER
    assert asdict(LearningSettings()) == settings


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
