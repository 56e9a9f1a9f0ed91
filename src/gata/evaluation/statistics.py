"""What several seeds of one experiment say together."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from gata.errors import UsageError
from gata.evaluation.records import Record

ENOUGH_SEEDS = 3
"""The paper's number; with fewer, no interval is given."""
CONFIDENCE = 0.95
_RESAMPLES = 10_000
_SEED = 20_200_221
"""Of the resampling: the same values give the same interval, always."""


@dataclass(frozen=True)
class Estimate:
    """A mean over seeds, and how far to trust it."""

    mean: float
    low: float | None
    high: float | None
    """The bootstrap interval of ``CONFIDENCE``; None if the seeds are too few."""
    seeds: int

    @property
    def enough(self) -> bool:
        """Whether there are as many seeds as in the paper."""
        return self.seeds >= ENOUGH_SEEDS


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of one value per seed, with a percentile bootstrap interval.

    Three seeds can be drawn in 27 ways, so the interval of three is about from the least to the
    greatest.
    """
    if not values:
        raise UsageError("there are no seeds to take a mean of")
    low, high = _interval(_resampled_means(values, np.random.default_rng(_SEED)), len(values))
    return Estimate(fmean(values), low, high, len(values))


def best_on_validation(records: Sequence[Record]) -> Record:
    """The seed that a paper would report: best on the validation games, the lowest of equals."""
    return max(records, key=lambda record: (record.valid_score, -record.settings.seed))


def relative_improvement(scores: Sequence[float], baseline: Sequence[float]) -> float | None:
    """How much better than the baseline, in percent: the mean over levels of (R - B) / B.

    Args:
        scores: R, one per level.
        baseline: B, likewise. Where one is 0 there is no such number, and None comes back.
    """
    if len(scores) != len(baseline) or not scores:
        raise UsageError(
            f"{len(scores)} scores beside {len(baseline)} of the baseline, expected as many"
        )
    if min(baseline) <= 0:
        return None
    pairs = zip(scores, baseline, strict=True)
    return 100 * fmean((score - base) / base for score, base in pairs)


def improvement_estimate(
    scores: Sequence[Sequence[float]], baseline: Sequence[Sequence[float]]
) -> Estimate | None:
    """The relative improvement of means over seeds; seeds of both are drawn anew for its interval.

    Args:
        scores: for each level, one per seed.
        baseline: likewise; the numbers of seeds may differ.
    """
    mean = relative_improvement([*map(fmean, scores)], [*map(fmean, baseline)])
    if mean is None:
        return None
    random = np.random.default_rng(_SEED)
    seeds = min(map(len, (*scores, *baseline)))
    ours = np.stack([_resampled_means(values, random) for values in scores])
    theirs = np.stack([_resampled_means(values, random) for values in baseline])
    if (theirs <= 0).any():  # a seed without a point: the ratio has no bounds
        return Estimate(mean, None, None, seeds)
    low, high = _interval(100 * ((ours - theirs) / theirs).mean(axis=0), seeds)
    return Estimate(mean, low, high, seeds)


def _resampled_means(values: Sequence[float], random: np.random.Generator) -> NDArray[np.float64]:
    """Means of seeds drawn with replacement: (resamples,)."""
    drawn = random.integers(len(values), size=(_RESAMPLES, len(values)))
    means: NDArray[np.float64] = np.asarray(values, dtype=np.float64)[drawn].mean(axis=1)
    return means


def _interval(means: NDArray[np.float64], seeds: int) -> tuple[float | None, float | None]:
    if seeds < ENOUGH_SEEDS:
        return None, None
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(means, (tail, 1 - tail))
    return float(low), float(high)
