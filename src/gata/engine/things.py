"""Compiling things and rooms: names, descriptions, who holds what, what is seen where."""

from dataclasses import replace
from itertools import pairwise

from gata.engine import messages
from gata.engine.actions import (
    COOKINGS,
    CUTTINGS,
    DIRECTIONS,
    INITIAL_FLAGS,
    LACKING,
    Cooking,
    Cutting,
    Flag,
    Kind,
)
from gata.engine.commands import passes_filter
from gata.engine.drafting import Draft, words_to_bits
from gata.engine.templates import Do, Instruction, compile_template, quotes, room_text
from gata.errors import GataError
from gata.games.game import Entity
from gata.graph.extract import FOOD_STATES

COOKING_PREFIXES = ("", "raw ", "burned ", "grilled ", "roasted ", "fried ")
CUTTING_PREFIXES = ("", "sliced ", "diced ", "chopped ")
"""A food's name variants are numbered cutting * 6 + cooking, in these orders."""


def compile_entities(draft: Draft) -> None:
    """Names, descriptions, places and properties of all entities."""
    first, following, parent = _object_tree(draft)
    flags, cooking, cutting = _properties(draft)
    states: dict[str, list[int]] = {}
    for fact, number in draft.fact_number.items():
        if fact.predicate in FOOD_STATES:
            states.setdefault(fact.ids[0], []).append(number)
    carried = {
        fact.ids[0]: number
        for fact, number in draft.fact_number.items()
        if fact.predicate == "in" and fact.arguments[1].type == "I"
    }
    for index, entity in enumerate(draft.entities):
        food = draft.is_food(entity)
        kind = draft.kind(entity) | (Kind.FOOD if food else Kind(0))
        preposition = "on" if kind & Kind.SUPPORTER else "in"
        one, more = messages.CONTENTS[preposition]
        the = draft.definite(entity)
        draft.pools.add(
            entity_kind=kind,
            entity_names=len(draft.pools.values["name_plain"]),
            entity_program=len(draft.pools.values["program_do"]),
            entity_holds_one=draft.text(one.format(the)),
            entity_holds_more=draft.text(more.format(the)),
            entity_states=len(draft.pools.values["state_fact"]),
            entity_carried=carried.get(entity.id, -1),
            entity_parent=parent[index],
            entity_first=first[index],
            entity_next=following[index],
            entity_flags=flags[index],
            entity_cooking=cooking[index],
            entity_cutting=cutting[index],
        )
        _add_names(draft, entity, food)
        _add_program(draft, entity, kind)
        for fact_number in states.get(entity.id, ()):
            draft.pools.add(state_fact=fact_number)


def _add_names(draft: Draft, entity: Entity, food: bool) -> None:
    prefixes = [""]
    if food:
        prefixes = [cut + cook for cut in CUTTING_PREFIXES for cook in COOKING_PREFIXES]
    for prefix in prefixes:
        name = prefix + entity.name
        draft.pools.add(
            name_plain=draft.text(name), name_listed=draft.text(draft.listed(entity, name))
        )


def _add_program(draft: Draft, entity: Entity, kind: Kind) -> None:
    where = f"description of {entity.id} ({entity.name})"
    if kind & Kind.ROOM:
        heading = messages.HEADING.format(entity.name.title()) + "\n"
        code = compile_template(heading + room_text(entity.description), entity.id, where)
    elif entity.id == "P":
        code = [Instruction(Do.END)]
    else:
        # The name is said while examining, so a food's state comes before it.
        description = quotes(entity.description) or messages.NOTHING_SPECIAL.format(
            draft.definite(replace(entity, name="[noun]"))
        )
        code = compile_template(messages.NL + description, entity.id, where)
    base = len(draft.pools.values["program_do"])
    for step in code:
        if step.entity and step.entity not in draft.number:
            raise GataError(f"{where}: there is no entity '{step.entity}'")
        draft.pools.add(
            program_do=step.do,
            program_text=draft.text(step.text) if step.text else 0,
            program_entity=draft.number[step.entity] if step.entity else -1,
            program_jump=base + step.jump,
        )


def _object_tree(draft: Draft) -> tuple[list[int], list[int], list[int]]:
    """First child, next sibling and parent of every entity; siblings in TextWorld's order."""
    count = len(draft.entities)
    children: list[list[int]] = [[] for _ in range(count)]
    parent = [-1] * count
    for entity in draft.entities:
        holder = draft.place.get(entity.id)
        if holder is None:
            continue
        if holder not in draft.number or not draft.can_hold(draft.number[holder]):
            raise GataError(f"field 'world': {entity.id} is in '{holder}', which is no place")
        parent[draft.number[entity.id]] = draft.number[holder]
        children[draft.number[holder]].append(draft.number[entity.id])
    _check_no_circles(draft, parent)
    first, following = [-1] * count, [-1] * count
    for holder_number, held in enumerate(children):
        if held:
            first[holder_number] = held[0]
        for this, after in pairwise(held):
            following[this] = after
    return first, following, parent


def _check_no_circles(draft: Draft, parent: list[int]) -> None:
    """Whoever goes from holder to holder must get to an end."""
    for number, entity in enumerate(draft.entities):
        holder, steps = parent[number], 0
        while holder >= 0:
            holder, steps = parent[holder], steps + 1
            if steps > len(parent):
                raise GataError(f"field 'world': {entity.id} is, in the end, inside itself")


def _properties(draft: Draft) -> tuple[list[int], list[int], list[int]]:
    """Flags, cooking and cutting of every entity when play begins."""
    flags = [Flag.EDIBLE if draft.logic.is_a(e.type, "f") else Flag(0) for e in draft.entities]
    cooking = [Cooking.RAW] * len(draft.entities)
    cutting = [Cutting.UNCUT] * len(draft.entities)
    for fact in draft.game.facts:
        number = draft.number.get(fact.ids[0]) if len(fact.ids) == 1 else None
        if number is None:
            continue
        flags[number] |= INITIAL_FLAGS.get(fact.predicate, Flag(0))
        flags[number] &= ~LACKING.get(fact.predicate, Flag(0))
        cooking[number] = COOKINGS.get(fact.predicate, cooking[number])
        cutting[number] = CUTTINGS.get(fact.predicate, cutting[number])
    return [int(f) for f in flags], [int(c) for c in cooking], [int(c) for c in cutting]


def compile_rooms(draft: Draft) -> None:
    """Exits of the rooms, what is seen and what can be done there."""
    openable = [
        fact
        for fact in draft.groundings.dynamic_facts
        if fact.predicate in ("open", "closed") and len(fact.ids) == 1
    ]
    for room in draft.rooms:
        for direction_number in range(len(DIRECTIONS)):
            draft.pools.add(room_exits=draft.exits.get((room.id, direction_number), -1))
        draft.pools.add(
            room_sights=len(draft.pools.values["sight_edge"]),
            room_watched=len(draft.pools.values["watch_fact"]),
        )
        for edge in sorted(draft.edges_of(draft.sights[room.id])):
            draft.pools.add(sight_edge=edge)
        near = {fact.ids[0] for fact in draft.game.facts if fact.ids[1:] == (room.id,)}
        near |= {
            fact.ids[1]
            for fact in draft.game.facts
            if fact.predicate == "link" and fact.ids[0] == room.id
        }
        for fact in openable:
            if fact.ids[0] in near:
                draft.pools.add(watch_fact=draft.fact_number[fact])
        _add_masks(draft, room)


def _add_masks(draft: Draft, room: Entity) -> None:
    actions = draft.groundings.actions
    possible = [i for i, a in enumerate(actions) if draft.room_of(a) in (None, room.id)]
    kept = [i for i in possible if passes_filter(actions[i].command)]
    for name, indices in (("mask_all", possible), ("mask_filtered", kept)):
        draft.pools.values[name].extend(map(int, words_to_bits(indices, len(actions))))
