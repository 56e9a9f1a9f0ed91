"""How far a run is, and how it has gone lately; all of it is in the run's checkpoint."""

from dataclasses import dataclass

from gata.rl.rollout import Finished


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


@dataclass
class Recent:
    """What happened since the last report."""

    count: int = 0
    score: float = 0.0
    won: int = 0
    steps: int = 0
    kept: int = 0
    first: int = 0
    """Episodes before this process began: they say nothing about its pace."""
    first_update: int = 0
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
