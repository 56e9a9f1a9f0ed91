"""What a training says when it begins, and only then: it is short, an option does nothing."""

from pathlib import Path

import pytest

from gata.agents.presets import PRESETS
from gata.cli.cautions import tell_if_idle, tell_if_short
from gata.rl.settings import LearningSettings
from tests.cli.test_games import run
from tests.rl.test_learner import found_errors, played

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


OTHER_VALUES = {"multi_step": 2, "window": 9, "burn_in": 2, "bonus": 2.0, "bonus_discount": 0.9}
"""Settings that not every agent looks at, with values that are no defaults."""

BONUS = "it has no bonus for new observations"
IDLE = {
    "tr-dqn": {
        "window": "it has no memory",
        "burn_in": "it has no memory",
        "bonus": BONUS,
        "bonus_discount": BONUS,
    },
    "tr-drqn": {
        "multi_step": "it has a memory, and so returns of 1 step",
        "bonus": BONUS,
        "bonus_discount": BONUS,
    },
    "tr-drqn+": {
        "multi_step": "it has a memory, and so returns of 1 step",
        "bonus_discount": "it has a memory, and so returns of 1 step",
    },
}


@pytest.mark.parametrize("setting", OTHER_VALUES)
@pytest.mark.parametrize("agent", IDLE)
def test_what_is_told_to_do_nothing_does_nothing(
    agent: str, setting: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And what is not told changes what an update learns."""
    change = {setting: OTHER_VALUES[setting]}
    tell_if_idle(LearningSettings(**change), {tmp_path / "run": PRESETS[agent]})
    reason = IDLE[agent].get(setting)
    option = f"--{setting.replace('_', '-')}"
    expected = f"{option} does nothing for {agent}: {reason}\n" if reason else ""
    assert capsys.readouterr().err == expected
    usual, changed = (
        found_errors(played(agent, tmp_path, **settings)) for settings in ({}, change)
    )
    assert (usual == changed) == (reason is not None)


def test_defaults_are_never_told_to_do_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for preset in PRESETS.values():
        tell_if_idle(LearningSettings(batch=32, discount=0.5), {tmp_path: preset})
    assert capsys.readouterr().err == ""


def test_agents_that_have_the_same_reason_share_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agents = ("tr-dqn", "tr-drqn", "gtf")
    runs = {tmp_path / f"{name}-{seed}": PRESETS[name] for name in agents for seed in (1, 2)}
    tell_if_idle(LearningSettings(window=9, multi_step=2), runs)
    assert capsys.readouterr().err == (
        "--window does nothing for tr-dqn, gtf: they have no memory\n"
        "--multi-step does nothing for tr-drqn: it has a memory, and so returns of 1 step\n"
    )
    for seed in (1, 2):
        begun = tmp_path / f"tr-dqn-{seed}"
        begun.mkdir()
        (begun / "settings.json").touch()
    tell_if_idle(LearningSettings(window=9), runs)
    assert capsys.readouterr().err == "--window does nothing for gtf: it has no memory\n"


@pytest.mark.parametrize(
    "command",
    [
        ("train", "--agent", "tr-dqn", "-o", "runs/train/own"),
        ("sweep", "--agents", "tr-dqn", "--seeds", "1"),
        ("reproduce", "--rows", "tr-dqn", "--levels", "1", "--seeds", "1", "--results", "mine"),
    ],
    ids=lambda command: command[0],
)
def test_every_command_that_trains_tells_what_does_nothing(
    command: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    games = ("--games", "20") if command[0] == "reproduce" else ()
    arguments = (*command, *SHORT, *games, "--window", "9")
    told = "--window does nothing for tr-dqn: it has no memory\n"
    code, _, errors = run(capsys, *arguments)
    assert (code, errors.count(told)) == (0, 1)
    code, _, errors = run(capsys, *arguments)
    assert (code, errors.count(told)) == (0, 0)


def test_keeping_what_is_not_scouted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = {tmp_path / "run": PRESETS["tr-dqn"]}
    tell_if_idle(LearningSettings(scout_keep=7), runs)
    told = "--scout-keep does nothing: without --scout-episodes nothing is scouted\n"
    assert capsys.readouterr().err == told
    tell_if_idle(LearningSettings(scout_keep=7, scout_episodes=10), runs)
    assert capsys.readouterr().err == ""
