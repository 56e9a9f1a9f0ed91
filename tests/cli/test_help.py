"""Help texts: whole sentences, no empty defaults, no settings without effect."""

import re
from dataclasses import fields

import pytest

from gata.cli.bench_train import MATTERS, BenchTrain
from gata.rl.settings import LearningSettings
from tests.cli.test_games import run


def help_of(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    """The help of a command as one line, without the frame."""
    code, output, _ = run(capsys, *command, "--help")
    assert code == 0
    return " ".join(re.sub(r"[│╭╮╰╯─]", " ", output).split())


@pytest.mark.parametrize(
    "command",
    [
        ("games", "make"),
        ("models", "verify"),
        ("pretrain", "eval"),
        ("train",),
        ("evaluate",),
        ("play",),
        ("bench", "pretrain"),
        ("bench", "train"),
    ],
)
def test_no_option_ends_in_mid_sentence_or_has_an_empty_default(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    shown = help_of(capsys, *command)
    assert "(default: )" not in shown
    assert not re.findall(r"\S+, \(default", shown)


def test_the_benchmark_of_training_asks_for_nothing_it_does_not_use(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = help_of(capsys, "bench", "train")
    usual = LearningSettings()
    for field in fields(LearningSettings):
        option = "--" + field.name.replace("_", "-")
        assert (f" {option} " in shown) == (field.name in MATTERS), option
    assert all(getattr(BenchTrain(), name) == getattr(usual, name) for name in MATTERS)


def test_a_benchmark_of_nobody(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, errors = run(capsys, "bench", "train", "--agents")
    assert (code, errors) == (2, "gata: --agents is empty, expected at least one\n")


def test_the_quick_start_names_what_it_compares_with(capsys: pytest.CaptureFixture[str]) -> None:
    shown = help_of(capsys, "quickstart")
    assert "a random agent, a walkthrough agent and the shipped, fully trained agent" in shown
