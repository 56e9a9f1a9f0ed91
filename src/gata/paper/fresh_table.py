"""Trained agents on fresh test games, beside what they did on the paper's few."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from gata.errors import GataError
from gata.evaluation.fresh import FreshRecord, read_fresh_records
from gata.evaluation.standing import error_of_mean
from gata.evaluation.statistics import Scores, difference, estimate
from gata.evaluation.table import NOTHING, Table
from gata.paper.beyond import experiment_order
from gata.paper.cells import Cell, Place, Results
from gata.paper.marks import marks_of
from gata.paper.score_tables import estimate_in_words
from gata.paper.scores import BASELINE

OF_ERRORS = (
    "±: the standard error over games, of one trained agent or of the difference of two, who"
    " played the same games: how far other games would move it. Other seeds would move it, too."
)
"""Below the table."""
_COLUMNS = (
    "agent",
    "level",
    "training games",
    "fresh games",
    "score on them",
    "won",
    "score on the paper's test games",
    "points more than Tr-DQN on fresh games",
)

Fresh = Sequence[FreshRecord]
"""Of the seeds of one place."""


def fresh_table(folder: Path, results: Results) -> Table:
    """A row for each agent, level and size of the training set, with a line for each seed.

    Args:
        folder: of the fresh records.
        results: the records of the same runs, for what they did on the paper's test games.
    """
    places: dict[Place, list[FreshRecord]] = {}
    for record in read_fresh_records(folder):
        settings = record.settings
        places.setdefault((settings.agent, settings.level, settings.games), []).append(record)
    for records in places.values():
        records.sort(key=lambda record: record.settings.seed)
        _check(records)
    rows = [
        _row(place, places[place], places, results.cells.get(place, Cell(())))
        for place in sorted(places, key=experiment_order)
    ]
    return Table(_COLUMNS, tuple(rows), (OF_ERRORS,) if rows else ())


def _check(records: Fresh) -> None:
    """See that the seeds are of one experiment and played the same games."""
    first = records[0]
    for other in records[1:]:
        found = list(first.experiment.differences(other.experiment))
        if first.games_sha256 != other.games_sha256:
            found.append("games_sha256")
        if found:
            raise GataError(
                f"{first.name} and {other.name} are seeds of the same agent on fresh games, but"
                f" differ in {', '.join(found)}"
            )


def _row(
    place: Place, records: Fresh, places: Mapping[Place, Fresh], known: Cell
) -> tuple[str, ...]:
    agent, level, games = place
    seeds = [record.settings.seed for record in records]
    marks = marks_of(records)
    same = Cell([record for record in known.records if record.settings.seed in seeds])
    same_seeds = [record.settings.seed for record in same.records]
    baseline = () if agent == BASELINE else places.get((BASELINE, level, games), ())
    return (
        f"`{agent}`",
        str(level),
        games,
        f"{len(records[0].points):,}",
        _each(seeds, _scores(records), marks),
        _each(seeds, np.array([record.successes for record in records]), marks),
        _each(same_seeds, same.test_scores, same.marks) if same else NOTHING,
        _more(records, baseline),
    )


def _scores(records: Fresh) -> Scores:
    return np.array([record.scores for record in records])


def _each(seeds: Sequence[int], scores: Scores, marks: str) -> str:
    """A line for each seed, and one for all of several."""
    lines = [
        f"seed {seed}: {row.mean():.1f}{marks} {_error(row)}"
        for seed, row in zip(seeds, scores, strict=True)
    ]
    if len(seeds) > 1:
        lines.append(f"all: {estimate_in_words(estimate(scores), marks=marks)}")
    return "\n".join(lines)


def _more(records: Fresh, baseline: Fresh) -> str:
    """Points above Tr-DQN on the same games, means over the seeds of both."""
    if not baseline or records[0].games_sha256 != baseline[0].games_sha256:
        return NOTHING
    ours, theirs = _scores(records), _scores(baseline)
    marks = marks_of((*records, *baseline))
    made = difference(ours, theirs)
    if made.enough:
        return estimate_in_words(made, marks=marks, signed=True)
    return f"{made.mean:+.1f}{marks} {_error(ours.mean(0) - theirs.mean(0))}"


def _error(scores: Scores) -> str:
    """Of the mean of games; where all are alike, that does not make it certain."""
    error = error_of_mean(scores)
    return f"± {error:.1f}" if error else "(all alike)"
