"""Results and notes: tables on a terminal, plain lines in a pipe, JSON on request."""

import json
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console, JustifyMethod
from rich.table import Table
from rich.text import Text

from gata.cells import as_text

errors = Console(stderr=True, highlight=False)
"""Notes and bars share it, so that a note comes above the bars, not into them."""

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


def is_silent() -> bool:
    """Whether nothing is to be said."""
    return _silent


def note(message: str) -> None:
    """Tell the user something that is not a result (on standard error)."""
    if _silent:
        return
    errors.print(message, markup=False, emoji=False, soft_wrap=True)


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
    unbroken: Collection[str] = (),
) -> None:
    """Print rows under named columns.

    On a terminal: a drawn table, where narrow ones break no cell of the columns ``unbroken``. In a
    pipe: tab-separated lines under a header line. With ``as_json``: a list of objects, values
    untouched.
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
        side: JustifyMethod = "right" if is_number else "left"
        drawn.add_column(Text(name), justify=side, overflow="fold", no_wrap=name in unbroken)
    for row in cells:
        drawn.add_row(*map(Text, row))
    Console().print(drawn)
