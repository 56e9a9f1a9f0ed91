"""Settings say what numbers they may be, and are held to it."""

from dataclasses import dataclass, fields
from math import inf, nan
from typing import Annotated, get_type_hints

import pytest

from gata.errors import UsageError
from gata.pretrain.settings import SETTINGS as TASKS
from gata.ranges import Range, check_ranges, ranges_of
from gata.rl.settings import LearningSettings, TrainSettings

SETTINGS = (LearningSettings, TrainSettings, *TASKS.values())
CHECKED_ELSEWHERE = {"hidden"}
"""By the networks that are made of them."""


@pytest.mark.parametrize(
    ("allowed", "inside", "outside"),
    [
        (Range(1), (1, 10**30), (0, -1, inf, nan)),
        (Range(0, 1), (0, 0.5, 1), (-0.1, 1.1, nan)),
        (Range(0, is_open=True), (1e-30, 5), (0, -1, inf, nan)),
    ],
    ids=str,
)
def test_what_is_in_a_range(
    allowed: Range, inside: tuple[float, ...], outside: tuple[float, ...]
) -> None:
    assert all(value in allowed for value in inside)
    assert not any(value in allowed for value in outside)


@pytest.mark.parametrize("kind", SETTINGS)
def test_every_number_among_the_settings_has_a_range(kind: type) -> None:
    hints = get_type_hints(kind)
    numbers = {each.name for each in fields(kind) if hints[each.name] in (int, float, int | None)}
    assert numbers - CHECKED_ELSEWHERE == set(ranges_of(kind))


def test_a_number_out_of_its_range_is_refused_with_what_was_expected() -> None:
    @dataclass
    class Pot:
        litres: Annotated[float | None, Range(0, is_open=True)] = None
        eggs: Annotated[int, Range(1, 12)] = 1

    check_ranges(Pot())
    for pot, told in (
        (Pot(eggs=13), "eggs is 13, expected 1 to 12"),
        (Pot(litres=0), "litres is 0, expected above 0"),
    ):
        with pytest.raises(UsageError, match=f"^pot: {told}$"):
            check_ranges(pot, "pot: ")
