"""How far along long work is: bars on a terminal, a line now and then elsewhere.

Who works says how far it is as often as it likes, which costs next to nothing; what is shown is
shown by a thread of its own, also while a step takes long.
"""

import sys
import threading
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich.live import Live

from gata.console.drawing import Drawn, State, clock
from gata.console.output import errors, is_silent, note
from gata.console.pace import Pace

Item = TypeVar("Item")

PLAIN_EVERY_S = 10.0
"""Without a terminal a line this often says that work goes on."""


class Bars:
    """Several bars at once, below each other. One whose work is over moves up and stays."""

    def __init__(self) -> None:
        self._bars: list[Bar] = []
        self._lock = threading.Lock()
        self._live: Live | None = None
        self._teller = threading.Thread(target=self._tell_now_and_then, daemon=True)
        self._over = threading.Event()

    def __enter__(self) -> "Bars":
        if is_silent():
            return self
        if sys.stderr.isatty() and not errors.is_dumb_terminal:
            # Results that go elsewhere than to the terminal shall not be drawn there.
            aside = sys.stdout.isatty()
            self._live = Live(
                get_renderable=self._drawn, console=errors, transient=True, redirect_stdout=aside
            )
            self._live.start()
        else:
            self._teller.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._live is not None:
            self._live.stop()
        if self._teller.is_alive():
            self._teller.join()  # nothing comes after the result

    def add(self, bar: "Bar") -> None:
        """Show a bar."""
        with self._lock:
            self._bars.append(bar)

    def remove(self, bar: "Bar") -> None:
        """Its work is over, or has failed: leave on the terminal how far it came."""
        with self._lock:
            self._bars.remove(bar)
        if self._live is not None:
            self._live.refresh()  # otherwise its last drawing comes again below the line
            errors.print(Drawn([bar.state]))

    def _states(self) -> list[State]:
        with self._lock:
            return [bar.state for bar in self._bars]

    def _drawn(self) -> Drawn:
        return Drawn(self._states())

    def _tell_now_and_then(self) -> None:
        while not self._over.wait(PLAIN_EVERY_S):
            for state in self._states():
                note(_in_words(state))


class Bar:
    """How far along some work is."""

    def __init__(
        self, description: str, total: int, among: Bars | None = None, *, done: int = 0
    ) -> None:
        """A bar of its own, or one ``among`` others.

        Args:
            description: what the work is.
            total: how much there is to do.
            among: where it is shown.
            done: what was done before: it says nothing about the pace.
        """
        self._description, self._total = description, total
        self._shown = done, ""
        self._bars, self._is_alone = among or Bars(), among is None
        self._start = time.monotonic()
        self._pace = Pace(done, self._start)

    def __enter__(self) -> "Bar":
        self._start = time.monotonic()
        self._pace = Pace(self._shown[0], self._start)
        self._bars.add(self)
        if self._is_alone:
            self._bars.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._bars.remove(self)
        finally:  # also where the terminal is gone
            if self._is_alone:
                self._bars.__exit__()

    def show(self, done: int, remark: str = "") -> None:
        """Say that ``done`` of the total are done, and something about them."""
        self._pace.reach(done, time.monotonic())
        self._shown = done, remark

    @property
    def state(self) -> State:
        """What there is to show."""
        now, total = time.monotonic(), self._total
        done, remark = self._shown  # at once: another thread may be at work
        left = self._pace.seconds_for(max(0, total - done), done, now)
        return State(self._description, done, total, now - self._start, left, remark)


def track(items: Iterable[Item], description: str, total: int) -> Iterator[Item]:
    """Yield ``items`` while showing how far along the work is."""
    with Bar(description, total) as bar:
        for done, item in enumerate(items, start=1):
            yield item
            bar.show(done)


def _in_words(state: State) -> str:
    line = f"{state.name}: {state.counts}, {clock(state.seconds)} gone, {clock(state.left)} left"
    return f"{line}; {state.remark}" if state.remark else line
