"""A game on its way to becoming arrays: what all parts of the compiler look things up in."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from gata.engine import messages
from gata.engine.actions import DIRECTIONS, PLACES, Kind
from gata.engine.grounding import Grounding, Groundings
from gata.engine.logic import Logic, parse
from gata.engine.tables import FIELDS, Array
from gata.errors import GataError
from gata.facts import Fact
from gata.games.game import Entity, Game
from gata.graph.triples import Triple
from gata.graph.vocabulary import GraphVocabulary

KINDS = {
    "r": Kind.ROOM,
    "s": Kind.SUPPORTER,
    "c": Kind.CONTAINER,
    "d": Kind.DOOR,
    "o": Kind.PORTABLE,
}
"""TextWorld's types that are things of Inform's world -> what they are."""


@dataclass
class Pools:
    """Arrays under construction, by field."""

    values: dict[str, list[int]] = field(default_factory=lambda: {name: [] for name in FIELDS})

    def add(self, **values: int) -> None:
        """Append one number to each of the fields named."""
        for name, value in values.items():
            self.values[name].append(int(value))

    def size(self, pool: str) -> int:
        """How many items a pool has."""
        return max(len(self.values[name]) for name, spec in FIELDS.items() if spec.pool == pool)


def words_to_bits(indices: Iterable[int], size: int) -> Array:
    """A set of numbers below ``size`` as an array of 64-bit words."""
    bits = np.zeros(max(1, -(-size // 64)), np.uint64)
    for index in indices:
        bits[index // 64] |= np.uint64(1) << np.uint64(index % 64)
    return bits


class Draft:
    """One game under compilation.

    Entities, facts and edges go by number: entities in the order rooms, player, things; facts in
    the order of ``Groundings.facts``; edges by their id. ``edges`` and what follows from them are
    there once ``graphs.compile_edges`` has run, ``commands`` once ``commands.compile_actions`` has.
    """

    def __init__(self, game: Game, graph: GraphVocabulary, groundings: Groundings) -> None:
        self.game = game
        self.graph = graph
        self.logic: Logic = parse(game.rules_text)
        self.groundings = groundings
        self.names: Mapping[str, str] = game.names
        self.pools = Pools()
        self.texts: dict[str, int] = {}
        for piece in messages.Fixed:
            # Fixed pieces may repeat each other's text; their numbers are what counts.
            self.texts[f"\0{piece.value}"] = piece.value

        by_kind: dict[str, list[Entity]] = {kind: [] for kind in KINDS}
        for entity in game.entities.values():
            for kind in KINDS:
                if self.logic.is_a(entity.type, kind):
                    by_kind[kind].append(entity)
        self.rooms = by_kind["r"]
        if not self.rooms:
            raise GataError("field 'infos': the game has no room")
        things = [e for e in game.entities.values() if self.kind(e) & ~Kind.ROOM]
        player = game.entities.get("P")
        if player is None:
            raise GataError("field 'infos': the player (P) is missing")
        for entity in game.entities.values():
            kinds = self.kind(entity)
            if (kinds and entity.id in ("P", "I")) or (kinds & Kind.ROOM and kinds & ~Kind.ROOM):
                raise GataError(f"field 'infos': {entity.id} cannot be of type '{entity.type}'")
        self.entities: list[Entity] = [*self.rooms, player, *things]
        self.number = {entity.id: i for i, entity in enumerate(self.entities)}
        self.player = self.number["P"]
        self.number["I"] = self.player
        self.has_cooking = any(rule.name.startswith("cook/") for rule in self.logic.rules)

        self.facts = groundings.facts
        self.players_place = next((f for f in game.facts if is_players_place(f)), Fact("", ()))
        if self.players_place.ids[1:2] == ():
            raise GataError("field 'world': nothing says where the player (P) is")
        self.fact_number = {fact: i for i, fact in enumerate(self.facts)}
        self.doorways: dict[str, list[int]] = {}  # door -> the rooms it leads to
        for fact in game.facts:
            if fact.predicate == "link":
                self.doorways.setdefault(fact.ids[1], []).append(self.number[fact.ids[0]])
        self.place = {  # thing -> holder when play begins
            fact.ids[0]: fact.ids[1]
            for fact in game.facts
            if fact.predicate in PLACES and fact.ids[0] in self.number and fact.ids[0] != "P"
        }
        self.start_room = self.room_number(self.players_place.ids[1])
        self.exits: dict[tuple[str, int], int] = {}  # room, direction -> room
        for fact in game.facts:
            direction = fact.predicate.removesuffix("_of")
            if direction in DIRECTIONS and len(fact.ids) == 2:
                there, here = fact.ids
                self.exits[here, DIRECTIONS.index(direction)] = self.room_number(there)
        self.edges: dict[Triple, int] = {}
        self.edge_of: dict[Fact, int] = {}
        self.sights: dict[str, frozenset[Triple]] = {}
        self.initial_full: set[int] = set()
        self.initial_seen: set[int] = set()
        self.commands: list[str] = []

    def room_number(self, id_: str) -> int:
        """The number of an entity that must be a room."""
        number = self.number.get(id_, len(self.rooms))
        if number >= len(self.rooms):
            raise GataError(f"field 'world': '{id_}' should be a room")
        return number

    def can_hold(self, number: int) -> bool:
        """Whether an entity is a place for things."""
        holders = Kind.ROOM | Kind.SUPPORTER | Kind.CONTAINER
        return number == self.player or bool(self.kind(self.entities[number]) & holders)

    @property
    def meal(self) -> Entity | None:
        """What a recipe makes."""
        id_ = next((f.ids[0] for f in self.game.facts if f.predicate == "out"), None)
        if id_ is None:
            return None
        meal = self.game.entities.get(id_)
        if meal is None or not self.kind(meal) & Kind.PORTABLE:
            raise GataError(f"field 'world': the meal, '{id_}', cannot be carried")
        return meal

    def kind(self, entity: Entity) -> Kind:
        """What an entity is in Inform's world; nothing for what is not in it."""
        kinds = Kind(0)
        for name, kind in KINDS.items():
            if self.logic.is_a(entity.type, name):
                kinds |= kind
        return kinds

    def text(self, text: str) -> int:
        """The number of a piece of text."""
        return self.texts.setdefault(text, len(self.texts))

    def definite(self, entity: Entity) -> str:
        """``the carrot``; doors have names of their own."""
        if self.kind(entity) & Kind.DOOR:
            return entity.name
        return f"{entity.definite or 'the'} {entity.name}"

    @staticmethod
    def listed(entity: Entity, name: str) -> str:
        """A name with its indefinite article."""
        article = entity.indefinite or ("an" if name[:1].lower() in "aeiou" else "a")
        return f"{article} {name}"

    def is_food(self, entity: Entity) -> bool:
        """Whether it can be cooked and cut, and is named accordingly."""
        return self.has_cooking and self.logic.is_a(entity.type, "f")

    def player_at(self, room: str) -> Fact:
        """The fact that the player is in a room."""
        player, place = self.players_place.arguments
        return Fact("at", (player, place._replace(id=room)))

    def edges_of(self, triples: Iterable[Triple]) -> list[int]:
        """The numbers of those triples that are edges of the graph vocabulary."""
        return [self.edges[triple] for triple in triples if triple in self.edges]

    def needs(self, action: Grounding) -> list[Fact]:
        """Preconditions that can change, but for the player's place."""
        return [
            fact
            for fact in action.preconditions
            if fact not in self.groundings.static_facts and not is_players_place(fact)
        ]

    @staticmethod
    def room_of(action: Grounding) -> str | None:
        """Where the player must be for it; None: anywhere."""
        for fact in action.preconditions:
            if is_players_place(fact):
                return fact.ids[1]
        return None


def is_players_place(fact: Fact) -> bool:
    """Whether a fact says where the player is."""
    return fact.predicate == "at" and fact.arguments[0].type == "P"
