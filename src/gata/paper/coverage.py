"""Which experiments were run, with which seeds, on what, and with which code."""

from collections.abc import Iterable, Sequence

from gata.evaluation.records import Record
from gata.evaluation.table import Table
from gata.paper.by_level import by_level
from gata.paper.cells import Cell, Results
from gata.paper.hardware import short_name

_DIGITS = 8
"""Of a fingerprint, which is enough to tell a few of them apart."""


def coverage_table(results: Results) -> Table:
    """A row per agent and training set; a cell tells the seeds by their hardware, and the codes."""
    return by_level(results, _cell)


def _cell(cell: Cell) -> str:
    kinds: dict[str, list[Record]] = {}
    for record in cell.records:
        kinds.setdefault(record.hardware, []).append(record)
    seeds = [f"{short_name(kind)}: {_seeds(records)}" for kind, records in sorted(kinds.items())]
    return "\n".join([*seeds, _codes(cell.records)])


def _seeds(records: Sequence[Record]) -> str:
    return ", ".join(str(record.settings.seed) for record in records)


def _codes(records: Iterable[Record]) -> str:
    codes = {record.code for record in records}
    known = sorted(f"`{code[:_DIGITS]}`" for code in codes if code is not None)
    return "code " + ", ".join([*known, *(["not recorded"] if None in codes else [])])
