"""``gata play AGENT GAME``: what is printed of a trained agent's values and beliefs."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from gata.agents.stored import save_agent
from gata.agents.transcript import Edge, Moment, watch
from gata.games import load_game
from tests.agents.brains import small_brain
from tests.cli.test_games import run

GAME = "level1/test/56274"
STEPS = 3
LINE = re.compile(
    r"^    (?: *(?P<value>-?\d+\.\d{3})  (?P<command>\S+(?: \S+)*))?"
    r"(?: +(?P<strength>-?\d+\.\d{2})  (?P<edge>\S.*))?$"
)


class Shown(NamedTuple):
    """What is printed at one step: what the game says, and below it what the agent thinks."""

    said: list[str]
    headings: str
    values: list[tuple[str, float]]
    edges: list[tuple[str, float]]
    command: str | None


Told = Callable[..., tuple[list[Shown], list[Moment]]]


@pytest.fixture
def told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Told:
    """What ``gata play`` prints of an agent with some options, and what there is to tell."""

    def play(name: str, *options: str) -> tuple[list[Shown], list[Moment]]:
        path, brain = tmp_path / "agent.safetensors", small_brain(name, tmp_path)
        save_agent(path, brain, {})
        common = ("--step-limit", str(STEPS), "--device", "cpu")
        code, output, errors = run(capsys, "play", str(path), GAME, *common, *options)
        assert (code, errors) == (0, "")
        heading, *steps = re.split(r"^\[\d\] ", output, flags=re.MULTILINE)
        is_told = "Believed edges have values from -1 to 1. The relation names" in heading
        assert is_told == (brain.preset.belief == "continuous" and options[-2:] != ("--edges", "0"))
        assert heading.startswith(f"{name} plays {GAME}\n\n")
        assert heading.count("\n") == (4 if is_told else 2)
        all_edges = "--all-edges" in options
        moments = watch(brain, load_game(GAME), step_limit=STEPS, edges=8, of_all_things=all_edges)
        return [read(step) for step in steps], list(moments)

    return play


def read(step: str) -> Shown:
    lines = step.splitlines()
    (end,) = (n for n, line in enumerate(lines) if line.endswith("/4]"))  # the game's points
    headings, values, edges = "", [], []
    for line in lines[end + 1 :]:
        if not line.startswith("    "):
            continue
        if "value  command" in line or "belief  edge" in line:
            headings = " | ".join(re.split(r" {3,}", line.strip()))
            continue
        found = LINE.match(line)
        assert found, line
        if found["command"]:
            values.append((found["command"], float(found["value"])))
        if found["edge"]:
            edges.append((found["edge"], float(found["strength"])))
    command = lines[-1].removeprefix("> ") if lines[-1].startswith("> ") else None
    said = [*lines[:end], lines[end].rpartition("  [")[0]]
    return Shown(said, headings, values, edges, command)


def rounded(pairs: list[tuple[str, float]], digits: int) -> list[tuple[str, float]]:
    return [(name, pytest.approx(number, abs=0.51 * 10**-digits)) for name, number in pairs]


def in_words(edges: list[Edge]) -> list[tuple[str, float]]:
    return [(edge.triple.in_words(), edge.strength) for edge in edges]


def test_values_and_edges_stand_side_by_side_at_each_step(told: Told) -> None:
    shown, moments = told("gata-coc-text")
    assert len(shown) == len(moments) == STEPS + 1
    for step, moment in zip(shown, moments, strict=True):
        assert step.command == moment.command
        assert step.said == moment.lines
        assert step.values == rounded(moment.values[:5], 3)
        assert len(step.edges) == 8
        assert step.edges == rounded(in_words(moment.edges), 2)
    assert {step.headings for step in shown[:-1]} == {"value  command | belief  edge"}
    assert len(shown[0].said) > 2
    # When the game is over, there is something to believe and nothing to choose.
    assert (shown[-1].headings, shown[-1].command) == ("belief  edge", None)


def test_all_edges_are_told_when_they_are_wanted(told: Told) -> None:
    own, all_of_them = told("gata-coc")[0], told("gata-coc", "--all-edges")
    assert [step.edges for step in all_of_them[0]] == [
        rounded(in_words(moment.edges), 2) for moment in all_of_them[1]
    ]
    assert all(a.edges != b.edges for a, b in zip(own, all_of_them[0], strict=True))


@pytest.mark.parametrize(
    ("options", "headings", "values", "edges"),
    [
        (("--commands", "0"), "belief  edge", 0, 8),
        (("--edges", "0"), "value  command", 5, 0),
        (("--commands", "2", "--edges", "3"), "value  command | belief  edge", 2, 3),
        (("--commands", "0", "--edges", "0"), "", 0, 0),
    ],
)
def test_as_many_are_told_as_are_wanted(
    told: Told, options: tuple[str, ...], headings: str, values: int, edges: int
) -> None:
    shown, moments = told("gata-coc", *options)
    for step, moment in zip(shown[:-1], moments[:-1], strict=True):
        assert step.headings == headings
        assert step.values == rounded(moment.values[:values], 3)
        assert step.edges == rounded(in_words(moment.edges[:edges]), 2)


def test_given_edges_mean_what_they_say(told: Told) -> None:
    """There is nothing to warn of, and the first edges are true."""
    shown, _ = told("gtf")
    assert all(strength == 1 for step in shown for _, strength in step.edges)
    assert shown[0].edges


def test_an_agent_without_beliefs_has_values_alone(told: Told) -> None:
    shown, _ = told("tr-dqn")
    assert [len(step.values) for step in shown] == [5] * STEPS + [0]
    assert not any(step.edges for step in shown)
