"""Commands that are not on offer: TextWorld's answers to them, where we know them.

Inform understands far more than the admissible commands. Here are the sentences an agent is
likely to type: those made of the games' own verbs, with any thing as object, abbreviations and
articles included, and the commonest of Inform's other verbs. Each is either carried out, or
refused in TextWorld's words. A verb that is not here gets ``UNKNOWN_VERB``; a verb that is, in a
sentence that is not, gets ``NOT_UNDERSTOOD``. What TextWorld says otherwise is listed in
docs/engine.md, "What is not covered".
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from gata.engine.actions import COOKED_WITH, DIRECTIONS, Cutting, Flag, Kind
from gata.engine.messages import HELP, Message
from gata.engine.scene import DETERMINERS, World


class Answer(NamedTuple):
    """What to do about a command: carry out ``command``, or else say ``message``."""

    command: str | None
    message: Message = Message("", 0)
    takes_turn: bool = True
    done: bool = False
    """Whether Inform reports it as something that succeeded."""
    is_shorter: bool = False
    """Whether the reply to ``command`` is followed by one newline fewer than usual."""


def do(command: str, *, is_shorter: bool = False) -> Answer:
    """Carry out a command of the game."""
    return Answer(command, is_shorter=is_shorter)


def refuse(text: str, newlines: int = 3) -> Answer:
    """Say why not; a turn passes."""
    return Answer(None, Message(text, newlines))


def remark(text: str, newlines: int = 3) -> Answer:
    """Something is said, which Inform counts as done; a turn passes."""
    return Answer(None, Message(text, newlines), done=True)


def misunderstand(text: str) -> Answer:
    """The parser's own errors: no turn passes."""
    return Answer(None, Message(text, 2), takes_turn=False)


CANNOT_SEE = misunderstand("You can't see any such thing.")
UNKNOWN_VERB = misunderstand("That's not a verb I recognise.")
NOT_UNDERSTOOD = misunderstand("I didn't understand that sentence.")

NO_WAY = refuse("You can't go that way.")
NOWHERE_IN = refuse("But you aren't in anything at the moment.")
OTHER_DIRECTIONS = {
    "u": "up",
    "d": "down",
    "ne": "northeast",
    "nw": "northwest",
    "se": "southeast",
    "sw": "southwest",
}
"""Where no way ever leads, by their abbreviations."""
_WHERE = {
    **{name: name for name in (*DIRECTIONS, *OTHER_DIRECTIONS.values())},
    **{name[0]: name for name in DIRECTIONS},
    **OTHER_DIRECTIONS,
}
"""All words for directions -> the long one."""

SYNONYMS = {
    "l": "look",
    "i": "inventory",
    "inv": "inventory",
    "x": "examine",
    "check": "examine",
    "read": "examine",
    "shut": "close",
    "cover": "close",
    "unwrap": "open",
    "uncover": "open",
    "discard": "drop",
    "throw": "drop",
    "walk": "go",
    "run": "go",
    "z": "wait",
    **{name[0]: f"go {name}" for name in DIRECTIONS},
    **{name: f"go {name}" for name in DIRECTIONS},
    **{short: f"go {name}" for short, name in OTHER_DIRECTIONS.items()},
    **{name: f"go {name}" for name in OTHER_DIRECTIONS.values()},
    "in": "go in",
}
"""First word -> what it is short for."""

PHRASES = tuple(
    (re.compile(pattern), meaning)
    for pattern, meaning in (
        (r"look at (.+)", r"examine \1"),
        (r"look (?!in |inside |into |through |under |up )(.+)", r"examine \1"),
        (r"pick up (?:all|each|everything)", "take all"),
        (r"(?:get|take) (?:all|each|everything)", "take all"),
        (r"get (.+ from .+)", r"take \1"),
        (r"pick (?!up )(.+) up", r"get \1"),
        (r"pick up (.+)", r"get \1"),
        (r"put down (.+)", r"drop \1"),
        (r"put (.+) down", r"drop \1"),
    )
)
"""Other ways to say the same, tried in this order."""

SAYINGS = {
    "": misunderstand("I beg your pardon?"),
    "wait": remark("Time passes."),
    "take all": refuse("You have to be more specific!"),
    "go": refuse("You'll have to say which compass direction to go in."),
    "enter": refuse("You must supply a noun."),
    **dict.fromkeys(("exit", "out", "leave", "get up", "stand", "stand up"), NOWHERE_IN),
    "examine me": remark("As good-looking as ever.", 4),
    "examine self": remark("As good-looking as ever.", 4),
    "smell": remark("You smell nothing unexpected."),
    "listen": remark("You hear nothing unexpected."),
    "jump": remark("You jump on the spot."),
    "wave": remark("You wave."),
    "think": refuse("What a good idea."),
    "sleep": refuse("You aren't feeling especially drowsy."),
    "yes": refuse("That was a rhetorical question."),
    "y": refuse("That was a rhetorical question."),
    "no": refuse("That was a rhetorical question."),
    "undo": misunderstand('Your interpreter does not provide "undo". Sorry!'),
    "help": Answer(None, HELP, done=True),
    "pick": NOT_UNDERSTOOD,
}

COMPLETE = (
    *("exit", "out", "leave", "get up", "stand", "wait", "jump", "think", "sleep", "yes", "y"),
    *("no", "help", "score", "goal"),
)
"""Sentences that nothing may follow."""

TWO_NOUNS = {
    "take": ("from",),
    "put": ("on", "onto", "into", "inside", "in"),
    "drop": ("on", "onto", "into", "in"),
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
ONE_NOUN = frozenset({"take", "get", "drop", "eat", "drink", "open", "close", "examine", "cut"})
COOKING_VERBS = frozenset({"cook", "dice", "prepare"})
"""Verbs only the cooking games know."""
CUTTING_VERBS = frozenset({"slice", "chop", "cut"})
"""Verbs that Inform knows anyway: elsewhere they take one object, and do nothing."""


def normal(text: str) -> str:
    """Words in small letters with single blanks between them.

    Only blanks separate words: to the interpreter a tab is part of a word that nobody knows.
    """
    return " ".join(filter(None, text.strip().lower().split(" ")))


def answer(world: World, text: str) -> Answer:
    """What TextWorld does about a command that is not on offer."""
    words = normal(text)
    words = words.rstrip(". ") or words
    if words.startswith(","):
        return misunderstand("You can't begin with a comma.")
    first, _, rest = words.partition(" ")
    typed = "pick up" if words.startswith("pick ") else {"x": "examine"}.get(first, first)
    if first in SYNONYMS and not (rest and SYNONYMS[first].startswith("go ")):
        words = " ".join(f"{SYNONYMS[first]} {rest}".split())
    for pattern, meaning in PHRASES:
        words = pattern.sub(meaning, words) if pattern.fullmatch(words) else words
    if words in SAYINGS:
        return SAYINGS[words]
    if words in ("look", "inventory"):
        return do(words)
    if words == "take inventory":
        return do("inventory")
    if words == "goal":
        return remark(world.scene.objective)
    if words == "score":
        return misunderstand(world.score)._replace(done=True)
    for complete in COMPLETE:
        if words.startswith(f"{complete} "):
            return _only_understood(complete)
    verb, _, rest = words.partition(" ")
    if verb in ("go", "enter"):
        return _go(world, verb, typed, rest)
    if verb in ("look", "pick"):
        return misunderstand("What do you want to pick up?") if rest == "up" else NOT_UNDERSTOOD
    if verb == "inventory":
        return _only_understood("take inventory")
    if verb in COOKING_VERBS and not world.scene.cooking:
        return UNKNOWN_VERB
    if verb == "prepare":
        return _prepare(world) if rest == "meal" else NOT_UNDERSTOOD
    if verb not in ONE_NOUN | NEED_TWO:
        return UNKNOWN_VERB
    if not rest:
        return misunderstand(f"What do you want to {'put on' if verb == 'put' else typed}?")
    return _with_objects(world, verb, typed, rest)


def _only_understood(sentence: str) -> Answer:
    return misunderstand(f"I only understood you as far as wanting to {sentence}.")


def _direction(phrase: str) -> str | None:
    """The direction that words stand for."""
    return _WHERE.get(DETERMINERS.sub("", phrase))


def _with_objects(world: World, verb: str, typed: str, rest: str) -> Answer:
    needs_two = verb in NEED_TWO and (world.scene.cooking or verb not in CUTTING_VERBS)
    for between in TWO_NOUNS.get(verb, ()) if needs_two or verb in ONE_NOUN else ():
        one, found, other = rest.partition(f" {between} ")
        if found:
            return _two_objects(world, verb, between, one, other)
    if _direction(rest) is not None:
        if verb == "examine":
            return remark("You see nothing unexpected in that direction.", 4)
        if verb == "eat":
            return CANNOT_SEE
        return refuse("You must name something more substantial.", 4 if verb == "take" else 3)
    thing = world.find(rest)
    if thing is None:
        return _not_found(world, rest, typed)
    if needs_two:
        if verb == "cook":
            return misunderstand(f"What do you want to cook {world.the(thing)} with?")
        return NOT_UNDERSTOOD
    if verb in CUTTING_VERBS:
        return _cut_somehow(world, thing)
    return _ONE_OBJECT[verb](world, thing)


def _not_found(world: World, phrase: str, verb: str | None = None) -> Answer:
    """Words that fit nothing in sight: their beginning may fit several things all the same."""
    words = DETERMINERS.sub("", phrase).split(" ")
    fits = {}
    for thing in world.in_sight:
        known = [word in world.scene.words[thing] for word in words]
        fits[thing] = (*known, False).index(False)
    longest = max(fits.values(), default=0)
    meant = [world.the(thing) for thing, length in fits.items() if length == longest]
    if longest == 0:
        return CANNOT_SEE
    if len(meant) == 1:
        if verb is None:
            return NOT_UNDERSTOOD
        return _only_understood(f"{verb} {meant[0]}")
    return misunderstand(f"Which do you mean, {', '.join(meant[:-1])} or {meant[-1]}?")


def _two_objects(world: World, verb: str, between: str, one: str, other: str) -> Answer:
    first, second = world.find(one), world.find(other)
    if first is None or second is None:
        return _not_found(world, one if first is None else other)
    if verb in ("put", "drop", "insert"):
        return _put(world, first, second, on=between in ("on", "onto"))
    if verb == "take":
        return _take_from(world, first, second)
    if verb == "cook":
        return _cook(world, first, second)
    if verb in ("lock", "unlock"):
        return _lock(world, verb, first, second)
    return _cut(world, verb, first, second)


def _go(world: World, verb: str, typed: str, where: str) -> Answer:
    direction = _direction(where)
    if verb == "enter" and direction is not None:
        return refuse("You must name something more substantial.")
    if direction in DIRECTIONS:
        if direction not in world.exits:
            return NO_WAY
        _, door = world.exits[direction]
        if door is not None and not world.has(door, Flag.OPEN):
            return refuse(f"You have to open the {world.name(door)} first.")
        return do(f"go {direction}")
    if direction is not None or where in ("in", "out"):
        return NO_WAY
    beginning = _direction(DETERMINERS.sub("", where).partition(" ")[0])
    if beginning is not None:
        return _only_understood(f"{typed} {beginning}")
    thing = world.find(where)
    if thing is None:
        return _not_found(world, where)
    if not world.scene.kinds[thing] & Kind.DOOR:
        return refuse("That's not something you can enter.")
    if not world.has(thing, Flag.OPEN):
        return refuse(f"You have to open the {world.name(thing)} first.", 4)
    return NOT_UNDERSTOOD


def _prepare(world: World) -> Answer:
    if world.in_kitchen:
        return do("prepare meal")
    return refuse(f"Can only prepare meal in the {world.scene.kitchen}.")


def _carrying(world: World, thing: str) -> Answer | None:
    """The refusal if a thing that must be carried is not."""
    if world.parent.get(thing) == "P":
        return None
    if world.scene.kinds[thing] & Kind.PORTABLE:
        return refuse(f"You need to take the {world.name(thing)} first.")
    return refuse(f"The {world.name(thing)} is fixed in place.")


def _examine(world: World, thing: str) -> Answer:
    return do(f"examine {world.name(thing)}")


def _open(world: World, thing: str) -> Answer:
    if not world.scene.kinds[thing] & (Kind.CONTAINER | Kind.DOOR):
        return refuse("It isn't something you can open.")
    if world.has(thing, Flag.LOCKED):
        key = world.scene.keys.get(thing)
        if key is None:
            return refuse(f"The {world.name(thing)} is welded shut.")
        return refuse(
            f"You have to unlock the {world.name(thing)} with the {world.name(key)} first."
        )
    if world.has(thing, Flag.OPEN):
        return refuse("That's already open.")
    return do(f"open {world.name(thing)}")


def _close(world: World, thing: str) -> Answer:
    if not world.scene.kinds[thing] & (Kind.CONTAINER | Kind.DOOR):
        return refuse("It isn't something you can close.")
    if not world.has(thing, Flag.OPEN):
        return refuse("That's already closed.")
    return do(f"close {world.name(thing)}")


def _take(world: World, thing: str, *, is_shorter: bool = False) -> Answer:
    holder = world.parent.get(thing)
    newlines = 3 if is_shorter else 4
    if holder == "P":
        return refuse("You already have that.", newlines)
    if not world.scene.kinds[thing] & Kind.PORTABLE:
        return refuse("That's fixed in place.", newlines)
    if holder == world.room or holder is None:
        return do(f"take {world.name(thing)}", is_shorter=is_shorter)
    return do(f"take {world.name(thing)} from {world.name(holder)}", is_shorter=is_shorter)


def _get(world: World, thing: str) -> Answer:
    """Inform's own ``taking``: the games put another action in its place for ``take``.

    TextWorld does not notice when a thing is got from a holder: its facts leave the thing there.
    Here they follow, as for ``take``.
    """
    return _take(world, thing, is_shorter=True)


def _take_from(world: World, thing: str, holder: str) -> Answer:
    if world.parent.get(thing) != holder:
        return CANNOT_SEE
    return do(f"take {world.name(thing)} from {world.name(holder)}")


def _drop(world: World, thing: str) -> Answer:
    if world.parent.get(thing) == "P":
        return do(f"drop {world.name(thing)}")
    if world.scene.kinds[thing] & Kind.DOOR:
        # Inform moves a door along to whichever side the player is on; it has a proper name.
        return refuse(f"{world.name(thing)} is already here.")
    if world.parent.get(thing) == world.room:
        return refuse(f"{world.the_first(thing)} is already here.")
    return refuse("You haven't got that.")


def _put(world: World, thing: str, holder: str, *, on: bool) -> Answer:
    missing = _carrying(world, thing)
    if missing is not None:
        return missing
    kind = world.scene.kinds[holder]
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
        return refuse(f"{world.the_first(holder)} is closed.")
    return do(f"insert {world.name(thing)} into {world.name(holder)}")


def _eat(world: World, thing: str) -> Answer:
    if world.has(thing, Flag.NEEDS_COOKING):
        return refuse(f"You should cook {world.the(thing)} first.")
    if not world.has(thing, Flag.EDIBLE):
        return refuse("That's plainly inedible.")
    return _carrying(world, thing) or do(f"eat {world.name(thing)}")


def _drink(world: World, thing: str) -> Answer:
    if not world.scene.cooking:
        return refuse("There's nothing suitable to drink here.")
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
    if not world.is_food(thing):
        return refuse("Can only cook food.")
    if world.scene.entities[heat].type not in COOKED_WITH:
        return refuse("Cooking requires a source of heat.")
    return do(f"cook {world.name(thing)} with {world.name(heat)}")


def _cut(world: World, verb: str, thing: str, tool: str) -> Answer:
    if not world.is_food(thing):
        return refuse("Can only cut cuttable food.")
    if world.cutting[thing] != Cutting.UNCUT:
        state = Cutting(world.cutting[thing]).name.lower()
        return refuse(f"{world.the_first(thing)} is already {state}.")
    if not world.is_(tool, "sharp"):
        return refuse("Cutting something requires a knife.")
    missing = _carrying(world, thing) or _carrying(world, tool)
    return missing or do(f"{verb} {world.name(thing)} with {world.name(tool)}")


def _cut_somehow(world: World, thing: str) -> Answer:
    if not world.scene.cooking:
        return refuse("Cutting it up would achieve little.")
    return refuse(
        f"You need to specify how you want to cut {world.the(thing)}."
        " Either slice, dice, or chop it."
    )


def _lock(world: World, verb: str, thing: str, key: str) -> Answer:
    missing = _carrying(world, key)
    if missing is not None:
        return missing
    if not world.scene.kinds[thing] & (Kind.CONTAINER | Kind.DOOR):
        return refuse(f"That doesn't seem to be something you can {verb}.")
    locked = world.has(thing, Flag.LOCKED)
    if locked == (verb == "lock"):
        state = "locked" if locked else "unlocked"
        return refuse(f"That's {state} at the moment.")
    if verb == "lock" and world.has(thing, Flag.OPEN):
        return refuse(f"First you would have to close {world.the(thing)}.")
    if world.scene.keys.get(thing) != key:
        return refuse("That doesn't seem to fit the lock.")
    return do(f"{verb} {world.name(thing)} with {world.name(key)}")


_ONE_OBJECT: dict[str, Callable[[World, str], Answer]] = {
    "examine": _examine,
    "open": _open,
    "close": _close,
    "take": _take,
    "get": _get,
    "drop": _drop,
    "eat": _eat,
    "drink": _drink,
}
