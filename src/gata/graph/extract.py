"""Graphs from facts: what is true of a game (full) and what the player may know of it (seen).

This is the definition of both graphs, written to be read; the engine keeps the same graphs
incrementally and is checked against this module.

Facts carry the ids of entities (``f_0``); triples carry printed names (``carrot``). Graphs are
made of facts for as long as possible and named at the end, by ``triples_from_facts``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gata.facts import Action, Fact, Variable
from gata.graph.triples import Triple

DIRECTIONS = ("north_of", "south_of", "east_of", "west_of")
"""``north_of(a, b)``: a lies to the north of b."""

RELATIONS_IN_FACTS = frozenset({"in", "on", "at", "needs", "part_of", *DIRECTIONS})
"""Predicates over two things that are edges as they stand."""

COOKED = ("roasted", "grilled", "fried")
CUT = ("sliced", "chopped", "diced")
FOOD_STATES = frozenset({*COOKED, *CUT, "raw", "uncut", "burned"})
"""What can be seen of a food by looking at it."""

STATES = FOOD_STATES | {"open", "closed", "consumed"}
"""Predicates over one thing that become ``(thing, state, is)``. All others stay out of graphs."""

EXIT = Variable("exit", "LOCATION")
"""What stands for a room behind an exit whose name the player does not know."""

COOKBOOK = "cookbook"
"""The name of what tells the recipe, and the node that stands for it."""

_NODE_OF_TYPE = {"P": "player", "I": "player", "RECIPE": COOKBOOK}
"""Entities that share a node, by type: what is carried is in the player."""

_HIDDEN_TYPES = frozenset({"ingredient", "slot"})
"""A recipe's abstract lines and the places of a limited inventory: facts on them never show."""

_NAMED_BY_ID = frozenset({EXIT.type, "STATE"})
"""Arguments made here, whose id is their name."""


def full_graph(facts: Iterable[Fact], names: Mapping[str, str]) -> frozenset[Triple]:
    """Everything that is true: where things are, their states, the map, the recipe.

    A door stands between its two rooms: ``north_of(door, room)`` takes the place of
    ``north_of(other room, room)``. Rooms without a door between them keep both directions.

    Args:
        facts: all facts of the game at one moment.
        names: printed names by entity id.
    """
    facts = frozenset(facts)
    on_the_map = {fact for fact in facts if fact.predicate in DIRECTIONS}
    behind_doors = {
        fact: Fact(fact.predicate, (link.arguments[1], link.arguments[0]))
        for fact in on_the_map
        for link in _by_predicate(facts, "link")
        if (link.ids[2], link.ids[0]) == fact.ids
    }
    facts = facts - behind_doors.keys() | set(behind_doors.values())
    return triples_from_facts(facts | recipe(facts), names)


@dataclass(frozen=True)
class SeenGraph:
    """What the player has come to know. Nothing is forgotten but what actions undo.

    It depends on the world only through what is passed in::

        seen = SeenGraph.start(facts)
        seen = seen.after(action, facts, names)   # facts once the action is done
        graph = seen.triples(names)
    """

    facts: frozenset[Fact]

    @classmethod
    def start(cls, facts: Iterable[Fact]) -> "SeenGraph":
        """The first look around, at the start of a game whose facts are ``facts``."""
        return cls(in_sight(frozenset(facts)))

    def after(
        self, action: Action | None, facts: Iterable[Fact], names: Mapping[str, str]
    ) -> "SeenGraph":
        """What is known after a command. How it was worded does not matter.

        Args:
            action: the action the command really performed, None if it performed none (it was
                refused, or it is one that TextWorld does not track). Beware of TextWorld 1.7:
                after a command that performs nothing its ``last_action`` still holds the action
                before; passing that one would do it a second time.
            facts: all facts of the game after the command.
            names: printed names by entity id.
        """
        if action is None:
            return self
        facts = frozenset(facts)
        if action.rule == "inventory":
            return SeenGraph(self.facts | carried(facts))
        if _reads_the_cookbook(action, names):
            return SeenGraph(self.facts | recipe(facts))
        # An action shows that its conditions held, even those the player had not seen: to have
        # gone north is to know what lies north.
        known = (self.facts | action.preconditions) - action.removed | action.added
        return SeenGraph(known | in_sight(facts))

    def triples(self, names: Mapping[str, str]) -> frozenset[Triple]:
        """The graph; ``names`` are printed names by entity id."""
        return triples_from_facts(self.facts, names)


def in_sight(facts: frozenset[Fact]) -> frozenset[Fact]:
    """What the player sees where they stand: things, their states, doors and exits."""
    (player,) = (fact for fact in _by_predicate(facts, "at") if fact.arguments[0].type == "P")
    room = player.arguments[1]
    here = {fact for fact in _by_predicate(facts, "at") if fact.arguments[1] == room}
    near = {fact.arguments[0] for fact in here}
    opened = {fact.arguments[0] for fact in _by_predicate(facts, "open")}
    on_top = {fact for fact in _by_predicate(facts, "on") if fact.arguments[1] in near}
    inside = {fact for fact in _by_predicate(facts, "in") if fact.arguments[1] in near & opened}
    doors = {
        (link.arguments[1], link.arguments[2])
        for link in _by_predicate(facts, "link")
        if link.arguments[0] == room
    }
    openings = near | {door for door, _ in doors}
    things = {fact.arguments[0] for fact in here | on_top | inside}
    states = {
        fact
        for fact in facts
        if (fact.predicate in FOOD_STATES and fact.arguments[0] in things)
        or (fact.predicate in ("open", "closed") and fact.arguments[0] in openings)
    }
    ways = {fact for fact in facts if fact.predicate in DIRECTIONS and fact.arguments[1] == room}
    exits = {Fact(way.predicate, (EXIT, room, way.arguments[0])) for way in ways}
    doorways = {
        Fact(way.predicate, (door, room))
        for way in ways
        for door, behind in doors
        if way.arguments[0] == behind
    }
    return frozenset(here | on_top | inside | states | exits | doorways)


def _reads_the_cookbook(action: Action, names: Mapping[str, str]) -> bool:
    """Whether a thing of that name is examined; an examined thing is among the conditions."""
    return action.rule.partition("/")[0] == "examine" and any(
        names.get(id_, "").lower() == COOKBOOK for fact in action.preconditions for id_ in fact.ids
    )


def carried(facts: frozenset[Fact]) -> frozenset[Fact]:
    """What the player learns from looking into their pockets: the things and the foods' states."""
    inside = {fact for fact in _by_predicate(facts, "in") if fact.arguments[1].type == "I"}
    things = {fact.arguments[0] for fact in inside}
    states = {
        fact for fact in facts if fact.predicate in FOOD_STATES and fact.arguments[0] in things
    }
    return frozenset(inside | states)


def recipe(facts: frozenset[Fact]) -> frozenset[Fact]:
    """What the cookbook tells: the foods of the meal, and how each must be cooked and cut."""
    recipe_of = {
        fact.arguments[0]: fact.arguments[1]
        for fact in _by_predicate(facts, "in")
        if fact.arguments[0].type == "ingredient"
    }
    food_of = {fact.arguments[1]: fact.arguments[0] for fact in _by_predicate(facts, "base")}
    parts = {
        Fact("part_of", (food_of[line], book))
        for line, book in recipe_of.items()
        if line in food_of
    }
    needs = {
        Fact("needs", (food_of[fact.arguments[0]], Variable(fact.predicate, "STATE")))
        for fact in facts
        if fact.predicate in (*COOKED, *CUT)
        and fact.arguments[0] in recipe_of
        and fact.arguments[0] in food_of
    }
    return frozenset(parts | needs)


def triples_from_facts(facts: Iterable[Fact], names: Mapping[str, str]) -> frozenset[Triple]:
    """The edges among ``facts``, by name; facts that are no edges are left out."""
    triples = {
        _triple(fact, names)
        for fact in facts
        if not any(argument.type in _HIDDEN_TYPES for argument in fact.arguments)
        and (fact.predicate in RELATIONS_IN_FACTS or fact.predicate in STATES)
    }
    # Burned food is no longer roasted, grilled or fried, although TextWorld's facts say so; nor
    # does it need to be any more, as it never can be again.
    burned = {triple.source for triple in triples if triple.target == "burned"}
    return frozenset(
        triple for triple in triples if not (triple.source in burned and triple.target in COOKED)
    )


def _triple(fact: Fact, names: Mapping[str, str]) -> Triple:
    source, *rest = (_name(argument, names) for argument in fact.arguments)
    if fact.predicate in STATES:
        return Triple(source, fact.predicate, "is")
    # An exit has a third argument, the room behind it, which the player does not know.
    return Triple(source, rest[0], fact.predicate)


def _name(argument: Variable, names: Mapping[str, str]) -> str:
    if argument.type in _NODE_OF_TYPE:
        return _NODE_OF_TYPE[argument.type]
    if argument.type in _NAMED_BY_ID:
        return argument.id
    return names[argument.id].lower()


def _by_predicate(facts: frozenset[Fact], predicate: str) -> list[Fact]:
    return [fact for fact in facts if fact.predicate == predicate]
