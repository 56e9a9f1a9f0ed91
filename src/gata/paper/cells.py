"""Our results in the places of the paper's tables."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import numpy as np

from gata.agents.playing import Episode
from gata.errors import GataError
from gata.evaluation.record_files import read_records
from gata.evaluation.records import Record
from gata.evaluation.statistics import (
    Estimate,
    Scores,
    best_on_validation,
    difference,
    improvement_estimate,
    relative_improvement,
)
from gata.paper.hardware import mean_hours
from gata.paper.marks import marks_of
from gata.paper.scores import BASELINE, LEVELS

Place = tuple[str, int, str]
"""An agent, a level and a size of the training set."""


class Cell:
    """All seeds of one agent, level and size of the training set."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.records = tuple(sorted(records, key=lambda record: record.settings.seed))

    @property
    def problems(self) -> list[str]:
        """Why its seeds are no seeds of one experiment; nothing if they are."""
        problems = []
        for record in self.records[1:]:
            first = self.records[0]
            found = [
                f"{place} is {ours!r} and {theirs!r}"
                for place, (ours, theirs) in first.differences(record).items()
            ]
            if found:
                problems.append(
                    f"{first.name} and {record.name} stand in the same cell, but {', '.join(found)}"
                )
        return problems

    def __bool__(self) -> bool:
        return bool(self.records)

    @property
    def best(self) -> Record:
        """The seed that is best on the validation games: the paper's way for test scores."""
        return best_on_validation(self.records)

    @property
    def hours(self) -> Mapping[str, float]:
        """Wall clock of a run, on average, by hardware: hours of different kinds have no mean."""
        return mean_hours((record.hardware, record.hours) for record in self.records)

    @property
    def test_scores(self) -> Scores:
        """Of all seeds in all games, in percent."""
        return _matrix([record.test_games for record in self.records], _points)

    @property
    def test_successes(self) -> Scores:
        """Of all seeds in all games: 100 if it was won, else 0."""
        return _matrix([record.test_games for record in self.records], _success)

    @property
    def valid_scores(self) -> Scores:
        """Of all seeds in all validation games, in percent."""
        return _matrix([record.valid_games for record in self.records], _points)

    @property
    def training_scores(self) -> Scores:
        """The best of every seed's training curve, in percent; of runs long enough to have one."""
        points = (record.best_in_training for record in self.records)
        return np.array([[point.train_score] for point in points if point is not None])

    @property
    def training_success(self) -> float | None:
        """Games won at these points, in percent, on average."""
        points = (record.best_in_training for record in self.records)
        successes = (point.train_success for point in points if point is not None)
        won = [success for success in successes if success is not None]
        return fmean(won) if won else None

    @property
    def marks(self) -> str:
        """What its runs are that its place does not say."""
        return marks_of(self.records)


def _matrix(played: Sequence[Sequence[Episode]], value: Callable[[Episode], float]) -> Scores:
    """(seeds, games), games by their names."""
    return np.array([[value(episode) for episode in sorted(each, key=_game)] for each in played])


def _game(episode: Episode) -> str:
    return episode.game


def _points(episode: Episode) -> float:
    """In percent of the game's."""
    return 100 * episode.normalised_score


def _success(episode: Episode) -> float:
    return 100 * episode.won


@dataclass(frozen=True)
class Improvement:
    """Over Tr-DQN, in percent: the mean over levels, made of the cells of both."""

    estimate: Estimate | None
    """With the seeds of the cell that has the fewest; None if Tr-DQN has no point on some level:
    nothing can be compared with that."""
    records: tuple[Record, ...]
    """Of all these cells."""

    @property
    def marks(self) -> str:
        """What its runs are that its place does not say."""
        return marks_of(self.records)

    @classmethod
    def mean(cls, parts: "Sequence[Improvement]") -> "Improvement":
        """Of several, without an interval."""
        made = [part.estimate for part in parts if part.estimate is not None]
        records = tuple(record for part in parts for record in part.records)
        if len(made) < len(parts):
            return cls(None, records)
        seeds = min(part.seeds for part in made)
        return cls(Estimate(fmean(part.mean for part in made), None, None, seeds), records)


class Results:
    """Everything we have run."""

    def __init__(self, records: Sequence[Record]) -> None:
        places: dict[Place, list[Record]] = {}
        for record in records:
            settings = record.settings
            place = (settings.agent, settings.level, settings.games)
            places.setdefault(place, []).append(record)
        self.cells: Mapping[Place, Cell] = {place: Cell(found) for place, found in places.items()}
        if problems := [problem for cell in self.cells.values() for problem in cell.problems]:
            advice = "keep one kind of them in the folder of results"
            raise GataError("\n".join([*problems, advice]))
        self.records = tuple(records)

    @classmethod
    def read(cls, folder: Path) -> "Results":
        """From a folder of records."""
        return cls(read_records(folder))

    def cell(self, agent: str, level: int, size: int) -> Cell:
        """What stands in a place; empty if nothing was run."""
        return self.cells.get((agent, level, str(size))) or Cell(())

    def row(self, agent: str, size: int) -> list[Cell]:
        """All levels."""
        return [self.cell(agent, level, size) for level in LEVELS]

    def improvement(self, agent: str, size: int) -> Improvement | None:
        """Of the seeds best on validation; None unless all levels are there.

        It has no interval: these are single agents, whatever they were chosen from.
        """
        ours, theirs = self.row(agent, size), self.row(BASELINE, size)
        if not all(ours) or not all(theirs):
            return None
        value = relative_improvement(
            [cell.best.test_score for cell in ours], [cell.best.test_score for cell in theirs]
        )
        seeds = min(len(cell.records) for cell in (*ours, *theirs))
        made = None if value is None else Estimate(value, None, None, seeds)
        return Improvement(made, _records(*ours, *theirs))

    def difference(self, agent: str, level: int, size: int) -> Estimate | None:
        """How many points of test score an agent has more than Tr-DQN; None unless both were run.

        Both play the same games, which tells more than two intervals do.
        """
        ours, theirs = (self.cell(each, level, size) for each in (agent, BASELINE))
        if not ours or not theirs:
            return None
        return difference(ours.test_scores, theirs.test_scores)

    def mean_improvement(
        self, agent: str, size: int, scores: Callable[[Cell], Scores]
    ) -> Improvement | None:
        """Of the means over seeds; ``scores`` says of what."""
        cells, baseline = self.row(agent, size), self.row(BASELINE, size)
        ours, theirs = [*map(scores, cells)], [*map(scores, baseline)]
        if not all(each.size for each in (*ours, *theirs)):
            return None
        return Improvement(improvement_estimate(ours, theirs), _records(*cells, *baseline))


def _records(*cells: Cell) -> tuple[Record, ...]:
    return tuple(record for cell in cells for record in cell.records)
