"""Forecasts of how long work takes."""

from gata.console.pace import WINDOW_S, Pace


def test_nothing_is_said_before_something_is_done() -> None:
    pace = Pace(0, 50.0)
    assert pace.seconds_for(10, 0, 60.0) is None
    assert pace.seconds_for(0, 0, 60.0) == 0


def test_what_was_done_before_does_not_count() -> None:
    """300 of 400 were done by an earlier process; now one takes two seconds."""
    pace = Pace(300, 1_000.0)
    pace.reach(310, 1_020.0)
    assert pace.seconds_for(90, 310, 1_020.0) == 180


def test_a_pause_makes_the_rest_longer() -> None:
    pace = Pace(0, 0.0)
    pace.reach(10, 10.0)
    assert pace.seconds_for(10, 10, 10.0) == 10
    assert pace.seconds_for(10, 10, 20.0) == 20


def test_the_last_minutes_count() -> None:
    """A hundred a second at first, one in two seconds since then."""
    pace, done = Pace(0, 0.0), 0
    for second in range(1, 1_000):
        done += 100 if second < 60 else second % 2
        pace.reach(done, float(second))
    left = pace.seconds_for(100, done, 999.0)
    assert left is not None
    assert abs(left - 200) < 2
    assert len(pace._marks) <= WINDOW_S + 2


def test_what_is_told_per_second_is_of_the_window() -> None:
    pace = Pace(100, 0.0, window_s=10.0)
    assert pace.per_second(100, 0.0) == 0
    for second in range(1, 31):
        pace.reach(100 + second * (5 if second > 15 else 1), float(second))
    assert 4 < pace.per_second(100 + 31 * 5, 31.0) < 6


def test_episodes_that_end_early_frighten_nobody() -> None:
    """A quick start of 20 games side by side: a few are lost early, which would tell of hours."""
    pace = Pace(0, 0.0)
    for second, done in ((20, 1), (30, 3), (40, 3), (50, 10), (60, 24)):
        pace.reach(done, float(second))
        assert pace.seconds_for(500 - done, done, float(second)) is None
    assert pace.seconds_for(475, 25, 61.0) == 475 * 61 / 25


def test_long_work_is_forecast_after_two_minutes() -> None:
    """A twentieth of it would take hours."""
    pace = Pace(0, 50.0)
    assert pace.seconds_for(99_881, 119, 169.0) is None
    assert pace.seconds_for(99_880, 120, 170.0) == 99_880
    # Not even then if nothing has happened.
    assert pace.seconds_for(100_000, 0, 170.0) is None


def test_what_was_done_before_is_no_part_of_the_share() -> None:
    pace = Pace(300, 0.0)
    assert pace.seconds_for(96, 304, 10.0) is None
    assert pace.seconds_for(95, 305, 10.0) == 190
