"""JSON into dataclasses, and what is told when it does not fit."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

import pytest

from gata.errors import GataError, UsageError
from gata.typed_json import from_table, read_as, to_table


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


TABLE = [["count", "share"], [1, 0.5], [0, None]]


def test_tables_name_their_columns_once() -> None:
    items = (Inner(1, 0.5), Inner(0))
    assert to_table(Inner, items) == TABLE
    assert from_table(Inner, TABLE, "file", "items") == [asdict(item) for item in items]
    assert from_table(Inner, to_table(Inner, ()), "file", "items") == []


def test_columns_are_known_by_their_names() -> None:
    exchanged = [["share", "count"], [0.5, 1]]
    assert from_table(Inner, exchanged, "file", "items") == [{"count": 1, "share": 0.5}]
    without_default = [["count"], [1]]
    assert from_table(Inner, without_default, "file", "items") == [{"count": 1}]


@pytest.mark.parametrize(
    ("table", "told"),
    [
        (3, "items is 3, expected column names and below them rows of values"),
        ([], "items is [], expected column names and below them rows of values"),
        ([{"count": 1}], "the first row of items is {'count': 1}, expected the names of its"),
        ([[1, 0.5]], "the first row of items is [1, 0.5], expected the names of its columns"),
        ([["share"], [0.5]], "column items.count is missing"),
        ([["count", "shame"], [1, 1]], "column items.shame is not a field of Inner"),
        ([["count", "count"], [1, 2]], "column items.count stands there twice"),
        ([*TABLE, {"count": 1}], "items[2] is {'count': 1}, expected a row with values of count"),
        ([*TABLE, [1]], "items[2] is [1], expected a row with values of count, share"),
        ([*TABLE, [1, 0.5, 2]], "items[2] is [1, 0.5, 2], expected a row with values of count"),
    ],
)
def test_what_is_no_table_is_named(table: Any, told: str) -> None:
    with pytest.raises(GataError) as caught:
        from_table(Inner, table, "some.json", "items")
    assert str(caught.value).startswith(f"some.json: {told}")
