"""The cells of tables as text. A leaf module: every room may import it."""

from collections.abc import Sequence
from typing import Any


def as_text(rows: Sequence[Sequence[Any]]) -> list[list[str]]:
    """Every cell as text; the floats of a column have equally many decimals, at least one."""
    decimals = [
        _decimals([value for value in column if isinstance(value, float)])
        for column in zip(*rows, strict=True)
    ]
    return [
        [_cell(value, places) for value, places in zip(row, decimals, strict=True)] for row in rows
    ]


def _decimals(values: Sequence[float]) -> int | None:
    """As many as the value needs that needs most; None where some are too small to be written out.

    Values of 1 and more need one, smaller ones as many as show three digits.
    """
    short = [_short(value) for value in values]
    if any("e" in text for text in short):
        return None
    return max((len(text.partition(".")[2]) for text in short), default=1) or 1


def _short(value: float) -> str:
    return f"{value:.3g}" if abs(value) < 1 else f"{value:.1f}"


def _cell(value: Any, decimals: int | None) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return _short(value) if decimals is None else f"{value:.{decimals}f}"
    return str(value)
