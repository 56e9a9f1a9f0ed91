"""What several seeds of one experiment say together.

Scores are matrices (seeds, games): every seed's agent plays the same games. What a seed has one
number of, such as its best point in training, is a matrix with one column.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gata.errors import UsageError
from gata.evaluation.records import Record

Scores = NDArray[np.float64]
"""(seeds, games)"""

ENOUGH_SEEDS = 3
"""The paper's number; with fewer, nothing is said of how far to trust a mean."""
ENOUGH_TO_RESAMPLE = 6
"""So many numbers have a bootstrap interval. Of three, such an interval reaches from the least to
the greatest and covers the true mean in three cases of four, not in 19 of 20."""
CONFIDENCE = 0.95
COVERAGE = (
    "Intervals of so few numbers are mostly narrower than they should be: in simulations with"
    " normal numbers one of six held the true mean in about 86 cases of 100, not 95, one of ten in"
    " 90, and one of three seeds and 20 games in 82 to 97, the fewer the more seeds differ."
)
"""Of intervals, a caveat for readers."""
_RESAMPLES = 10_000
_SEED = 20_200_221
"""Of the resampling: the same values give the same interval, always."""


@dataclass(frozen=True)
class Estimate:
    """A mean over seeds, and how far to trust it."""

    mean: float
    low: float | None
    high: float | None
    """The bootstrap interval of ``CONFIDENCE``, or the range of the seeds; None if there are too
    few for either."""
    seeds: int
    is_range: bool = False
    """Whether ``low`` and ``high`` are the least and the greatest seed."""
    is_unbounded: bool = False
    """Whether it is a ratio that has no interval since there may be nothing below."""

    @property
    def enough(self) -> bool:
        """Whether there are as many seeds as in the paper."""
        return self.seeds >= ENOUGH_SEEDS


def estimate(scores: ArrayLike) -> Estimate:
    """The mean of scores, (seeds, games), or (seeds,) if each has one number.

    Its interval is a percentile bootstrap that draws seeds and games, since another 20 test games
    would give another mean as much as other seeds would. All seeds get the games that are drawn.
    Single numbers of a few seeds have a range.
    """
    matrix = _matrix(scores)
    seeds = len(matrix)
    mean = float(matrix.mean())
    if seeds < ENOUGH_SEEDS:
        return Estimate(mean, None, None, seeds)
    if not _can_be_resampled(matrix):
        return Estimate(mean, float(matrix.min()), float(matrix.max()), seeds, is_range=True)
    return Estimate(mean, *_interval(_Drawing(matrix.shape[1]).means(matrix)), seeds)


def difference(scores: ArrayLike, others: ArrayLike) -> Estimate:
    """How much higher the mean of some scores is than that of others on the same games.

    Seeds of both are drawn for the interval, and games for both at once.

    Args:
        scores: (seeds, games).
        others: (seeds, games); the numbers of seeds may differ.
    """
    ours, theirs = _matrix(scores), _matrix(others)
    if ours.shape[1] != theirs.shape[1]:
        raise UsageError(
            f"scores of {ours.shape[1]} games beside {theirs.shape[1]}, expected the same games"
        )
    mean = float(ours.mean() - theirs.mean())
    seeds = min(len(ours), len(theirs))
    if seeds < ENOUGH_SEEDS or not (_can_be_resampled(ours) and _can_be_resampled(theirs)):
        return Estimate(mean, None, None, seeds)
    drawing = _Drawing(ours.shape[1])
    return Estimate(mean, *_interval(drawing.means(ours) - drawing.means(theirs)), seeds)


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
    scores: Sequence[ArrayLike], baseline: Sequence[ArrayLike]
) -> Estimate | None:
    """The relative improvement of means over seeds, with an interval as that of ``difference``.

    Args:
        scores: for each level, (seeds, games), or one number per seed.
        baseline: likewise; the numbers of seeds may differ.
    """
    ours, theirs = [*map(_matrix, scores)], [*map(_matrix, baseline)]
    mean = relative_improvement(*([float(each.mean()) for each in side] for side in (ours, theirs)))
    if mean is None:
        return None
    seeds = min(map(len, (*ours, *theirs)))
    if seeds < ENOUGH_SEEDS or not all(map(_can_be_resampled, (*ours, *theirs))):
        return Estimate(mean, None, None, seeds)
    random = np.random.default_rng(_SEED)
    drawings = [_Drawing(each.shape[1], random) for each in ours]
    drawn = (
        np.stack([drawing.means(each) for drawing, each in zip(drawings, side, strict=True)])
        for side in (ours, theirs)
    )
    above, below = drawn
    if (below <= 0).any():  # seeds without a point
        return Estimate(mean, None, None, seeds, is_unbounded=True)
    return Estimate(mean, *_interval(100 * ((above - below) / below).mean(axis=0)), seeds)


class _Drawing:
    """Games drawn with replacement, as often as is resampled; seeds are drawn for each matrix."""

    def __init__(self, games: int, random: np.random.Generator | None = None) -> None:
        self._random = random or np.random.default_rng(_SEED)
        self._games = self._shares(games)

    def means(self, scores: Scores) -> NDArray[np.float64]:
        """Of the games and of as many seeds as there are: (resamples,)."""
        means: NDArray[np.float64]
        means = ((self._shares(len(scores)) @ scores) * self._games).sum(axis=1)
        return means

    def _shares(self, count: int) -> NDArray[np.float64]:
        """How often each of so many was drawn, as shares: (resamples, count)."""
        return self._random.multinomial(count, [1 / count] * count, size=_RESAMPLES) / count


def _matrix(scores: ArrayLike) -> Scores:
    matrix = np.asarray(scores, dtype=np.float64)
    if not matrix.size:
        raise UsageError("there are no seeds to take a mean of")
    return matrix[:, None] if matrix.ndim == 1 else matrix


def _can_be_resampled(scores: Scores) -> bool:
    """Whether there is enough to draw from: games beside seeds, or many seeds."""
    return scores.shape[1] > 1 or len(scores) >= ENOUGH_TO_RESAMPLE


def _interval(means: NDArray[np.float64]) -> tuple[float, float]:
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(means, (tail, 1 - tail))
    return float(low), float(high)
