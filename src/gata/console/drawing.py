"""Bars as they stand on a terminal, whatever its width."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderResult
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

WIDEST_BAR, NARROWEST_BAR = 40, 8
"""Characters; a long name is shortened before the bar gets narrower,"""
SHORTEST_NAME = 12
"""but not to less than this."""


class State(NamedTuple):
    """How far along some work is."""

    name: str
    done: int
    total: int
    seconds: float
    """Since it began."""
    left: float | None
    """How many more it will take; None if nothing can be said."""
    remark: str

    @property
    def counts(self) -> str:
        """So many of so many."""
        return f"{self.done}/{self.total}"

    @property
    def times(self) -> str:
        """Hours, minutes and seconds: gone and to come."""
        return f"{clock(self.seconds)} left {clock(self.left)}"


class Drawn:
    """Several bars below each other, in columns; each has its remark below it."""

    def __init__(self, states: Sequence[State]) -> None:
        self._states = states

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Names and bars get what counts and times, which are never cut, leave of a line."""
        states = self._states
        if not states:
            return
        counts = max(len(state.counts) for state in states)
        times = max(len(state.times) for state in states)
        room = options.max_width - counts - times - 3  # spaces between four columns
        longest = max(len(state.name) for state in states)
        name = min(longest, max(SHORTEST_NAME, room - NARROWEST_BAR))
        bar = min(WIDEST_BAR, room - name)
        for state in states:
            if bar < 1:  # no terminal of today: let the line wrap
                yield Text(f"{state.name} {state.counts} {state.times} {state.remark}")
                continue
            line = Table.grid(padding=(0, 1))
            line.add_column(width=name, no_wrap=True)
            line.add_column(width=bar)
            line.add_column(width=counts, no_wrap=True, justify="right")
            line.add_column(width=times, no_wrap=True, justify="right")
            # Text objects, not strings: names and remarks may hold what rich would interpret.
            line.add_row(
                Text(shorten(state.name, name)),
                ProgressBar(total=max(1, state.total), completed=state.done, width=bar),
                Text(state.counts),
                Text(state.times),
            )
            yield line
            if state.remark:
                yield Padding(Text(state.remark), (0, 0, 0, 2))


def clock(seconds: float | None) -> str:
    """Hours, minutes and seconds."""
    if seconds is None:
        return "-:--:--"
    minutes, second = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{second:02}"


def shorten(name: str, width: int) -> str:
    """A name of at most ``width`` characters: it loses its middle, for runs differ at both ends."""
    if len(name) <= width:
        return name
    tail = (width - 1) // 2
    return f"{name[: width - 1 - tail]}…{name[len(name) - tail :]}"
