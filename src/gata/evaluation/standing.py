"""How agents did on games that they had not seen, and how far to trust that."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from gata.agents.playing import Episode, Summary, summarise

COLUMNS = ("agent", "games", "score %", "won %", "steps", "validation %")
"""Of a table of standings."""


@dataclass(frozen=True)
class Standing:
    """How an agent did on the test games and on the validation games."""

    test: Summary
    test_scores: Mapping[str, float]
    """In percent, by game."""
    valid: Summary

    @classmethod
    def of(cls, test: Sequence[Episode], valid: Summary) -> "Standing":
        """What episodes of the test games say; a game may have been played several times."""
        shares: dict[str, list[float]] = {}
        for episode in test:
            shares.setdefault(episode.game, []).append(100 * episode.normalised_score)
        scores = {game: fmean(played) for game, played in shares.items()}
        return cls(summarise(test), scores, valid)

    @property
    def standard_error(self) -> float:
        """Of the test score, in percent: how far other such games would have moved it."""
        return error_of_mean(self.test_scores.values())

    def row(self, name: str) -> tuple[str, int, float, float, float, float]:
        """For a table with ``COLUMNS``."""
        test = self.test
        return name, test.games, test.score, test.success, test.steps, self.valid.score


@dataclass(frozen=True)
class Lead:
    """By how much one agent is above another on the same test games, in percent of the points."""

    points: float
    standard_error: float
    """Of the points. The games are the same, so it is that of the differences game by game."""

    @property
    def may_be_chance(self) -> bool:
        """Whether it is less than two standard errors."""
        return abs(self.points) < 2 * self.standard_error


def lead(one: Standing, other: Standing) -> Lead:
    """By how much ``one`` is above the ``other``, who played the same test games."""
    differences = [score - other.test_scores[game] for game, score in one.test_scores.items()]
    return Lead(one.test.score - other.test.score, error_of_mean(differences))


def error_of_mean(scores: Iterable[float]) -> float:
    """The standard error of the mean of one score per game, of at least two games."""
    scores = list(scores)
    return stdev(scores) / math.sqrt(len(scores))
