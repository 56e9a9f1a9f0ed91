"""How far a score of a few games can be trusted."""

import pytest

from gata.agents.playing import Episode, Summary
from gata.evaluation.standing import COLUMNS, Lead, Standing, lead

VALID = Summary(20, 45.0, 30.0, 16.0)


def played(*points: int, game: str = "game") -> list[Episode]:
    """Games of two points each."""
    return [Episode(f"{game}{n}", got, 2, got == 2, 10) for n, got in enumerate(points)]


def test_the_standard_error_is_that_of_the_mean_over_games() -> None:
    assert Standing.of(played(0, 2), VALID).standard_error == pytest.approx(50)
    # Half the spread with four times the games, but for the one degree of freedom.
    assert Standing.of(played(*[0, 2] * 4), VALID).standard_error == pytest.approx(50 / 7**0.5)
    assert Standing.of(played(1, 1, 1), VALID).standard_error == 0


def test_a_game_played_five_times_is_one_game() -> None:
    """More plays of the same games do not tell how others would go."""
    once = Standing.of(played(0, 1, 2), VALID)
    often = Standing.of(played(0, 1, 2) * 5, VALID)
    assert often.test.games == 15
    assert often.standard_error == once.standard_error


def test_a_lead_is_taken_game_by_game() -> None:
    """Both find the same games hard: one half of the points more in each is no chance."""
    low, high = Standing.of(played(0, 1, 0, 1), VALID), Standing.of(played(1, 2, 1, 2), VALID)
    assert lead(high, low) == Lead(50.0, 0.0)
    assert not lead(high, low).may_be_chance
    mixed = lead(Standing.of(played(2, 0, 2, 1), VALID), low)
    assert mixed.points == pytest.approx(37.5)
    assert mixed.may_be_chance


def test_a_row_has_a_cell_for_each_column() -> None:
    row = Standing.of(played(1, 2), VALID).row("me")
    assert dict(zip(COLUMNS, row, strict=True)) == {
        "agent": "me",
        "games": 2,
        "score %": 75.0,
        "won %": 50.0,
        "steps": 10.0,
        "validation %": 45.0,
    }
