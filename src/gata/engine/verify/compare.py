"""Two players, the same commands: where they disagree, and the shortest way to show it."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from gata.engine.verify.snapshot import Difference, Player, Snapshot, differences

_REPLAYS = 400
"""How often a failing game may be replayed to find a shorter way to the same failure."""

_REGROUP = 4
"""Once single commands were left out, groups of this size are tried again."""

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


class Move(NamedTuple):
    """A command and whether the reference did not list it as admissible."""

    command: str
    is_refused: bool = False


class Duel:
    """Real TextWorld (or a transcript of it) and our engine, playing one game in step."""

    def __init__(self, reference: Player, ours: Player) -> None:
        self.reference = reference
        self.ours = ours
        self.moves: list[Move] = []
        """What was played since the last reset."""

    def reset(self) -> tuple[Snapshot, Mismatch | None]:
        """Start again, both."""
        self.moves.clear()
        return self._after(self.reference.reset(), self.ours.reset)

    def step(self, command: str) -> tuple[Snapshot, Mismatch | None]:
        """Send the same command to both; the snapshot is the reference's."""
        self.moves.append(Move(command, command not in self.last.commands))
        return self._after(self.reference.step(command), lambda: self.ours.step(command))

    @property
    def drew_lots(self) -> bool:
        """Whether chance decided what the reference did last; nobody can do the same then."""
        return getattr(self.reference, "drew_lots", False)

    def _after(
        self, expected: Snapshot, play: Callable[[], Snapshot]
    ) -> tuple[Snapshot, Mismatch | None]:
        self.last = expected
        try:
            found = differences(expected, play())
        except Exception as error:
            # Whatever our engine raises is a finding about it, to be reported like any other.
            found = [Difference("exception", None, f"{type(error).__name__}: {error}")]
        commands = tuple(move.command for move in self.moves)
        return expected, Mismatch(commands, tuple(found)) if found else None


def replay(duel: Duel, moves: Sequence[Move]) -> Mismatch | None:
    """Play ``moves`` from the start up to the first disagreement.

    Gives up (None) at a command the reference does not admit, unless the move says that it was
    refused before: a sequence that fails because it no longer makes sense shows nothing.
    """
    snapshot, mismatch = duel.reset()
    for command, may_be_refused in moves:
        if mismatch is not None:
            return mismatch
        if command not in snapshot.commands and not may_be_refused:
            return None
        snapshot, mismatch = duel.step(command)
    return mismatch


def shortest(duel: Duel, mismatch: Mismatch) -> Mismatch:
    """Drop commands, in ever smaller groups, for as long as a disagreement in the same field stays.

    To be called right after ``duel`` showed ``mismatch``. The result cannot be made shorter by
    leaving out any one command or two neighbours (within the number of replays allowed). If the
    last command was refused by the reference, it must be refused in the same words: otherwise any
    nonsense would do.
    """
    best, moves = mismatch, list(duel.moves)
    refusal = _message(duel.last) if moves and moves[-1].is_refused else None
    replays = 0
    size = len(moves) // 2
    while size >= 1 and replays < _REPLAYS:
        is_shorter = False
        start = 0
        while start < len(moves) and replays < _REPLAYS:
            replays += 1
            found = replay(duel, moves[:start] + moves[start + size :])
            if (
                found is not None
                and found.fields & mismatch.fields
                and (refusal is None or refusal == _message(duel.last))
            ):
                best, moves, is_shorter = found, list(duel.moves), True
            else:
                # Groups overlap, so that commands that only make sense together go together.
                start += max(1, size // 2)
        # What could be left out may have been all that held a larger group in place.
        size = min(_REGROUP, len(moves)) if is_shorter and size == 1 else size // 2
    return best


def _message(snapshot: Snapshot) -> str:
    return snapshot.feedback.partition(">")[0]


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
