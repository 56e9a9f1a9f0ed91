"""Marks in tables: what a number is made of that its row and column do not say."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from gata.evaluation.fresh import FreshRecord
from gata.evaluation.records import Record
from gata.evaluation.table import Table

DEPARTS = "†"
MIXED = "‡"
LENIENT = "§"
UNPRINTED = "¶"

LEGENDS: Mapping[str, str] = {
    DEPARTS: "was not run with the paper's learning settings",
    MIXED: (
        "made of runs with different numbers of games at once (`--parallel`); how much that"
        " matters was measured for one agent only (docs/results.md, Controls)"
    ),
    LENIENT: (
        "ours counts every option with the right outcome as right, the authors' code one of them:"
        " ours is the more lenient measure"
    ),
    UNPRINTED: (
        "the paper does not print its number, which stands in a comment of its LaTeX source"
    ),
}
"""What each mark says of the number or the metric before it."""


def marks_of(records: Iterable[Record | FreshRecord]) -> str:
    """The marks of what is made of these runs."""
    runs = tuple(records)
    true_of = {
        DEPARTS: any(run.departures() for run in runs),
        MIXED: len({run.settings.learning.parallel for run in runs}) > 1,
    }
    return "".join(mark for mark, holds in true_of.items() if holds)


def explained(table: Table) -> Table:
    """The table, with a note for each mark in it."""
    cells = [cell for row in table.rows for cell in row]
    legends = (
        f"{mark}: {legend}."
        for mark, legend in LEGENDS.items()
        if any(mark in cell for cell in cells)
    )
    return replace(table, notes=(*table.notes, *legends))
