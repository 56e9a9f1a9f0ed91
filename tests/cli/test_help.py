"""Help texts: whole sentences, no empty defaults, no settings without effect."""

import re
from collections.abc import Iterator
from dataclasses import fields
from typing import Any, get_type_hints

import pytest

from gata.cli import Commands
from gata.cli.bench_train import MATTERS, BenchTrain
from gata.cli.tree import by_name, chosen, option_names
from gata.rl.settings import LearningSettings
from tests.cli.test_games import run


def help_of(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    """The help of a command as one line, without the frame."""
    code, output, _ = run(capsys, *command, "--help")
    assert code == 0
    return " ".join(re.sub(r"[│╭╮╰╯─]", " ", output).split())


def all_commands(place: Any = Commands, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every command, as it is typed."""
    for name, command in by_name(place).items():
        group = get_type_hints(command, include_extras=True).get("command")
        if group is None:
            yield (*words, name)
        else:
            yield from all_commands(group, (*words, name))


@pytest.mark.parametrize("command", sorted(all_commands()))
def test_options_are_told_in_sentences_of_their_own(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    shown = help_of(capsys, *command)
    assert "(default: )" not in shown
    assert not re.findall(r"\S+, \(default", shown)
    assert not re.findall(r" --\S+ \S+ (?:Of|As for|Whose) .{20}", shown)
    # None is an answer for one option alone.
    assert not re.findall(r"--(?!test-examples)\S+ \S*None", shown)
    assert "settings options" not in shown
    assert "settings.learning" not in shown
    # Who reads of a switch that is off what it is not, may take it for on.
    for option, text in re.findall(r" --(no-\S+) ([^(]*)\(default: True\)", shown):
        assert f"--{option} switches it off" in text


@pytest.mark.parametrize("command", sorted(all_commands()))
def test_options_that_are_offered_are_known(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    code, output, _ = run(capsys, *command, "--help")
    offered = re.findall(r"^[│ ] (?:-\w(?: \S+)?, )?--([a-z][\w-]*)", output, re.MULTILINE)
    found = chosen(Commands, command)
    assert code == 0
    assert found is not None
    assert sorted(offered) == sorted(["help", *option_names(found.kind)])


def test_unusual_names_have_the_usual_ones_beside_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = help_of(capsys, "train")
    for option, term in (
        ("multi-step", "n-step returns"),
        ("discount", "gamma"),
        ("priority", "alpha of prioritised replay"),
        ("correction", "beta of prioritised replay"),
        ("push-tolerance", "tau in the paper"),
        ("epsilon-start", "epsilon"),
    ):
        assert re.search(rf" --{option} [A-Z]+ [^-]*{term}", shown), option


def test_the_letters_in_the_names_of_agents_are_explained(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = help_of(capsys, "agents")
    code, output, errors = run(capsys, "agents")
    assert code == 0
    parts = {part for line in output.splitlines() for part in line.split("\t")[0].split("-")}
    assert {"og", "coc", "gtp", "gtf", "ap", "sp", "dgi", "init", "frozen", "text"} < parts
    for text in (shown, errors):
        explained = {part.lower() for part in re.findall(r"- (\w+): ", text)}
        names_alone = {"agent", "gata", "tr", "dqn", "drqn", "drqn+", "random", "walkthrough"}
        assert parts - names_alone == explained
    assert run(capsys, "agents", "--json")[2] == ""


def test_a_report_without_beliefs(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--no-beliefs Leave out the heat maps" in help_of(capsys, "report")


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
