"""What a player says after a command, in one form for TextWorld, a transcript and our engine."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from gata.facts import Fact
from gata.graph.triples import Triple
from gata.language.tokenizer import clean, tokenize
from gata.language.vocabulary import default


class Tokens(NamedTuple):
    """The three texts as an encoder reads them: ids of the default vocabulary."""

    feedback: tuple[int, ...]
    description: tuple[int, ...]
    inventory: tuple[int, ...]

    @classmethod
    def of(cls, feedback: str, description: str, inventory: str) -> "Tokens":
        """The tokens the texts must give."""
        return cls(token_ids(feedback), token_ids(description), token_ids(inventory))


@lru_cache(maxsize=10_000)
def token_ids(text: str) -> tuple[int, ...]:
    """A text cleaned, split and looked up."""
    return tuple(default().encode(tokenize(clean(text))))


@dataclass(frozen=True)
class Snapshot:
    """Everything there is to know after a reset or a step; strings are TextWorld's, to the byte.

    ``moves`` and ``last_action`` repeat what TextWorld reports, with its oddities (a command
    without any effect leaves both as they were).
    """

    feedback: str
    description: str
    inventory: str
    commands: tuple[str, ...]
    """The admissible commands, in TextWorld's order."""
    score: int
    max_score: int
    moves: int
    won: bool
    lost: bool
    done: bool
    last_action: str | None
    """The last action TextWorld saw, as a command; None if there was none or it is unknown."""
    facts: frozenset[Fact]
    full_graph: frozenset[Triple]
    seen_graph: frozenset[Triple]
    tokens: Tokens


class Player(Protocol):
    """Something that plays one game, step by step."""

    def reset(self) -> Snapshot:
        """Start again."""
        ...

    def step(self, command: str) -> Snapshot:
        """Send one command."""
        ...

    def close(self) -> None:
        """Give back what the player holds."""
        ...


def room_of(facts: Iterable[Fact]) -> str:
    """The id of the room the player is in."""
    return next(
        fact.ids[1] for fact in facts if fact.predicate == "at" and fact.arguments[0].type == "P"
    )


class Difference(NamedTuple):
    """One field in which two snapshots disagree."""

    field: str
    expected: Any
    got: Any


def differences(expected: Snapshot, got: Snapshot) -> list[Difference]:
    """The fields that differ, in the order of ``Snapshot``'s fields."""
    return [
        Difference(field.name, wanted, found)
        for field in fields(Snapshot)
        if (wanted := getattr(expected, field.name)) != (found := getattr(got, field.name))
    ]
