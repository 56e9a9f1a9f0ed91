"""Small worlds written by hand, for tests."""

from gata.facts import Action, Fact, Variable

TYPES = {
    "bedroom": "r",
    "livingroom": "r",
    "kitchen": "r",
    "garden": "r",
    "street": "r",
    "door": "d",
    "sofa": "s",
    "bed": "s",
    "fridge": "c",
    "carrot": "f",
    "egg": "f",
    "knife": "o",
    "line_1": "ingredient",
    "line_2": "ingredient",
    "slot_1": "slot",
    "meal": "meal",
}
NAMES = {id_: id_ for id_ in TYPES} | {"door": "frosted-glass door", "fridge": "Fridge"}


def fact(text: str) -> Fact:
    """Read ``"at P bedroom"``."""
    predicate, *ids = text.split()
    return Fact(predicate, tuple(Variable(id_, TYPES.get(id_, id_)) for id_ in ids))


def facts(*texts: str) -> frozenset[Fact]:
    """Read several facts."""
    return frozenset(map(fact, texts))


def action(rule: str, before: str, after: str) -> Action:
    """Read an action from comma-separated facts."""
    return Action(rule, facts(*before.split(", ")), facts(*after.split(", ")))


def neighbours(a: str, direction: str, b: str) -> tuple[str, ...]:
    """Facts of two rooms with nothing between them: ``a`` lies ``direction`` of ``b``."""
    back = {"north": "south", "south": "north", "east": "west", "west": "east"}[direction]
    return (f"{direction}_of {a} {b}", f"{back}_of {b} {a}", f"free {a} {b}", f"free {b} {a}")
