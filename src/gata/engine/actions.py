"""What Inform does for each kind of rule, as tables: verbs, cooking, cutting, and what is where.

Two worlds run side by side in TextWorld. Inform's world makes the text, the score and the end;
TextWorld's facts make the admissible commands. The rules of the facts come with the game
(``logic``); the tables here say what the same commands do in Inform's world.
"""

from enum import IntEnum, IntFlag
from typing import NamedTuple


class Op(IntEnum):
    """What a command does in Inform's world."""

    LOOK = 0
    INVENTORY = 1
    EXAMINE = 2
    GO = 3
    OPEN = 4
    CLOSE = 5
    LOCK = 6
    UNLOCK = 7
    TAKE = 8
    PUT = 9
    DROP = 10
    EAT = 11
    DRINK = 12
    CUT = 13
    COOK = 14
    PREPARE = 15


NOUNS: dict[Op, int] = {
    **dict.fromkeys(Op, 1),
    **dict.fromkeys((Op.LOOK, Op.INVENTORY, Op.GO, Op.PREPARE), 0),
    Op.PUT: 2,
}
"""How many things a command must name at least."""

MOVING = (Op.TAKE, Op.PUT, Op.DROP)
"""What gives the first thing named another holder."""


class Cooking(IntEnum):
    """Inform's "type of cooking" of a food; the first is the default."""

    RAW = 0
    GRILLED = 1
    ROASTED = 2
    FRIED = 3


class Cutting(IntEnum):
    """Inform's "type of cutting" of a food; the first is the default."""

    UNCUT = 0
    SLICED = 1
    DICED = 2
    CHOPPED = 3


class Flag(IntFlag):
    """Properties a thing has or has not in Inform's world."""

    OPEN = 1
    LOCKED = 2
    COOKED = 4
    BURNED = 8
    NEEDS_COOKING = 16
    EDIBLE = 32
    CONSUMED = 64


class Kind(IntFlag):
    """What an entity is, as far as text depends on it."""

    ROOM = 1
    SUPPORTER = 2
    CONTAINER = 4
    DOOR = 8
    FOOD = 16
    PORTABLE = 32


class Check(IntEnum):
    """What a quest's condition looks at in Inform's world."""

    HELD_BY = 0
    PLAYER_IN = 1
    COOKING_IS = 2
    CUTTING_IS = 3
    HAS_FLAG = 4
    LACKS_FLAGS = 5
    NOWHERE = 6


class Verb(NamedTuple):
    """How the rules of one name are carried out."""

    op: Op
    kind: int = 0
    """What the food becomes, for CUT; the direction, for GO."""


DIRECTIONS = ("north", "south", "east", "west")

VERBS: dict[str, Verb] = {
    "look": Verb(Op.LOOK),
    "inventory": Verb(Op.INVENTORY),
    "examine": Verb(Op.EXAMINE),
    **{f"go/{name}": Verb(Op.GO, i) for i, name in enumerate(DIRECTIONS)},
    "open": Verb(Op.OPEN),
    "close": Verb(Op.CLOSE),
    "lock": Verb(Op.LOCK),
    "unlock": Verb(Op.UNLOCK),
    "take": Verb(Op.TAKE),
    "insert": Verb(Op.PUT),
    "put": Verb(Op.PUT),
    "drop": Verb(Op.DROP),
    "eat": Verb(Op.EAT),
    "drink": Verb(Op.DRINK),
    "slice": Verb(Op.CUT, Cutting.SLICED),
    "dice": Verb(Op.CUT, Cutting.DICED),
    "chop": Verb(Op.CUT, Cutting.CHOPPED),
    "cook": Verb(Op.COOK),
    "make": Verb(Op.PREPARE),
}
"""Rule name, or its part before the first slash -> what Inform does."""

COOKED_WITH: dict[str, Cooking] = {
    "stove": Cooking.FRIED,
    "oven": Cooking.ROASTED,
    "toaster": Cooking.GRILLED,
}
"""Type of the source of heat -> what food becomes with it."""

INITIAL_FLAGS: dict[str, Flag] = {
    "open": Flag.OPEN,
    "locked": Flag.LOCKED,
    "cooked": Flag.COOKED,
    "burned": Flag.BURNED,
    "needs_cooking": Flag.NEEDS_COOKING,
    "edible": Flag.EDIBLE,
    "consumed": Flag.CONSUMED,
}
"""Fact about one thing -> the property it gives it when play begins."""

LACKING: dict[str, Flag] = {"closed": Flag.OPEN | Flag.LOCKED, "inedible": Flag.EDIBLE}
"""Fact about one thing -> the properties it must not have (closed means unlocked too)."""

COOKINGS: dict[str, Cooking] = {value.name.lower(): value for value in Cooking}
CUTTINGS: dict[str, Cutting] = {value.name.lower(): value for value in Cutting}

PLACES = frozenset({"in", "on", "at"})
"""Facts that say where a thing is: its second argument holds the first."""

NO_EQUIVALENT = frozenset(
    {"free", "link", "ingredient_1", "ingredient_2", "ingredient_3", "ingredient_4", "ingredient_5"}
)
"""Facts that Inform knows nothing of: as part of a quest's condition they always hold."""


def verb_of(rule: str) -> Verb | None:
    """The verb of a rule's name; None if Inform's side of it is not known here."""
    return VERBS.get(rule) or VERBS.get(rule.split("/", 1)[0])
