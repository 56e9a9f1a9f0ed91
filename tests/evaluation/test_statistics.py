"""Means over seeds, their intervals, and improvements."""

import itertools
from statistics import fmean

import numpy as np
import pytest

from gata.errors import UsageError
from gata.evaluation.statistics import estimate, improvement_estimate, relative_improvement


def test_few_seeds_have_a_mean_but_no_interval() -> None:
    for values in ([50.0], [40.0, 60.0]):
        made = estimate(values)
        assert (made.mean, made.low, made.high, made.enough) == (50.0, None, None, False)


def test_the_interval_is_that_of_all_resamples() -> None:
    values = [10.0, 20.0, 60.0, 80.0]
    means = [fmean(drawn) for drawn in itertools.product(values, repeat=len(values))]
    made = estimate(values)
    assert made.mean == 42.5
    assert made.enough
    # Ten thousand draws out of 256 equally likely ones: quantiles may be one step off.
    assert made.low == pytest.approx(np.quantile(means, 0.025), abs=2.6)
    assert made.high == pytest.approx(np.quantile(means, 0.975), abs=5.1)


def test_three_seeds_reach_from_the_least_to_the_greatest() -> None:
    made = estimate([3.0, 1.0, 2.0])
    assert (made.low, made.high) == (1.0, 3.0)


def test_the_same_values_give_the_same_interval() -> None:
    values = [float(v) for v in range(7)]
    assert estimate(values) == estimate(values)


def test_no_seeds_are_refused() -> None:
    with pytest.raises(UsageError, match="no seeds"):
        estimate([])


def test_improvement_is_the_mean_over_levels() -> None:
    assert relative_improvement([30.0, 30.0], [20.0, 40.0]) == pytest.approx(12.5)
    assert relative_improvement([30.0], [0.0]) is None
    with pytest.raises(UsageError, match="1 scores beside 2"):
        relative_improvement([30.0], [1.0, 2.0])


def test_improvement_of_seeds_covers_that_of_the_means() -> None:
    made = improvement_estimate([[20.0, 30.0, 40.0]], [[10.0, 20.0, 30.0]])
    assert made.mean == pytest.approx(50.0)
    # From the worst seeds against the best baselines to the reverse.
    assert 100 * (20 - 30) / 30 <= made.low < made.mean < made.high <= 100 * (40 - 10) / 10


def test_improvement_over_a_seed_without_points_has_no_bounds() -> None:
    made = improvement_estimate([[20.0, 30.0, 40.0]], [[0.0, 20.0, 40.0]])
    assert made.mean == pytest.approx(50.0)
    assert made.low is None
    assert improvement_estimate([[1.0]], [[0.0]]) is None
