"""Bars as they stand on a terminal."""

import io

import pytest
from rich.console import Console

from gata.console.drawing import Drawn, State, clock, shorten

REMARK = "215 episodes/s, 203 updates/s, epsilon 0.10, train 23.0, valid 41.2, best 45.0"
NAME = "training gata-coc-text-level1-100games-seed"


def drawn(width: int, *states: State) -> list[str]:
    """The lines on a terminal so wide."""
    stream = io.StringIO()
    console = Console(file=stream, width=width, force_terminal=True, color_system=None)
    console.print(Drawn(states))
    return [line.rstrip() for line in stream.getvalue().splitlines()]


def state(number: int = 1, done: int = 1_234, left: float | None = 9_999.0) -> State:
    return State(f"{NAME}{number}", done, 100_000, 123.4, left, REMARK)


@pytest.mark.parametrize("width", [80, 130])
def test_nothing_is_pushed_out(width: int) -> None:
    line, remark = drawn(width, state())
    assert line.endswith(" 1234/100000 0:02:03 left 2:46:39")
    assert line.startswith("training gata-coc-")
    assert "seed1 ━" in drawn(width, state(done=60_000))[0]
    assert remark == f"  {REMARK}"
    assert max(len(line), len(remark)) <= width


@pytest.mark.parametrize("width", [30, 60, 76])
def test_a_narrow_terminal_wraps(width: int) -> None:
    lines = drawn(width, state())
    assert max(map(len, lines)) <= width
    words = " ".join(" ".join(lines).split())
    for part in ("1234/100000", "0:02:03", "left", "2:46:39", REMARK):
        assert part in words


def test_bars_of_several_runs_stand_below_each_other() -> None:
    lines = drawn(80, state(1, left=None), state(2, done=100_000), state(3)._replace(remark=""))
    of_bars = lines[::2]
    assert len({line.index(" left ") for line in of_bars}) == 1
    assert len({line.index("-seed") for line in of_bars}) == 1
    assert [line.split("-seed")[1][0] for line in of_bars] == ["1", "2", "3"]
    assert lines[1] == lines[3] == f"  {REMARK}"
    assert lines[0].endswith("left -:--:--")
    assert "━━━━━━━━ 100000/100000" in lines[2]


def test_names_are_printed_as_they_are() -> None:
    (line,) = drawn(80, State("a [b] :apple:", 1, 2, 0.0, None, ""))
    assert line.startswith("a [b] :apple:")


def test_no_bars_are_no_lines() -> None:
    assert not drawn(80)


def test_names_lose_their_middle() -> None:
    assert shorten("abcdefgh", 8) == "abcdefgh"
    assert shorten("abcdefgh", 7) == "abc…fgh"
    assert shorten("abcdefgh", 4) == "ab…h"


def test_clock() -> None:
    assert clock(None) == "-:--:--"
    assert [clock(s) for s in (0.4, 59.6, 3_661, 360_000)] == [
        "0:00:00", "0:01:00", "1:01:01", "100:00:00",
    ]  # fmt: skip
