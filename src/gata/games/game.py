"""A game: TextWorld's own JSON, with typed access to the parts that matter."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from gata.errors import GataError
from gata.facts import Fact

SERIAL_VERSION = 1
"""The version TextWorld 1.7 writes into its game files."""

_REQUIRED_FIELDS = {
    "world": list,
    "quests": list,
    "infos": list,
    "KB": dict,
    "metadata": dict,
    "objective": str,
}


class Ingredient(NamedTuple):
    """One line of a recipe: the food and the state it must be in when the meal is prepared."""

    food: str
    cooking: str
    cutting: str


@dataclass(frozen=True)
class Entity:
    """A room, door, object or abstract thing of a game."""

    id: str
    type: str
    name: str
    """The printed name; empty for the player, the inventory and the recipe's abstract parts."""
    description: str
    indefinite: str | None
    """The article ("some") where it is not a/an."""
    definite: str | None
    synonyms: tuple[str, ...]


@dataclass(frozen=True)
class Event:
    """Happens when all its conditions hold."""

    conditions: tuple[Fact, ...]


@dataclass(frozen=True)
class Quest:
    """Worth ``reward`` points once any of ``win_events`` happens; lost once a fail event does."""

    win_events: tuple[Event, ...]
    fail_events: tuple[Event, ...]
    reward: int
    optional: bool
    repeatable: bool


@dataclass(frozen=True)
class Game:
    """One TextWorld 1.7 game.

    ``data`` is the whole JSON as TextWorld reads and writes it; nothing is lost, so a game can
    be handed back to TextWorld at any time. The properties are typed views of it.
    """

    name: str
    data: Mapping[str, Any]

    @classmethod
    def from_json(cls, text: str | bytes, name: str) -> "Game":
        """Parse a TextWorld game file's text; ``name`` says in errors where it came from."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise GataError(f"{name}: not a JSON file ({error})") from error
        if not isinstance(data, dict):
            raise GataError(f"{name}: expected a JSON object, found {type(data).__name__}")
        version = data.get("version")
        if version != SERIAL_VERSION:
            raise GataError(
                f"{name}: field 'version' is {version!r}, expected {SERIAL_VERSION} (TextWorld 1.7)"
            )
        for field, kind in _REQUIRED_FIELDS.items():
            if not isinstance(data.get(field), kind):
                raise GataError(f"{name}: field '{field}' is missing or not a {kind.__name__}")
        game = cls(name, data)
        for field, part in (("infos", "entities"), ("world", "facts"), ("quests", "quests")):
            try:
                getattr(game, part)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise GataError(
                    f"{name}: field '{field}' is not as TextWorld 1.7 writes it"
                    f" ({type(error).__name__}: {error})"
                ) from error
        return game

    @classmethod
    def load(cls, path: Path) -> "Game":
        """Read a ``.json`` game file made by TextWorld 1.7."""
        try:
            text = path.read_bytes()
        except OSError as error:
            raise GataError(f"{path}: cannot read the game ({error.strerror})") from error
        return cls.from_json(text, str(path))

    @cached_property
    def entities(self) -> Mapping[str, Entity]:
        """All entities by id, in TextWorld's own order (which decides how things are listed)."""
        return {
            id_: Entity(
                id=id_,
                type=info["type"],
                name=info["name"] or "",
                description=info["desc"] or "",
                indefinite=info["indefinite"],
                definite=info["definite"],
                synonyms=tuple(info["synonyms"] or ()),
            )
            for id_, info in self.data["infos"]
        }

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The printed names of all entities, by id."""
        return {entity.id: entity.name for entity in self.entities.values()}

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """What is true when the game starts."""
        return tuple(Fact.from_json(fact) for fact in self.data["world"])

    @cached_property
    def quests(self) -> tuple[Quest, ...]:
        """The quests in the order in which they are checked after each turn."""

        def events(items: list[Any]) -> tuple[Event, ...]:
            return tuple(
                Event(tuple(Fact.from_json(f) for f in item["condition"]["preconditions"]))
                for item in items
            )

        return tuple(
            Quest(
                win_events=events(quest["win_events"]),
                fail_events=events(quest["fail_events"]),
                reward=quest["reward"],
                optional=quest["optional"],
                repeatable=quest["repeatable"],
            )
            for quest in self.data["quests"]
        )

    @property
    def rules_text(self) -> str:
        """The game logic in TextWorld's own language: types, rules, command templates."""
        return str(self.data["KB"]["logic"])

    @property
    def objective(self) -> str:
        """The sentence that opens the game."""
        return str(self.data["objective"])

    @property
    def recipe(self) -> tuple[Ingredient, ...]:
        """What the meal is made of; empty for games that are not cooking games."""
        return tuple(Ingredient(*line) for line in self.data["metadata"].get("ingredients", ()))

    @property
    def walkthrough(self) -> tuple[str, ...]:
        """TextWorld's own winning list of commands."""
        return tuple(self.data["metadata"].get("walkthrough") or ())

    @cached_property
    def max_score(self) -> int:
        """The sum of all quests' rewards."""
        return sum(quest.reward for quest in self.quests)

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 of the canonical JSON, in hex: equal hashes mean equal games, to the letter."""
        return hashlib.sha256(canonical_json(self.data)).hexdigest()


def canonical_json(data: Any) -> bytes:
    """The one way a game is written as bytes: sorted keys, no blanks, UTF-8."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8")
