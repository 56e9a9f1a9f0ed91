"""Inform's world as free text is answered from it: what stays as it is, and what moves."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from gata.engine import messages
from gata.engine.actions import DIRECTIONS, PLACES, Flag, Kind
from gata.engine.commands import understood_words
from gata.engine.compiler import CompiledGame
from gata.engine.core import Batch
from gata.engine.templates import objective_text
from gata.games.game import Entity, Game

DETERMINERS = re.compile(
    r"^(?:(?:the|a|an|some|my|this|that|these|those|his|her|its|their|one|1) )+"
)
"""Words that may stand before a thing and say nothing."""

Exits = Mapping[str, tuple[str, str | None]]
"""Direction -> the room there, and the door between."""


@dataclass(frozen=True)
class Scene:
    """What never changes in a game."""

    entities: Mapping[str, Entity]
    """Things by id, rooms left out."""
    numbers: Mapping[str, int]
    """Their numbers in the engine."""
    kinds: Mapping[str, Kind]
    words: Mapping[str, set[str]]
    """The words each thing may be called by."""
    properties: frozenset[tuple[str, str]]
    """(property, thing): drinkable, sharp."""
    keys: Mapping[str, str]
    """Locked thing -> its key."""
    ids: tuple[str, ...]
    """Things, rooms and the player, by number."""
    exits: Mapping[str, Exits]
    """By room."""
    kitchen_room: str | None
    """Where meals are prepared; None in games without cooking."""
    kitchen: str | None
    """Its heading."""
    objective: str

    @classmethod
    def of(cls, game: Game, compiled: CompiledGame) -> "Scene":
        """Read it from a game."""
        numbers = {
            id_: number
            for number, id_ in enumerate(compiled.entities)
            if compiled.kinds[number] & ~Kind.ROOM
        }
        kitchen = next((f.ids[0] for f in game.facts if f.predicate == "cooking_location"), None)
        return cls(
            entities={id_: game.entities[id_] for id_ in numbers},
            numbers=numbers,
            kinds={id_: compiled.kinds[number] for id_, number in numbers.items()},
            words={id_: understood_words(game.entities[id_]) for id_ in numbers},
            properties=frozenset(
                (f.predicate, f.ids[0])
                for f in game.facts
                if len(f.ids) == 1 and f.predicate not in PLACES
            ),
            keys={f.ids[1]: f.ids[0] for f in game.facts if f.predicate == "match"},
            ids=compiled.entities,
            exits=_exits(game),
            kitchen_room=kitchen,
            kitchen=kitchen and messages.HEADING.format(game.entities[kitchen].name.title()),
            objective=objective_text(game.objective),
        )

    @property
    def cooking(self) -> bool:
        """Whether the game's verbs are those of cooking."""
        return self.kitchen_room is not None


def _exits(game: Game) -> dict[str, dict[str, tuple[str, str | None]]]:
    doors = {f.ids[0::2]: f.ids[1] for f in game.facts if f.predicate == "link"}
    exits: dict[str, dict[str, tuple[str, str | None]]] = {}
    for fact in game.facts:
        direction = fact.predicate.removesuffix("_of")
        if direction in DIRECTIONS:
            there, here = fact.ids
            exits.setdefault(here, {})[direction] = (there, doors.get((here, there)))
    return exits


@dataclass(frozen=True)
class World:
    """Inform's world at one moment."""

    scene: Scene
    room: str
    parent: Mapping[str, str]
    """Thing -> what holds it: a room, the player (P) or another thing."""
    flags: Mapping[str, int]
    """The ``Flag`` of each thing."""
    cutting: Mapping[str, int]
    in_sight: tuple[str, ...]
    """The things the player can see and reach."""
    score: str

    @classmethod
    def now(cls, scene: Scene, batch: Batch, max_score: int) -> "World":
        """What the engine's only row holds."""
        parent, flags, cutting = (batch.part(0, name) for name in ("parent", "flags", "cutting"))
        room = scene.ids[batch.info(0, "room")]
        doors = {door for _, door in scene.exits.get(room, {}).values()}
        turns = batch.info(0, "turn")
        return cls(
            scene=scene,
            room=room,
            parent={
                id_: scene.ids[parent[number]]
                for id_, number in scene.numbers.items()
                if parent[number] >= 0
            },
            flags={id_: flags[number] for id_, number in scene.numbers.items()},
            cutting={id_: cutting[number] for id_, number in scene.numbers.items()},
            in_sight=tuple(
                id_
                for id_, number in scene.numbers.items()
                if (id_ in doors if scene.kinds[id_] & Kind.DOOR else batch.in_scope(0, number))
            ),
            score=messages.SCORE_SO_FAR.format(
                batch.info(0, "score"), max_score, f"{turns} turn{'s' if turns != 1 else ''}"
            ),
        )

    @property
    def exits(self) -> Exits:
        """The ways out of this room."""
        return self.scene.exits.get(self.room, {})

    @property
    def in_kitchen(self) -> bool:
        """Whether meals can be prepared here."""
        return self.room == self.scene.kitchen_room

    def has(self, thing: str, flag: Flag) -> bool:
        """Whether a thing has a property now."""
        return bool(self.flags[thing] & flag)

    def is_(self, thing: str, property_: str) -> bool:
        """Whether a thing has a property for ever."""
        return (property_, thing) in self.scene.properties

    def is_food(self, thing: str) -> bool:
        """Whether a thing can be cooked and cut: Inform thinks so of all food."""
        return self.scene.entities[thing].type in ("f", "meal")

    def find(self, phrase: str) -> str | None:
        """The thing in sight that words stand for; None if there is none, or more than one."""
        phrase = DETERMINERS.sub("", phrase)
        exact = [thing for thing in self.in_sight if self.name(thing).lower() == phrase]
        if exact:
            return exact[0]
        words = set(phrase.split(" "))
        fitting = [thing for thing in self.in_sight if words <= self.scene.words[thing]]
        return fitting[0] if len(fitting) == 1 else None

    def name(self, thing: str) -> str:
        """Its name as commands have it."""
        return self.scene.entities[thing].name

    def the(self, thing: str) -> str:
        """Its name with the definite article; doors have names of their own."""
        if self.scene.kinds[thing] & Kind.DOOR:
            return self.name(thing)
        return f"{self.scene.entities[thing].definite or 'the'} {self.name(thing)}"

    def the_first(self, thing: str) -> str:
        """The same at the beginning of a sentence; names keep their own capitals."""
        text = self.the(thing)
        return text[:1].upper() + text[1:]
