"""What numbers a setting may be, said with its type."""

from dataclasses import dataclass
from math import inf
from typing import Annotated, Any, get_type_hints

from gata.errors import UsageError


@dataclass(frozen=True)
class Range:
    """Numbers from one to another; infinity is none of them."""

    least: float
    most: float = inf
    is_open: bool = False
    """Whether the least one is left out."""

    def __contains__(self, value: float) -> bool:
        is_enough = value > self.least if self.is_open else value >= self.least
        return is_enough and value <= self.most and value < inf

    def __str__(self) -> str:
        if self.is_open:
            return f"above {self.least}"
        return f"{self.least} or more" if self.most == inf else f"{self.least} to {self.most}"


Some = Annotated[int, Range(1)]
Count = Annotated[int, Range(0)]
Share = Annotated[float, Range(0, 1)]
Amount = Annotated[float, Range(0)]
PositiveAmount = Annotated[float, Range(0, is_open=True)]
Seed = Annotated[int, Range(0, 2**64 - 1)]


def check_ranges(settings: Any, prefix: str = "") -> None:
    """Refuse settings with a number out of its range.

    Args:
        settings: a dataclass; numbers that may be None are not looked at where they are.
        prefix: what the message begins with.
    """
    for name, allowed in ranges_of(type(settings)).items():
        value = getattr(settings, name)
        if value is not None and value not in allowed:
            raise UsageError(f"{prefix}{name} is {value}, expected {allowed}")


def ranges_of(kind: type[Any]) -> dict[str, Range]:
    """The ranges of a dataclass's fields, by name."""
    return {
        name: mark
        for name, hint in get_type_hints(kind, include_extras=True).items()
        for mark in getattr(hint, "__metadata__", ())
        if isinstance(mark, Range)
    }
