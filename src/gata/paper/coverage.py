"""Which experiments were run, with which seeds, on what, and with which code."""

from collections.abc import Iterable, Sequence

from gata.evaluation.records import Record
from gata.evaluation.table import NOTHING, Table
from gata.paper.beyond import experiment_order
from gata.paper.cells import Results
from gata.paper.hardware import short_name
from gata.paper.scores import LEVELS

_DIGITS = 8
"""Of a fingerprint, which is enough to tell a few of them apart."""


def coverage_table(results: Results) -> Table:
    """A row per agent and training set; a cell tells the seeds by their hardware, and the codes."""
    rows = dict.fromkeys(
        (agent, games) for agent, _, games in sorted(results.cells, key=experiment_order)
    )
    made = [
        (f"`{agent}`", games, *(_cell(results, agent, level, games) for level in LEVELS))
        for agent, games in rows
    ]
    levels = (f"level {level}" for level in LEVELS)
    return Table(("agent", "training games", *levels), tuple(made))


def _cell(results: Results, agent: str, level: int, games: str) -> str:
    cell = results.cells.get((agent, level, games))
    if cell is None:
        return NOTHING
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
