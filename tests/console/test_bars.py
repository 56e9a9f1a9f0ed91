"""Work that is shown while it goes on."""

import os
import pty
import re
import subprocess
import sys
import time

import pytest

from gata import console
from gata.console import bars


def test_tracking_yields_everything() -> None:
    assert list(console.track(iter("abc"), "letters", 3)) == ["a", "b", "c"]


def test_a_pipe_gets_lines_also_while_nothing_moves(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bars, "PLAIN_EVERY_S", 0.001)
    told, patience = "", time.monotonic() + 20
    with console.Bar("training x", 400, done=100) as bar:
        bar.show(130, "valid -")
        while told.count("valid") < 3 and time.monotonic() < patience:
            time.sleep(0.001)
            told += capsys.readouterr().err
    lines = [line for line in told.splitlines() if "valid" in line]
    assert len(lines) >= 2
    for line in lines:
        assert re.fullmatch(
            r"training x: 130/400, \d:\d\d:\d\d gone, \d+:\d\d:\d\d left; valid -", line
        )


def test_a_run_that_goes_on_starts_where_it_was() -> None:
    with console.Bar("training x", 400, done=100) as bar:
        assert (bar.state.counts, bar.state.left) == ("100/400", None)
        bar.show(400)
        assert (bar.state.counts, bar.state.left) == ("400/400", 0.0)


SWEEP = """
from gata import console
with console.Bars() as bars:
    with console.Bar("first", 10, bars) as first:
        with console.Bar("second", 10, bars, done=5) as second:
            second.show(7, "valid 3.0")
            bars._live.refresh()
            assert list(console.track("ab", "inside", 2)) == ["a", "b"]
            console.note("a note [b]")
        first.show(10, "best 4.0")
print("result")
"""


def read_all(leader: int) -> str:
    """What was written to a terminal that nobody writes to any more."""
    sent = b""
    try:
        while some := os.read(leader, 100_000):
            sent += some
    except OSError:  # how Linux tells that all is read
        pass
    return sent.decode()


def screen(sent: str) -> list[str]:
    """What is left on a terminal after control sequences: up, erase the line, back to its start."""
    rows, y, x = [""], 0, 0
    for match in re.finditer(r"\x1b\[([0-9;?]*)([A-Za-z])|(.)", sent, re.DOTALL):
        argument, control, character = match.groups()
        if control == "A":
            y = max(0, y - int(argument or 1))
        elif control == "K":
            rows[y] = ""
        elif character == "\r":
            x = 0
        elif character == "\n":
            y += 1
            rows += [""] * (y + 1 - len(rows))
        elif character:
            rows[y] = rows[y].ljust(x)[:x] + character + rows[y][x + 1 :]
            x += 1
    return [row.rstrip() for row in rows if row.strip()]


def test_a_terminal_keeps_what_became_of_each_run_in_the_order_they_ended() -> None:
    leader, follower = pty.openpty()
    environment = {**os.environ, "COLUMNS": "80", "TERM": "xterm", "NO_COLOR": "1"}
    command = [sys.executable, "-c", SWEEP]
    subprocess.run(command, stdout=follower, stderr=follower, env=environment, check=True)
    os.close(follower)
    lines = screen(read_all(leader))
    assert [line.split()[0] for line in lines] == [
        "inside",
        "a",
        "second",
        "valid",
        "first",
        "best",
        "result",
    ]
    assert lines[1] == "a note [b]"
    assert re.search(r" 7/10 \d:\d\d:\d\d left \d", lines[2])
    assert " 10/10 " in lines[4]


def test_results_go_where_they_belong_while_bars_are_drawn() -> None:
    leader, follower = pty.openpty()
    script = "from gata import console\nwith console.Bar('x', 2): console.print_json([1])"
    environment = {**os.environ, "COLUMNS": "80", "TERM": "xterm"}
    result = subprocess.run(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE, stderr=follower, env=environment, check=True,
    )  # fmt: skip
    os.close(follower)
    assert result.stdout == b"[\n  1\n]\n"
    assert "0/2" in read_all(leader)
