"""JSON into dataclasses, and what is told when it does not fit."""

from dataclasses import dataclass
from typing import Literal

import pytest

from gata.errors import GataError, UsageError
from gata.typed_json import read_as


@dataclass(frozen=True)
class Inner:
    count: int
    share: float | None = None

    def __post_init__(self) -> None:
        if self.count < 0:
            raise UsageError(f"count is {self.count}, expected 0 or more")


@dataclass(frozen=True)
class Outer:
    name: str
    kind: Literal["a", "b"]
    items: tuple[Inner, ...]
    sure: bool = False


GOOD = {"name": "x", "kind": "a", "items": [{"count": 1, "share": 2}, {"count": 0}]}


def test_nested_objects_are_read() -> None:
    expected = Outer("x", "a", (Inner(1, 2.0), Inner(0)))
    assert read_as(Outer, GOOD, "file") == expected
    assert isinstance(read_as(Outer, GOOD, "file").items[0].share, float)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"name": 3}, "name is 3, expected text"),
        ({"kind": "c"}, "kind is 'c', expected 'a' or 'b'"),
        ({"items": {}}, "items is {}, expected a list"),
        ({"items": [{"count": 1}, {}]}, "items[1].count is missing"),
        ({"items": [{"count": True}]}, "items[0].count is True, expected a whole number"),
        ({"items": [{"count": 1.5}]}, "items[0].count is 1.5, expected a whole number"),
        ({"items": [{"count": 1, "share": float("nan")}]}, "items[0].share is nan"),
        ({"items": [{"count": 1, "shame": 1}]}, "items[0].shame is not a field"),
        ({"items": [{"count": -1}]}, "items[0]: count is -1, expected 0 or more"),
        ({"sure": 1}, "sure is 1, expected true or false"),
    ],
)
def test_what_does_not_fit_is_named(changes: dict, told: str) -> None:
    with pytest.raises(GataError) as caught:
        read_as(Outer, GOOD | changes, "some.json")
    assert str(caught.value).startswith(f"some.json: {told}")


def test_something_else_than_an_object_is_named() -> None:
    with pytest.raises(GataError, match=r"some.json: the file is \[\], expected an object"):
        read_as(Outer, [], "some.json")
