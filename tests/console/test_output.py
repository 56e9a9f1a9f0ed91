"""Results and notes, on a terminal and in a pipe."""

import json
import os
import pty
import subprocess
import sys

import pytest

from gata import console


def test_a_pipe_gets_plain_lines(capsys: pytest.CaptureFixture[str]) -> None:
    console.table(["a", "b"], [["my.games:apple:x", 1.25], [None, True]], title="ignored")
    assert capsys.readouterr().out == "a\tb\nmy.games:apple:x\t1.2\n-\tyes\n"


def test_a_row_is_one_line_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    console.table(["a", "b"], [["one\ntwo", ""], ["", "three"]])
    assert capsys.readouterr().out == "a\tb\none; two\t\n\tthree\n"


def test_json_keeps_values(capsys: pytest.CaptureFixture[str]) -> None:
    console.table(["a"], [[1.2345], [None]], as_json=True)
    assert json.loads(capsys.readouterr().out) == [{"a": 1.2345}, {"a": None}]


def test_notes_are_printed_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    console.note("my.games:apple:x [bold]")
    captured = capsys.readouterr()
    assert captured.err == "my.games:apple:x [bold]\n"
    assert not captured.out


def on_a_terminal(call: str, columns: int) -> str:
    """What a call shows on a terminal so wide."""
    leader, follower = pty.openpty()
    script = f"from gata import console; {call}"
    environment = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm"}
    subprocess.run([sys.executable, "-c", script], stdout=follower, env=environment, check=True)
    os.close(follower)
    return os.read(leader, 10_000).decode()


def test_a_terminal_gets_a_drawn_table() -> None:
    shown = on_a_terminal("console.table(['game'], [['my.games:apple:x [b]']])", columns=80)
    assert "my.games:apple:x [b]" in shown
    assert "┃" in shown


def test_a_narrow_terminal_leaves_some_columns_whole() -> None:
    call = "console.table(['a', 'b'], [['a-name-with-many-letters', 12 * 'word ']], unbroken={})"
    for unbroken, is_whole in (((), False), (("a",), True)):
        shown = on_a_terminal(call.format(unbroken), columns=40)
        assert ("a-name-with-many-letters" in shown) == is_whole
        assert shown.count("word") == 12


def test_a_full_disk_is_an_error_not_a_traceback() -> None:
    with open("/dev/full", "w") as full:  # noqa: PTH123
        result = subprocess.run(
            [sys.executable, "-m", "gata", "games", "list"],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
    assert "No space left on device" in result.stderr


def test_silence_drops_everything_and_ends(capsys: pytest.CaptureFixture[str]) -> None:
    with console.silence(), console.silence(False):
        console.note("note")
        console.text("text")
        console.table(["a"], [[1]])
        console.table(["a"], [[1]], as_json=True)
        with console.Bar("bar", 2) as bar:
            bar.show(1)
    assert capsys.readouterr() == ("", "")
    console.text("text")
    assert capsys.readouterr().out == "text\n"
