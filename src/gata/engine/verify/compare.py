"""Two players, the same commands: where they disagree, and the shortest way to show it."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gata.engine.verify.snapshot import Difference, Player, Snapshot, differences

_REPLAYS = 400
"""How often a failing game may be replayed to find a shorter way to the same failure."""

_SHOWN = 12
"""How many elements of a set or list that differs are printed."""


@dataclass(frozen=True)
class Mismatch:
    """A disagreement after ``commands``, played from the start of the game."""

    commands: tuple[str, ...]
    differences: tuple[Difference, ...]

    @property
    def fields(self) -> frozenset[str]:
        """The names of the fields that differ."""
        return frozenset(difference.field for difference in self.differences)

    def __str__(self) -> str:
        lines = ["after " + (" > ".join(self.commands) or "the start") + ":"]
        for difference in self.differences:
            lines += [f"  {difference.field}", *_explain(difference)]
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """For a report."""
        return {
            "commands": list(self.commands),
            "fields": sorted(self.fields),
            "explanation": str(self),
        }


class Duel:
    """Real TextWorld (or a transcript of it) and our engine, playing one game in step."""

    def __init__(self, reference: Player, ours: Player) -> None:
        self.reference = reference
        self.ours = ours
        self.commands: list[str] = []
        """What was played since the last reset."""
        self.inadmissible: set[str] = set()
        """Those of them that the reference did not list as admissible."""
        self._last: Snapshot | None = None

    def reset(self) -> tuple[Snapshot, Mismatch | None]:
        """Start again, both."""
        self.commands.clear()
        self.inadmissible.clear()
        return self._after(self.reference.reset(), self.ours.reset)

    def step(self, command: str) -> tuple[Snapshot, Mismatch | None]:
        """Send the same command to both; the snapshot is the reference's."""
        self.commands.append(command)
        if self._last is not None and command not in self._last.commands:
            self.inadmissible.add(command)
        return self._after(self.reference.step(command), lambda: self.ours.step(command))

    def _after(
        self, expected: Snapshot, play: Callable[[], Snapshot]
    ) -> tuple[Snapshot, Mismatch | None]:
        self._last = expected
        try:
            found = differences(expected, play())
        except Exception as error:
            # Whatever our engine raises is a finding about it, to be reported like any other.
            found = [Difference("exception", None, f"{type(error).__name__}: {error}")]
        return expected, Mismatch(tuple(self.commands), tuple(found)) if found else None


def first_mismatch(
    duel: Duel, commands: Iterable[str], may_be_refused: Collection[str] = ()
) -> Mismatch | None:
    """Replay ``commands`` from the start up to the first disagreement.

    Gives up (None) at a command the reference does not admit, unless it ``may_be_refused``:
    a shorter sequence that fails because it no longer makes sense would show nothing.
    """
    snapshot, mismatch = duel.reset()
    for command in commands:
        if mismatch is not None:
            return mismatch
        if command not in snapshot.commands and command not in may_be_refused:
            return None
        snapshot, mismatch = duel.step(command)
    return mismatch


def shortest(duel: Duel, mismatch: Mismatch) -> Mismatch:
    """Drop commands, in ever smaller groups, for as long as a disagreement in the same field stays.

    The result cannot be made shorter by leaving out any single command (within the number of
    replays allowed).
    """
    may_be_refused = frozenset(duel.inadmissible)
    best = mismatch
    replays = 0
    size = max(1, len(best.commands) // 2)
    while size >= 1 and replays < _REPLAYS:
        shorter = None
        for candidate in _without_one_group(best.commands, size):
            replays += 1
            found = first_mismatch(duel, candidate, may_be_refused)
            if found is not None and found.fields & mismatch.fields:
                shorter = found
                break
            if replays >= _REPLAYS:
                break
        if shorter is not None:
            best = shorter
            size = min(size, max(1, len(best.commands) // 2))
        elif size == 1:
            break
        else:
            size //= 2
    return best


def _without_one_group(commands: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    """The sequence without each group of ``size`` commands, earliest group first."""
    for start in range(0, len(commands), size):
        yield (*commands[:start], *commands[start + size :])


def _explain(difference: Difference) -> list[str]:
    expected, got = difference.expected, difference.got
    if isinstance(expected, frozenset) and isinstance(got, frozenset):
        return [
            *_some("    missing", expected - got),
            *_some("    surplus", got - expected),
        ]
    if isinstance(expected, tuple) and isinstance(got, tuple) and set(expected) != set(got):
        return [
            *_some("    missing", set(expected) - set(got)),
            *_some("    surplus", set(got) - set(expected)),
        ]
    lines = [f"    expected {expected!r}", f"    got      {got!r}"]
    if isinstance(expected, str) and isinstance(got, str):
        at = next(
            (i for i, (a, b) in enumerate(zip(expected, got, strict=False)) if a != b),
            min(len(expected), len(got)),
        )
        lines.append(
            f"    first difference at character {at}: {expected[at : at + 20]!r}"
            f" / {got[at : at + 20]!r}"
        )
    return lines


def _some(label: str, items: Collection[Any]) -> list[str]:
    if not items:
        return []
    shown = sorted(map(str, items))
    more = f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
    return [f"{label} {', '.join(shown[:_SHOWN])}{more}"]
