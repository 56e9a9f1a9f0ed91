"""Means over seeds, their intervals, and improvements."""

import itertools
import re
from collections.abc import Callable
from statistics import fmean

import numpy as np
import pytest

from gata.errors import UsageError
from gata.evaluation.statistics import (
    COVERAGE,
    difference,
    estimate,
    improvement_estimate,
    relative_improvement,
)


def test_few_seeds_have_a_mean_but_no_interval() -> None:
    for values in ([50.0], [40.0, 60.0]):
        made = estimate(values)
        assert (made.mean, made.low, made.high, made.enough) == (50.0, None, None, False)


def all_draws(count: int) -> list[tuple[int, ...]]:
    return list(itertools.product(range(count), repeat=count))


def test_the_interval_is_that_of_all_resamples_of_seeds_and_games() -> None:
    scores = np.array([[0.0, 50.0, 100.0], [100.0, 100.0, 50.0], [0.0, 100.0, 100.0]])
    means = [
        scores[list(seeds)][:, list(games)].mean()
        for seeds in all_draws(3)
        for games in all_draws(3)
    ]
    made = estimate(scores)
    assert made.mean == pytest.approx(scores.mean())
    assert made.enough
    assert not made.is_range
    # Ten thousand draws out of 729 equally likely ones: quantiles may be one step off.
    assert made.low == pytest.approx(np.quantile(means, 0.025), abs=5.6)
    assert made.high == pytest.approx(np.quantile(means, 0.975), abs=5.6)


def test_many_seeds_with_a_number_each_are_resampled() -> None:
    values = [10.0, 20.0, 60.0, 80.0, 30.0, 40.0]
    means = [fmean(values[i] for i in drawn) for drawn in all_draws(len(values))]
    made = estimate(values)
    assert not made.is_range
    assert made.low == pytest.approx(np.quantile(means, 0.025), abs=2)
    assert made.high == pytest.approx(np.quantile(means, 0.975), abs=2)


def test_so_many_seeds_with_a_number_each_have_an_interval() -> None:
    assert [estimate(range(seeds)).is_range for seeds in (3, 4, 5, 6)] == [True, True, True, False]


def test_few_seeds_with_a_number_each_have_a_range() -> None:
    made = estimate([3.0, 1.0, 2.0])
    assert (made.low, made.high, made.is_range) == (1.0, 3.0, True)


def test_games_that_are_alike_say_nothing_of_others_seeds_do() -> None:
    """Where all games bring the same, only seeds differ; where all seeds are alike, only games."""
    by_seed = np.repeat([[10.0], [20.0], [60.0]], 20, axis=1)
    by_game = np.repeat([np.linspace(0, 100, 20)], 3, axis=0)
    made = estimate(by_seed)
    assert (made.low, made.high) == pytest.approx((10, 60))
    made = estimate(by_game)
    error = by_game[0].std() / 20**0.5
    assert made.high - made.low == pytest.approx(2 * 1.96 * error, rel=0.05)


def test_the_same_values_give_the_same_interval() -> None:
    values = [float(v) for v in range(7)]
    assert estimate(values) == estimate(values)


def test_a_difference_on_the_same_games_is_told_apart_from_theirs() -> None:
    """Games are hard or easy for both: what one has more in each is no chance of the games."""
    games = np.linspace(0, 80, 20)
    theirs, ours = np.stack([games] * 3), np.stack([games + 10] * 4)
    made = difference(ours, theirs)
    assert (made.mean, made.low, made.high) == pytest.approx((10, 10, 10))
    assert made.seeds == 3
    assert difference(theirs, ours).mean == pytest.approx(-10)
    assert estimate(ours).low < estimate(theirs).high  # as two intervals they would not
    shuffled = np.random.default_rng(1).permutation(games) + 10
    assert difference(np.stack([shuffled] * 3), theirs).low < 0


def test_a_difference_needs_seeds_and_the_same_games() -> None:
    assert difference([[1.0, 2.0]], [[1.0, 1.0]] * 3).low is None
    with pytest.raises(UsageError, match="scores of 2 games beside 3"):
        difference([[1.0, 2.0]], [[1.0, 2.0, 3.0]])


def covered(draw: Callable[[np.random.Generator], np.ndarray], times: int = 400) -> float:
    """How many of 100 intervals hold the mean 0 of what is drawn."""
    random = np.random.default_rng(0)
    made = [estimate(draw(random)) for _ in range(times)]
    return 100 * fmean(each.low <= 0 <= each.high for each in made)


def test_intervals_are_as_much_too_narrow_as_readers_are_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("gata.evaluation.statistics._RESAMPLES", 1_000)

    def games(of_games: float, of_seeds: float) -> Callable[[np.random.Generator], np.ndarray]:
        """Three seeds and 20 games that differ so much, and chance."""
        return lambda random: (
            of_games * random.normal(size=(1, 20))
            + of_seeds * random.normal(size=(3, 1))
            + random.normal(size=(3, 20))
        )

    found = [
        covered(lambda random: random.normal(size=6)),
        covered(lambda random: random.normal(size=10)),
        covered(games(of_games=0.5, of_seeds=1)),
        covered(games(of_games=1, of_seeds=0)),
    ]
    told = re.search(r"about (\d+) cases.* ten in (\d+), .* games in (\d+) to (\d+),", COVERAGE)
    # Of 400 intervals: two standard errors are 3.5.
    assert found == pytest.approx([*map(int, told.groups())], abs=3.5)


def test_no_seeds_are_refused() -> None:
    with pytest.raises(UsageError, match="no seeds"):
        estimate([])


def test_improvement_is_the_mean_over_levels() -> None:
    assert relative_improvement([30.0, 30.0], [20.0, 40.0]) == pytest.approx(12.5)
    assert relative_improvement([30.0], [0.0]) is None
    with pytest.raises(UsageError, match="1 scores beside 2"):
        relative_improvement([30.0], [1.0, 2.0])


def test_improvement_of_seeds_covers_that_of_the_means() -> None:
    ours, theirs = ([[low], [low + 10], [low + 20]] for low in (20.0, 10.0))
    games = np.ones((1, 5))
    made = improvement_estimate([ours * games], [theirs * games])
    assert made.mean == pytest.approx(50.0)
    # From the worst seeds against the best baselines to the reverse.
    assert 100 * (20 - 30) / 30 <= made.low < made.mean < made.high <= 100 * (40 - 10) / 10
    assert improvement_estimate([ours], [theirs]).low is None  # three numbers are no sample


def test_levels_are_drawn_apart_for_an_improvement() -> None:
    """They have other games: the mean of two levels is surer than one by a root of two."""
    games = np.linspace(0, 80, 20)
    ours, theirs = np.stack([games + 30] * 3), np.stack([games[::-1] + 10] * 3)

    def width(levels: int) -> float:
        made = improvement_estimate([ours] * levels, [theirs] * levels)
        return made.high - made.low

    assert width(2) == pytest.approx(width(1) / 2**0.5, rel=0.1)


def test_improvement_over_a_seed_without_points_has_no_bounds() -> None:
    made = improvement_estimate(
        [[[20.0] * 2, [30.0] * 2, [40.0] * 2]], [[[0, 0], [0, 0], [60, 60]]]
    )
    assert made.mean == pytest.approx(50.0)
    assert made.low is None
    assert improvement_estimate([[1.0]], [[0.0]]) is None
