"""Trained agents on fresh test games, beside what they did on the paper's few."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from gata.errors import GataError
from gata.evaluation.fresh import FreshRecord, read_fresh_records
from gata.evaluation.records import Record
from gata.evaluation.standing import error_of_mean
from gata.evaluation.statistics import Scores, difference, estimate
from gata.evaluation.table import NOTHING, Table
from gata.paper.beyond import experiment_order
from gata.paper.cells import Cell, Place
from gata.paper.marks import marks_of
from gata.paper.score_tables import estimate_in_words
from gata.paper.scores import BASELINE

OF_ERRORS = (
    "±: the standard error over games, of one trained agent or of the difference of two, who"
    " played the same games: how far other games would move it. Other seeds would move it, too."
)
"""Below the table."""
OTHER_GAMES = "other games"
"""Where Tr-DQN played others, so that there is no difference."""
_COLUMNS = (
    "agent",
    "level",
    "trained on",
    "seed",
    "fresh games",
    "score",
    "won",
    "paper's test games",
    "above Tr-DQN",
)

Fresh = Sequence[FreshRecord]
"""Of the seeds of one place."""


def fresh_table(folder: Path, known: Sequence[Record]) -> Table:
    """A row for each trained agent, and one for all seeds of an agent that has several.

    Args:
        folder: of the fresh records.
        known: records of the same runs, for what they did on the paper's test games, and others.
    """
    places: dict[Place, list[FreshRecord]] = {}
    for record in read_fresh_records(folder):
        settings = record.settings
        places.setdefault((settings.agent, settings.level, settings.games), []).append(record)
    for records in places.values():
        records.sort(key=lambda record: record.settings.seed)
        _check(records)
    rows = [
        row for place in sorted(places, key=experiment_order) for row in _rows(place, places, known)
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


def _rows(
    place: Place, places: Mapping[Place, Fresh], known: Sequence[Record]
) -> Iterator[tuple[str, ...]]:
    """One for each seed, and one for all of several."""
    agent, level, games = place
    records = places[place]
    baseline = () if agent == BASELINE else places.get((BASELINE, level, games), ())
    more = _more(records, baseline)
    for record in records:
        same = Cell([other for other in known if _is_of_same_run(record, other)])
        yield (
            f"`{agent}`",
            str(level),
            games,
            str(record.settings.seed),
            _games_in_words(record),
            _mean(record.scores, marks_of([record])),
            _mean(record.successes),
            _mean(same.test_scores[0], same.marks) if same else NOTHING,
            more if len(records) == 1 else "",
        )
    if len(records) > 1:
        score, won = (
            estimate_in_words(estimate(_matrix(records, each)), marks=marks_of(records))
            for each in (_scores, _successes)
        )
        yield f"`{agent}`", str(level), games, "all", "", score, won, "", more


def _is_of_same_run(record: FreshRecord, other: Record) -> bool:
    """Whether it was the same training: one of the same name may be another."""
    return (record.settings, record.trained) == (other.settings, other.date)


def _games_in_words(record: FreshRecord) -> str:
    count = len(record.points)
    different = "" if record.worlds == count else f"\n{record.worlds:,} different"
    return f"{count:,}{different}"


def _scores(record: FreshRecord) -> Scores:
    return record.scores


def _successes(record: FreshRecord) -> Scores:
    return record.successes


def _matrix(records: Fresh, values: Callable[[FreshRecord], Scores]) -> Scores:
    """Of shape (seeds, games)."""
    return np.array([values(record) for record in records])


def _more(records: Fresh, baseline: Fresh) -> str:
    """Points above Tr-DQN on the same games, means over the seeds of both."""
    if not baseline:
        return NOTHING
    if records[0].played != baseline[0].played:
        return OTHER_GAMES
    if records[0].games_sha256 != baseline[0].games_sha256:
        raise GataError(
            f"{records[0].name} and {baseline[0].name} both played {records[0].played}, but differ"
            " in games_sha256"
        )
    ours, theirs = (_matrix(each, _scores) for each in (records, baseline))
    marks = marks_of((*records, *baseline))
    made = difference(ours, theirs)
    if made.enough:
        return estimate_in_words(made, marks=marks, signed=True)
    return f"{made.mean:+.1f}{marks} {_error(ours.mean(0) - theirs.mean(0))}"


def _mean(scores: Scores, marks: str = "") -> str:
    return f"{scores.mean():.1f}{marks} {_error(scores)}"


def _error(scores: Scores) -> str:
    """Of the mean of games; where all are alike, that does not make it certain."""
    error = error_of_mean(scores)
    return f"± {error:.1f}" if error else "(all alike)"
