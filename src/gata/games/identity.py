"""When two games are the same game: by what is in them, never by how they are called.

Two games with the same recipe, the same map and the same things in the same places and states
are one game, even if their texts are worded differently or they were made from other seeds.
"""

import hashlib
import json
from typing import NamedTuple

from gata.games.game import Game, Ingredient

_DIRECTIONS = ("north_of", "south_of", "east_of", "west_of")


class Passage(NamedTuple):
    """``place`` lies in ``direction`` (``north_of`` ...) of ``other``, perhaps behind a door."""

    place: str
    direction: str
    other: str
    door: str | None


def game_map(game: Game) -> frozenset[Passage]:
    """The rooms' connections by name; a single room has none."""
    names = {entity.id: entity.name for entity in game.entities.values()}
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


def recipe_and_map(game: Game) -> tuple[tuple[Ingredient, ...], frozenset[Passage]]:
    """What is cooked and where: the coarse identity, shared by games that differ in detail only."""
    return tuple(sorted(game.recipe)), game_map(game)


def world_fingerprint(game: Game) -> str:
    """Hex digest (128 bits) of the recipe and of every fact of the starting world, by names.

    Unnamed entities (player, inventory, recipe parts, slots) are known by their type; what the
    recipe parts stand for is in the recipe itself.
    """
    names = {e.id: e.name or e.type for e in game.entities.values()}
    facts = sorted([fact.predicate, *(names[id_] for id_ in fact.ids)] for fact in game.facts)
    world = json.dumps([sorted(game.recipe), facts], separators=(",", ":"))
    return hashlib.sha256(world.encode()).hexdigest()[:32]
