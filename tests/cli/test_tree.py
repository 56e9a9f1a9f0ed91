"""What was typed: commands that are none, and the options in errors about settings."""

import pytest

from gata.errors import UsageError
from gata.rl.settings import LearningSettings
from tests.cli.test_games import run


def refusal(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], told: str) -> str:
    """What is printed of bad use, which begins as is told."""
    code, output, errors = run(capsys, *words)
    assert (code, output) == (2, "")
    assert errors.startswith(f"gata: {told}")
    return errors


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("trian",), "no command is called 'trian' (did you mean train?); `gata --help` lists"),
        (("xyz",), "no command is called 'xyz'; `gata --help` lists them"),
        (
            ("games", "lst", "level1"),
            "no command is called 'games lst' (did you mean list?); `gata games --help` lists them",
        ),
        (
            ("train", "--agent", "gtf", "--episode=5"),
            "no option is called --episode (did you mean --episodes?); `gata train --help` lists",
        ),
        (
            ("games", "list", "level1", "--xyz"),
            "no option is called --xyz; `gata games list --help` lists them",
        ),
    ],
)
def test_what_is_no_command_or_option(
    words: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refusal(capsys, words, told).count("\n") == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("train", "--learning-rate", "0"), "--learning-rate is 0.0, expected above 0"),
        (("train", "--parallel", "100000"), "--replay is 500000, expected 5100000 or more: all"),
        (("pretrain", "text_og", "--steps", "0"), "text-og: --steps is 0, expected 1 or more"),
        (("probe", "--seeds", "1", "1"), "--seeds are [1, 1], expected"),
        (("sweep", "--agents", "tr-dqn", "--levels", "1", "9"), "--levels: level is 9, expected 1"),
        # What is no option of the command keeps its name.
        (("games", "make", "recipe9", "--seeds", "1", "--output", "x.games"), "setting: recipe is"),
    ],
)
def test_errors_about_settings_name_the_option(
    words: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    refusal(capsys, words, told)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("train", "--games", "50"), "--games is 50, expected one of 1, 20, 100, unlimited"),
        (("train", "--games=50"), "--games is 50, expected one of 1, 20, 100, unlimited"),
        (("sweep", "--agents", "gtf", "--games", "20", "5"), "--games is 5, expected one of 1, 20"),
        (("evaluate", "random", "--split", "tset"), "--split is tset, expected one of train, v"),
        (("evaluate", "random", "--level", "x"), "--level is x, expected a whole number"),
        (("train", "--learning_rate", "fast"), "--learning-rate is fast, expected a number"),
        (
            ("probe", "--seeds", "1", "coc"),
            "--seeds is coc, expected a whole number; a name goes first: gata probe coc --seeds",
        ),
    ],
)
def test_values_of_another_kind_are_told_in_a_line(
    words: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refusal(capsys, words, told).count("\n") == 1


def test_the_last_of_several_values_may_be_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--output", "x.games", "--seeds", "1", "2", "recipe9")
    code, _, errors = run(capsys, "games", "make", *words)
    assert code == 2
    assert errors.startswith("gata: setting: recipe is 9")


def test_in_python_settings_keep_their_names() -> None:
    with pytest.raises(UsageError, match=r"^learning_rate is 0, expected above 0$"):
        LearningSettings(learning_rate=0)
