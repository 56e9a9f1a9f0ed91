"""What the user sees: tables and bars on a terminal, plain lines in a pipe, JSON on request.

Results go to standard output, progress and notes to standard error, so that a pipe carries
results only. A leaf module: every room may import it.
"""

import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from gata.cells import as_text

Item = TypeVar("Item")

_PLAIN_REPORT_EVERY_S = 10.0
"""Without a terminal there is no bar; a line this often says that work goes on."""
_FORECAST_AFTER = 0.05
"""The share of the work after which its pace says something about the rest."""

_silent = False


@contextmanager
def silence(silent: bool = True) -> Iterator[None]:
    """Within, say nothing: for processes whose work another one reports."""
    global _silent
    before, _silent = _silent, silent or _silent
    try:
        yield
    finally:
        _silent = before


def note(message: str) -> None:
    """Tell the user something that is not a result (on standard error)."""
    if _silent:
        return
    Console(stderr=True, highlight=False, soft_wrap=True).print(message, markup=False, emoji=False)


def text(message: str = "") -> None:
    """Print a line of the result."""
    if _silent:
        return
    sys.stdout.write(message + "\n")


def print_json(value: Any) -> None:
    """Print a result for a program to read."""
    text(json.dumps(value, indent=2, ensure_ascii=False))


def table(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    title: str = "",
    as_json: bool = False,
) -> None:
    """Print rows under named columns.

    On a terminal: a drawn table. In a pipe: tab-separated lines under a header line. With
    ``as_json``: a list of objects, values untouched.
    """
    rows = [list(row) for row in rows]
    if as_json:
        print_json([dict(zip(columns, row, strict=True)) for row in rows])
        return
    cells = as_text(rows)
    if _silent or not sys.stdout.isatty():
        text("\t".join(columns))
        for row in cells:
            # A row is one line, whatever its cells hold.
            text("\t".join("; ".join(cell.splitlines()) for cell in row))
        return
    numeric = [
        all(isinstance(row[i], int | float) or row[i] is None for row in rows)
        for i in range(len(columns))
    ]
    # Text objects, not strings: game names hold colons and brackets, which rich would interpret.
    drawn = Table(title=Text(title) if title else None, title_justify="left", header_style="bold")
    for name, is_number in zip(columns, numeric, strict=True):
        # Names are there to be typed again: a narrow terminal breaks them, never cuts them.
        drawn.add_column(Text(name), justify="right" if is_number else "left", overflow="fold")
    for row in cells:
        drawn.add_row(*map(Text, row))
    Console().print(drawn)


class Bars:
    """Several bars on a terminal at once, below each other."""

    def __init__(self) -> None:
        self.progress: Progress | None = None

    def __enter__(self) -> "Bars":
        if sys.stderr.isatty() and not _silent:
            columns = (
                SpinnerColumn(),
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                TextColumn("left"),
                TimeRemainingColumn(),
                TextColumn("{task.fields[remark]}"),
            )
            self.progress = Progress(*columns, console=Console(stderr=True))
            self.progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.progress is not None:
            self.progress.stop()


class Bar:
    """How far along some work is: a bar on a terminal, a line now and then elsewhere."""

    def __init__(self, description: str, total: int, among: Bars | None = None) -> None:
        """A bar of its own, or one ``among`` others."""
        self._description, self._total = description, total
        self._start = self._last_report = time.monotonic()
        self._first: int | None = None
        self._bars, self._is_alone = among or Bars(), among is None
        self._task: TaskID | None = None

    def __enter__(self) -> "Bar":
        if self._is_alone:
            self._bars.__enter__()
        if self._bars.progress is not None:
            self._task = self._bars.progress.add_task(
                escape(self._description), total=self._total, remark=""
            )
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_alone:
            self._bars.__exit__()

    def show(self, done: int, remark: str = "") -> None:
        """Say that ``done`` of the total are done, and something about them."""
        if self._bars.progress is not None and self._task is not None:
            self._bars.progress.update(self._task, completed=done, remark=escape(remark))
            return
        now = time.monotonic()
        if self._first is None:
            # What was done before (a run that goes on) says nothing about the pace.
            self._first = max(0, done - 1)
        if now - self._last_report < _PLAIN_REPORT_EVERY_S:
            return
        self._last_report = now
        line = f"{self._description}: {done}/{self._total}, {now - self._start:.0f} s"
        if done - self._first >= (self._total - self._first) * _FORECAST_AFTER:
            pace = (now - self._start) / (done - self._first)
            line += f", about {pace * (self._total - done):.0f} s left"
        note(f"{line}; {remark}" if remark else line)


def track(items: Iterable[Item], description: str, total: int) -> Iterator[Item]:
    """Yield ``items`` while showing how far along the work is."""
    with Bar(description, total) as bar:
        for done, item in enumerate(items, start=1):
            yield item
            bar.show(done)
