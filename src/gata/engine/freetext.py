"""Commands that are not on offer: TextWorld's answers to them, where we know them.

Inform understands far more than the admissible commands. Here are the sentences an agent is
likely to type: those made of the games' own verbs, with any thing as object, abbreviations and
articles included. Each is either carried out, or refused in TextWorld's words. Anything else gets
``NOT_UNDERSTOOD``, which is what TextWorld says to most nonsense, but not to all of it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from gata.engine.actions import COOKED_WITH, DIRECTIONS, Cutting, Flag, Kind
from gata.engine.messages import Message
from gata.games.game import Entity


class Answer(NamedTuple):
    """What to do about a command: carry out ``command``, or else say ``message``."""

    command: str | None
    message: Message = Message("", 0)
    takes_turn: bool = True
    done: bool = False
    """Whether Inform reports it as something that succeeded."""


def do(command: str) -> Answer:
    """Carry out a command of the game."""
    return Answer(command)


def refuse(text: str, newlines: int = 3) -> Answer:
    """Say why not; a turn passes."""
    return Answer(None, Message(text, newlines))


def misunderstand(text: str) -> Answer:
    """The parser's own errors: no turn passes."""
    return Answer(None, Message(text, 2), takes_turn=False)


CANNOT_SEE = misunderstand("You can't see any such thing.")
UNKNOWN_VERB = misunderstand("That's not a verb I recognise.")
NOT_UNDERSTOOD = misunderstand("I didn't understand that sentence.")

SYNONYMS = {
    "l": "look",
    "i": "inventory",
    "inv": "inventory",
    "x": "examine",
    "check": "examine",
    "read": "examine",
    "shut": "close",
    "z": "wait",
    **{name[0]: f"go {name}" for name in DIRECTIONS},
    **{name: f"go {name}" for name in DIRECTIONS},
}
"""First word -> what it is short for."""

NOTHING_UNEXPECTED = Answer(
    None, Message("You see nothing unexpected in that direction.", 4), done=True
)

SAYINGS = {
    "wait": Answer(None, Message("Time passes.", 3), done=True),
    "take all": refuse("You have to be more specific!"),
}

TWO_NOUNS = {
    "take": ("from",),
    "put": ("on", "into", "in"),
    "drop": ("on", "into", "in"),
    "insert": ("into", "in"),
    "cook": ("with", "in", "on", "using"),
    "slice": ("with", "using"),
    "dice": ("with", "using"),
    "chop": ("with", "using"),
    "lock": ("with",),
    "unlock": ("with",),
}
"""Verb -> the words that may stand between its two objects."""

NEED_TWO = frozenset({"put", "insert", "cook", "slice", "dice", "chop", "lock", "unlock"})
ONE_NOUN = frozenset({"take", "drop", "eat", "drink", "open", "close", "examine"})
COOKING_VERBS = frozenset({"cook", "slice", "dice", "chop", "drink", "prepare"})
"""Verbs only the cooking games know."""

_ARTICLES = re.compile(r"^(?:the|a|an|some) ")


@dataclass(frozen=True)
class World:
    """What the answers depend on: Inform's world at this moment."""

    entities: dict[str, Entity]
    """Things by id."""
    kinds: dict[str, Kind]
    words: dict[str, set[str]]
    """The words each thing may be called by."""
    parent: dict[str, str]
    flags: dict[str, Flag]
    cutting: dict[str, Cutting]
    properties: frozenset[tuple[str, str]]
    """(property, thing) for properties that never change: cuttable, cookable, drinkable, sharp."""
    keys: dict[str, str]
    """Locked thing -> its key."""
    room: str
    exits: dict[str, tuple[str, str | None]]
    """Direction -> the room there, and the door between."""
    kitchen: str | None
    """The heading of the room where meals are prepared."""
    in_kitchen: bool
    cooking: bool
    objective: str
    score: str

    def in_scope(self, thing: str) -> bool:
        """Whether the player can see and reach a thing."""
        if self.kinds[thing] & Kind.DOOR:
            return any(door == thing for _, door in self.exits.values())
        holder = self.parent.get(thing)
        while holder is not None:
            if holder in ("P", self.room):
                return True
            if self.kinds.get(holder, Kind(0)) & Kind.CONTAINER and not self.has(holder, Flag.OPEN):
                return False
            holder = self.parent.get(holder)
        return False

    def has(self, thing: str, flag: Flag) -> bool:
        """Whether a thing has a property now."""
        return bool(self.flags[thing] & flag)

    def is_(self, thing: str, property_: str) -> bool:
        """Whether a thing has a property for ever."""
        return (property_, thing) in self.properties

    def find(self, phrase: str) -> str | None:
        """The thing in sight that words stand for; None if there is none, or more than one."""
        phrase = _ARTICLES.sub("", phrase)
        near = [thing for thing in self.entities if self.in_scope(thing)]
        exact = [thing for thing in near if self.entities[thing].name.lower() == phrase]
        if exact:
            return exact[0]
        fitting = [thing for thing in near if set(phrase.split()) <= self.words[thing]]
        return fitting[0] if len(fitting) == 1 else None

    def name(self, thing: str) -> str:
        """Its name as commands have it."""
        return self.entities[thing].name

    def the(self, thing: str) -> str:
        """Its name with the definite article; doors have names of their own."""
        if self.kinds[thing] & Kind.DOOR:
            return self.name(thing)
        return f"{self.entities[thing].definite or 'the'} {self.name(thing)}"


def answer(world: World, text: str) -> Answer:
    """What TextWorld does about a command that is not on offer."""
    words = " ".join(text.lower().split())
    first, _, rest = words.partition(" ")
    if first in SYNONYMS and not (first in DIRECTIONS and rest):
        words = " ".join(f"{SYNONYMS[first]} {rest}".split())
    words = re.sub(r"^(?:look at|pick up) ", lambda m: _PHRASES[m.group()], words)
    if words in SAYINGS:
        return SAYINGS[words]
    if words in ("look", "inventory"):
        return do(words)
    if words == "goal":
        return Answer(None, Message(world.objective, 3), done=True)
    if words == "score":
        return misunderstand(world.score)
    verb, _, rest = words.partition(" ")
    if verb == "go":
        return _go(world, rest)
    if verb in COOKING_VERBS and not world.cooking:
        return UNKNOWN_VERB
    if verb == "prepare":
        return _prepare(world) if rest == "meal" else NOT_UNDERSTOOD
    if verb not in ONE_NOUN | NEED_TWO:
        return UNKNOWN_VERB
    if not rest:
        return misunderstand(f"What do you want to {verb}?")
    return _with_objects(world, verb, rest)


_PHRASES = {"look at ": "examine ", "pick up ": "take "}


def _with_objects(world: World, verb: str, rest: str) -> Answer:
    for between in TWO_NOUNS.get(verb, ()):
        one, found, other = rest.partition(f" {between} ")
        if found:
            return _two_objects(world, verb, between, one, other)
    if rest in DIRECTIONS:
        if verb == "examine":
            return NOTHING_UNEXPECTED
        return refuse("You must name something more substantial.", 4 if verb == "take" else 3)
    thing = world.find(rest)
    if thing is None:
        return _not_found(world, rest, verb)
    if verb in NEED_TWO:
        if verb == "cook":
            return misunderstand(f"What do you want to cook {world.the(thing)} with?")
        return NOT_UNDERSTOOD
    return _ONE_OBJECT[verb](world, thing)


def _not_found(world: World, phrase: str, verb: str | None = None) -> Answer:
    """Words that fit nothing in sight: their beginning may fit several things all the same."""
    words = _ARTICLES.sub("", phrase).split()
    fits = {}
    for thing in world.entities:
        if world.in_scope(thing):
            known = [word in world.words[thing] for word in words]
            fits[thing] = (*known, False).index(False)
    longest = max(fits.values(), default=0)
    meant = [world.the(thing) for thing, length in fits.items() if length == longest]
    if longest == 0:
        return CANNOT_SEE
    if len(meant) == 1:
        if verb is None:
            return NOT_UNDERSTOOD
        return misunderstand(f"I only understood you as far as wanting to {verb} {meant[0]}.")
    return misunderstand(f"Which do you mean, {', '.join(meant[:-1])} or {meant[-1]}?")


def _two_objects(world: World, verb: str, between: str, one: str, other: str) -> Answer:
    first, second = world.find(one), world.find(other)
    if first is None or second is None:
        return _not_found(world, one if first is None else other)
    if verb in ("put", "drop", "insert"):
        return _put(world, first, second, on=between == "on")
    if verb == "take":
        return _take_from(world, first, second)
    if verb == "cook":
        return _cook(world, first, second)
    if verb in ("lock", "unlock"):
        return _lock(world, verb, first, second)
    return _cut(world, verb, first, second)


def _go(world: World, direction: str) -> Answer:
    if direction in DIRECTIONS:
        if direction not in world.exits:
            return refuse("You can't go that way.")
        _, door = world.exits[direction]
        if door is not None and not world.has(door, Flag.OPEN):
            return refuse(f"You have to open the {world.name(door)} first.")
        return do(f"go {direction}")
    if direction in ("up", "down", "northeast", "northwest", "southeast", "southwest"):
        return refuse("You can't go that way.")
    if not direction:
        return NOT_UNDERSTOOD
    thing = world.find(direction)
    if thing is None or world.kinds[thing] & Kind.DOOR:
        return CANNOT_SEE
    return refuse("That's not something you can enter.")


def _prepare(world: World) -> Answer:
    if world.in_kitchen:
        return do("prepare meal")
    return refuse(f"Can only prepare meal in the {world.kitchen}.")


def _carrying(world: World, thing: str) -> Answer | None:
    """The refusal if a thing that must be carried is not."""
    if world.parent.get(thing) == "P":
        return None
    if world.kinds[thing] & Kind.PORTABLE:
        return refuse(f"You need to take the {world.name(thing)} first.")
    return refuse(f"The {world.name(thing)} is fixed in place.")


def _examine(world: World, thing: str) -> Answer:
    return do(f"examine {world.name(thing)}")


def _open(world: World, thing: str) -> Answer:
    if not world.kinds[thing] & (Kind.CONTAINER | Kind.DOOR):
        return refuse("It isn't something you can open.")
    if world.has(thing, Flag.LOCKED):
        key = world.keys.get(thing)
        if key is None:
            return refuse(f"The {world.name(thing)} is welded shut.")
        return refuse(
            f"You have to unlock the {world.name(thing)} with the {world.name(key)} first."
        )
    if world.has(thing, Flag.OPEN):
        return refuse("That's already open.")
    return do(f"open {world.name(thing)}")


def _close(world: World, thing: str) -> Answer:
    if not world.kinds[thing] & (Kind.CONTAINER | Kind.DOOR):
        return refuse("It isn't something you can close.")
    if not world.has(thing, Flag.OPEN):
        return refuse("That's already closed.")
    return do(f"close {world.name(thing)}")


def _take(world: World, thing: str) -> Answer:
    holder = world.parent.get(thing)
    if holder == "P":
        return refuse("You already have that.", 4)
    if not world.kinds[thing] & Kind.PORTABLE:
        return refuse("That's fixed in place.", 4)
    if holder == world.room or holder is None:
        return do(f"take {world.name(thing)}")
    return do(f"take {world.name(thing)} from {world.name(holder)}")


def _take_from(world: World, thing: str, holder: str) -> Answer:
    if world.parent.get(thing) != holder:
        return CANNOT_SEE
    return do(f"take {world.name(thing)} from {world.name(holder)}")


def _drop(world: World, thing: str) -> Answer:
    if world.parent.get(thing) == "P":
        return do(f"drop {world.name(thing)}")
    if world.kinds[thing] & Kind.DOOR:
        # Inform moves a door along to whichever side the player is on; it has a proper name.
        return refuse(f"{world.name(thing)} is already here.")
    if world.parent.get(thing) == world.room:
        return refuse(f"{world.the(thing).capitalize()} is already here.")
    return refuse("You haven't got that.")


def _put(world: World, thing: str, holder: str, *, on: bool) -> Answer:
    missing = _carrying(world, thing)
    if missing is not None:
        return missing
    kind = world.kinds[holder]
    if on:
        if thing == holder:
            return refuse("You can't put something on top of itself.")
        if not kind & Kind.SUPPORTER:
            return refuse(f"Putting things on {world.the(holder)} would achieve nothing.")
        return do(f"put {world.name(thing)} on {world.name(holder)}")
    if thing == holder:
        return refuse("You can't put something inside itself.")
    if not kind & Kind.CONTAINER:
        return refuse("That can't contain things.")
    if not world.has(holder, Flag.OPEN):
        return refuse(f"{world.the(holder).capitalize()} is closed.")
    return do(f"insert {world.name(thing)} into {world.name(holder)}")


def _eat(world: World, thing: str) -> Answer:
    if world.has(thing, Flag.NEEDS_COOKING):
        return refuse(f"You should cook {world.the(thing)} first.")
    if not world.has(thing, Flag.EDIBLE):
        return refuse("That's plainly inedible.")
    return _carrying(world, thing) or do(f"eat {world.name(thing)}")


def _drink(world: World, thing: str) -> Answer:
    missing = _carrying(world, thing)
    if missing is not None:
        return missing
    if not world.is_(thing, "drinkable"):
        return refuse(f"You cannot drink {world.the(thing)}.")
    return do(f"drink {world.name(thing)}")


def _cook(world: World, thing: str, heat: str) -> Answer:
    missing = _carrying(world, thing)
    if missing is not None:
        return missing
    if not world.is_(thing, "cookable"):
        return refuse("Can only cook food.")
    if world.entities[heat].type not in COOKED_WITH:
        return refuse("Cooking requires a source of heat.")
    return do(f"cook {world.name(thing)} with {world.name(heat)}")


def _cut(world: World, verb: str, thing: str, tool: str) -> Answer:
    if not world.is_(thing, "cuttable"):
        return refuse("Can only cut cuttable food.")
    if world.cutting[thing] != Cutting.UNCUT:
        state = world.cutting[thing].name.lower()
        return refuse(f"{world.the(thing).capitalize()} is already {state}.")
    if not world.is_(tool, "sharp"):
        return refuse("Cutting something requires a knife.")
    missing = _carrying(world, thing) or _carrying(world, tool)
    return missing or do(f"{verb} {world.name(thing)} with {world.name(tool)}")


def _lock(world: World, verb: str, thing: str, key: str) -> Answer:
    missing = _carrying(world, key)
    if missing is not None:
        return missing
    if not world.kinds[thing] & (Kind.CONTAINER | Kind.DOOR):
        return refuse(f"That doesn't seem to be something you can {verb}.")
    locked = world.has(thing, Flag.LOCKED)
    if locked == (verb == "lock"):
        state = "locked" if locked else "unlocked"
        return refuse(f"That's {state} at the moment.")
    if verb == "lock" and world.has(thing, Flag.OPEN):
        return refuse("First you'd have to close it.")
    if world.keys.get(thing) != key:
        return refuse("That doesn't seem to fit the lock.")
    return do(f"{verb} {world.name(thing)} with {world.name(key)}")


_ONE_OBJECT: dict[str, Callable[[World, str], Answer]] = {
    "examine": _examine,
    "open": _open,
    "close": _close,
    "take": _take,
    "drop": _drop,
    "eat": _eat,
    "drink": _drink,
}
