"""When two games are the same game: by what is in them, never by how they are called.

Two games with the same recipe, the same map and the same things in the same places and states
are one game, even if their texts are worded differently or they were made from other seeds.
"""

import hashlib
import json
from collections.abc import Collection
from typing import NamedTuple

from gata.games.game import Game

_DIRECTIONS = ("north_of", "south_of", "east_of", "west_of")


class Passage(NamedTuple):
    """``place`` lies in ``direction`` (``north_of`` ...) of ``other``, perhaps behind a door."""

    place: str
    direction: str
    other: str
    door: str | None


def game_map(game: Game) -> frozenset[Passage]:
    """The rooms' connections by name; a single room has none."""
    names = game.names
    doors = {
        frozenset((fact.ids[0], fact.ids[2])): names[fact.ids[1]]
        for fact in game.facts
        if fact.predicate == "link"
    }
    return frozenset(
        Passage(names[a], fact.predicate, names[b], doors.get(frozenset((a, b))))
        for fact in game.facts
        if fact.predicate in _DIRECTIONS
        for a, b in [fact.ids]
    )


class Fingerprint(NamedTuple):
    """What a game is made of, as two digests (hex, 128 bits each)."""

    world: str
    """Of the recipe and of every fact of the starting world, by name: the whole game."""
    plan: str
    """Of the recipe and the map alone; empty where there is one room and so no map.

    Games of one plan differ in their furniture, extra foods and places of things at most.
    """

    def meets(self, others: Collection["Fingerprint"]) -> bool:
        """Whether one of the others is the same game, or has the same plan."""
        return any(
            self.world == other.world or (self.plan and self.plan == other.plan) for other in others
        )


def fingerprint(game: Game) -> Fingerprint:
    """The fingerprint of a game.

    Unnamed entities (player, inventory, recipe parts, slots) are known by their type; what the
    recipe parts stand for is in the recipe itself.
    """
    names = {e.id: e.name or e.type for e in game.entities.values()}
    recipe = sorted(game.recipe)
    facts = sorted([fact.predicate, *(names[id_] for id_ in fact.ids)] for fact in game.facts)
    passages = sorted(
        [place, direction, other, door or ""] for place, direction, other, door in game_map(game)
    )
    return Fingerprint(
        world=_digest([recipe, facts]),
        plan=_digest([recipe, passages]) if passages else "",
    )


def _digest(value: object) -> str:
    text = json.dumps(value, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]
