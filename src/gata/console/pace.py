"""How long some work will take, told from how it went so far."""

from collections import deque

WINDOW_S = 300.0
"""The pace is that of the last minutes: what was quicker at first is forgotten, and evaluations and
episodes that end together are evened out."""
ENOUGH_SHARE, ENOUGH_S = 0.05, 120.0
"""Nothing is forecast before such a share of the work is done, or so many seconds are over. Of
games that are played side by side a few end early and the others all at once, so the first would
tell of hours where there are minutes. Of work that takes hours, though, the share comes late."""
MARK_EVERY_S = 1.0
"""Moments that are remembered are so far apart, or further."""


class Pace:
    """How quickly some work goes on. Moments are seconds of any clock that only goes forward."""

    def __init__(self, done: int, now: float, window_s: float = WINDOW_S) -> None:
        """Begin with what was ``done`` before, which says nothing about the pace.

        Args:
            done: before.
            now: the moment.
            window_s: what is further back is forgotten.
        """
        self._begun = now, done
        self._marks = deque([self._begun])
        self._window_s = window_s

    def reach(self, done: int, now: float) -> None:
        """So much is done now."""
        if now - self._marks[-1][0] >= MARK_EVERY_S:
            self._marks.append((now, done))
        while len(self._marks) > 1 and now - self._marks[1][0] >= self._window_s:
            self._marks.popleft()

    def seconds_for(self, more: int, done: int, now: float) -> float | None:
        """How long so much more takes if so much is done now; None if nothing can be said yet."""
        if not more:
            return 0.0
        since, before = self._marks[0]
        if done <= before or not self._has_seen_enough(more, done, now):
            return None
        return more * (now - since) / (done - before)

    def _has_seen_enough(self, more: int, done: int, now: float) -> bool:
        begin, before = self._begun
        here = done - before
        return here >= ENOUGH_SHARE * (here + more) or now - begin >= ENOUGH_S

    def per_second(self, done: int, now: float) -> float:
        """How much is done in a second if so much is done now; 0 if nothing can be said yet."""
        since, before = self._marks[0]
        return (done - before) / (now - since) if now > since else 0.0
