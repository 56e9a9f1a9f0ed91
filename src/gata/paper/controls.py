"""What a learning setting does: runs that change it, beside those of the tables."""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from statistics import fmean

from gata.evaluation.record_files import read_records
from gata.evaluation.records import Record
from gata.evaluation.statistics import Scores, difference, estimate
from gata.evaluation.table import NOTHING, Table
from gata.paper.beyond import experiment_order
from gata.paper.cells import Cell, Results
from gata.paper.marks import MIXED, marks_of
from gata.paper.score_tables import OF_DIFFERENCES, estimate_in_words

RECORDS = "*/agents"
"""Of the controls among their raw results: a folder for each kind of change."""
_COLUMNS = (
    "agent",
    "level",
    "training games",
    "changed",
    "seeds",
    "updates",
    "training score",
    "test score",
    "points more",
)


def controls_table(folder: Path, results: Results) -> Table:
    """A row for each experiment: its scores, and below them those of the unchanged runs.

    Args:
        folder: holds a folder for each kind of change, with records in its ``agents/``.
        results: the runs of the tables, which the controls stand beside.
    """
    rows = [
        _row(control, results.cells.get(place, Cell(())))
        for records in sorted(folder.glob(RECORDS))
        for place, control in sorted(
            Results.read(records).cells.items(), key=lambda item: experiment_order(item[0])
        )
    ]
    return Table(_COLUMNS, tuple(rows), (OF_DIFFERENCES,) if rows else ())


def control_records(folder: Path) -> list[Record]:
    """All records of controls; ``folder`` as of ``controls_table``."""
    return [record for records in sorted(folder.glob(RECORDS)) for record in read_records(records)]


def _row(control: Cell, usual: Cell) -> tuple[str, ...]:
    """Where there is no other run, a control is beside nothing, and its change is the paper's."""
    first = control.records[0]
    return (
        f"`{first.settings.agent}`",
        str(first.settings.level),
        first.settings.games,
        f"{', '.join(_changes(control, usual)) or 'nothing'}\nunchanged",
        _beside(*(str(len(cell.records)) if cell else "" for cell in (control, usual))),
        _beside(*(_updates(cell.records) for cell in (control, usual))),
        _beside(*(_score(cell, cell.training_scores) for cell in (control, usual))),
        _beside(*(_score(cell, cell.test_scores) for cell in (control, usual))),
        _difference(control, usual),
    )


def _changes(control: Cell, usual: Cell) -> list[str]:
    """What is not as in the other runs; games at once are no setting of learning, but told here."""
    first = control.records[0]
    if not usual:
        return first.departures()
    found = first.experiment.changes(usual.records[0].experiment)
    return [*found, *_parallel_change(control, usual)]


def _parallel_change(control: Cell, usual: Cell) -> list[str]:
    """The one there is, in words, if all runs of a side play as many games at once."""
    ours, theirs = map(_parallel, (control, usual))
    if None in (ours, theirs) or ours == theirs:
        return []
    return [f"parallel {ours}, not {theirs}"]


def _parallel(cell: Cell) -> int | None:
    """Games at once, if all runs have as many."""
    numbers = {record.settings.learning.parallel for record in cell.records}
    return numbers.pop() if len(numbers) == 1 else None


def _beside(ours: str, usual: str) -> str:
    """In two lines, like what was changed and "unchanged"."""
    return f"{ours or NOTHING}\n{usual or NOTHING}"


def _updates(records: Sequence[Record]) -> str:
    """How often the weights were changed, on average over the seeds."""
    return f"{fmean(record.updates for record in records):,.0f}" if records else ""


def _score(cell: Cell, scores: Scores) -> str:
    return estimate_in_words(estimate(scores), marks=cell.marks) if scores.size else ""


def _difference(control: Cell, usual: Cell) -> str:
    """Of test scores on the same games."""
    if not usual:
        return NOTHING
    made = difference(control.test_scores, usual.test_scores)
    marks = marks_of(chain(control.records, usual.records))
    if _parallel_change(control, usual):  # which the row says
        marks = marks.replace(MIXED, "")
    return estimate_in_words(made, marks=marks, signed=True)
