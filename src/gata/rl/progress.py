"""How far a run is, and how it has gone lately; all of it is in the run's checkpoint."""

import time
from dataclasses import dataclass

from gata.console.pace import Pace
from gata.rl.rollout import Finished

RATES_OVER_S = 60.0
"""What is told of the pace is about the last minute."""


@dataclass
class Progress:
    """How far a run is."""

    episodes: int = 0
    steps: int = 0
    """Of the games."""
    updates: int = 0
    owed: int = 0
    """Steps since the last update."""
    valid: float = 0.0
    """The last validation score, 0 to 100,"""
    best: float = 0.0
    """and the best so far; both mean nothing before the first evaluation."""
    evaluations: int = 0
    setbacks: int = 0
    """Evaluations in a row that were worse than the best."""
    reloads: int = 0
    """How often the best weights were taken up again."""
    seconds: float = 0.0
    """Spent so far, evaluations included."""


class Paces:
    """How quickly a run goes on in this process, evaluations included."""

    def __init__(self, progress: Progress) -> None:
        now = time.monotonic()
        self._episodes = Pace(progress.episodes, now, RATES_OVER_S)
        self._updates = Pace(progress.updates, now, RATES_OVER_S)

    def reach(self, progress: Progress) -> tuple[float, float]:
        """Episodes and updates per second, now that a run is so far."""
        now = time.monotonic()
        self._episodes.reach(progress.episodes, now)
        self._updates.reach(progress.updates, now)
        return (
            self._episodes.per_second(progress.episodes, now),
            self._updates.per_second(progress.updates, now),
        )


@dataclass
class Recent:
    """What happened since the last report."""

    count: int = 0
    score: float = 0.0
    won: int = 0
    steps: int = 0
    kept: int = 0
    reported: float | None = None
    """The mean score in the last report, in percent; None before it."""

    def add(self, finished: Finished) -> None:
        """Count episodes."""
        self.count += len(finished.scores)
        self.score += float(finished.scores.sum())
        self.won += int(finished.won.sum())
        self.steps += int(finished.steps.sum())
        self.kept += int(finished.kept.sum())

    def means(self) -> dict[str, float]:
        """Per episode; scores and successes in percent."""
        count = max(1, self.count)
        return {
            "score": 100 * self.score / count,
            "success": 100 * self.won / count,
            "length": self.steps / count,
            "kept": self.kept / count,
        }

    @property
    def training_score(self) -> float | None:
        """In percent: of the last report, or of the episodes before the first; None without any."""
        if self.reported is not None:
            return self.reported
        return self.means()["score"] if self.count else None

    def clear(self) -> None:
        """Begin to count anew: this was reported."""
        if self.count:
            self.reported = self.means()["score"]
        self.count = self.won = self.steps = self.kept = 0
        self.score = 0.0
