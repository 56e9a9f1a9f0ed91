"""A training that is short for its settings says so when it begins, and only then."""

from pathlib import Path

import pytest

from gata.cli.cautions import tell_if_short
from gata.rl.settings import LearningSettings
from tests.cli.test_games import run

QUICK = ("--step-limit", "6", "--parallel", "2", "--replay", "100", "--games", "1")
SHORT = ("--episodes", "4", *QUICK, "--device", "cpu")
WHY = (
    "4 episodes are few for these settings: nothing is learnt (--learn-after 100);"
    " 100% of the commands are random even in the end (--epsilon-after 0,"
    " --epsilon-episodes 20000); the only evaluation is at the end (--evaluate-every 1000)\n"
)


def test_a_short_training(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    command = ("train", "--agent", "tr-dqn", *SHORT, "-o", str(folder))
    code, _, errors = run(capsys, *command)
    assert code == 0
    assert errors.startswith(f"{folder}: {WHY}")
    code, _, errors = run(capsys, *command)
    assert (code, "are few" in errors) == (0, False)


def test_a_short_sweep(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ("sweep", "--agents", "tr-dqn", "--seeds", "1", *SHORT, "-o", str(tmp_path))
    code, _, errors = run(capsys, *command)
    assert code == 0
    assert errors.startswith(f"{tmp_path}: {WHY}")
    assert errors.count("are few") == 1


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({}, []),
        ({"episodes": 20_000}, []),
        ({"episodes": 19_999}, ["10% of the commands"]),
        ({"episodes": 20_000, "epsilon_after": 10_000}, ["55% of the commands"]),
        ({"episodes": 20_000, "epsilon_after": 1, "epsilon_start": 0.1}, []),
        ({"episodes": 20_000, "evaluate_every": 20_001}, ["the only evaluation"]),
        ({"episodes": 20_000, "evaluate_every": 20_000, "learn_after": 20_000}, []),
        ({"episodes": 20_000, "learn_after": 20_001}, ["nothing is learnt"]),
    ],
)
def test_what_does_not_happen_in_time(
    settings: dict[str, int], told: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tell_if_short(LearningSettings(**settings), [tmp_path / "run"], tmp_path)
    errors = capsys.readouterr().err
    known = ("% of the commands", "the only evaluation", "nothing is learnt")
    assert [part for part in told if part not in errors] == []
    assert sum(part in errors for part in known) == len(told)
