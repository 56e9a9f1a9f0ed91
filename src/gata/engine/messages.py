r"""Every sentence the games say, and the white space around it.

Found by experiment with TextWorld 1.7 (Inform 7 6M62) and checked against it to the letter. A
reply reads ``"\n" + sentence + NL * k + [score line] + prompt``; ``k`` is the sentence's own.
"""

from enum import IntEnum
from typing import NamedTuple

from gata.engine.actions import Cooking, Cutting, Op

NL = "\n"


class Message(NamedTuple):
    """A sentence, and how many newlines follow it."""

    text: str
    newlines: int

    def filled(self, first: str = "", second: str = "") -> str:
        """The whole reply up to the prompt; ``first`` and ``second`` carry their articles."""
        return NL + self.text.format(first, second) + NL * self.newlines


SIMPLE: dict[Op, Message] = {
    Op.OPEN: Message("You open {}.", 3),
    Op.CLOSE: Message("You close {}.", 3),
    Op.LOCK: Message("You lock {}.", 3),
    Op.UNLOCK: Message("You unlock {}.", 3),
    Op.DROP: Message("You drop {} on the ground.", 3),
    Op.EAT: Message("You eat {}. Not bad.", 3),
    Op.DRINK: Message("You drink {}. Not bad.", 3),
    Op.PREPARE: Message("Adding the meal to your inventory.", 4),
}
"""Replies that depend on nothing but the things named."""

TAKE_FROM_FLOOR = Message("You pick up {} from the ground.", 4)
TAKE_FROM_HOLDER = Message("You take {} from {}.", 4)
PUT_ON = Message("You put {} on {}.", 3)
PUT_INTO = Message("You put {} into {}.", 3)
BURN = Message("You burned {}!", 4)
CUT: dict[Cutting, Message] = {
    Cutting.SLICED: Message("You slice {}.", 4),
    Cutting.DICED: Message("You dice {}.", 4),
    Cutting.CHOPPED: Message("You chop {}.", 4),
}
COOK: dict[Cooking, Message] = {
    cooking: Message(f"You {cooking.name.lower()} {{}}.", 4)
    for cooking in (Cooking.GRILLED, Cooking.ROASTED, Cooking.FRIED)
}

OPEN_REVEALING = NL + "You open {}, revealing "
NOTHING_SPECIAL = "You see nothing special about {}."
CONTENTS = {
    "on": (NL * 2 + "On {} is ", NL * 2 + "On {} are "),
    "in": (NL * 2 + "In {} is ", NL * 2 + "In {} are "),
}
"""What follows the description of a supporter or open container: for one thing, for more."""

HEADING = "-= {} =-"
DISAMBIGUATION = NL + "({})"
"""Said before a reply when the words fit more than one thing in sight."""


HELP = Message(
    """Available commands:
  look:                describe the current room
  goal:                print the goal of this game
  inventory:           print player's inventory
  go <dir>:            move the player north, east, south or west
  examine ...:         examine something more closely
  eat ...:             eat edible food
  open ...:            open a door or a container
  close ...:           close a door or a container
  drop ...:            drop an object on the floor
  take ...:            take an object that is on the floor
  put ... on ...:      place an object on a supporter
  take ... from ...:   take an object from a container or a supporter
  insert ... into ...: place an object into a container
  lock ... with ...:   lock a door or a container with a key
  unlock ... with ...: unlock a door or a container with a key""",
    4,
)
"""TextWorld's answer to ``help``."""

_BANNER_WIDTH = 66
_BANNER = r"""
                    ________  ________  __    __  ________
                   |        \|        \|  \  |  \|        \
                    \$$$$$$$$| $$$$$$$$| $$  | $$ \$$$$$$$$
                      | $$   | $$__     \$$\/  $$   | $$
                      | $$   | $$  \     >$$  $$    | $$
                      | $$   | $$$$$    /  $$$$\    | $$
                      | $$   | $$_____ |  $$ \$$\   | $$
                      | $$   | $$     \| $$  | $$   | $$
                       \$$    \$$$$$$$$ \$$   \$$    \$$
              __       __   ______   _______   __        _______
             |  \  _  |  \ /      \ |       \ |  \      |       \
             | $$ / \ | $$|  $$$$$$\| $$$$$$$\| $$      | $$$$$$$\
             | $$/  $\| $$| $$  | $$| $$__| $$| $$      | $$  | $$
             | $$  $$$\ $$| $$  | $$| $$    $$| $$      | $$  | $$
             | $$ $$\$$\$$| $$  | $$| $$$$$$$\| $$      | $$  | $$
             | $$$$  \$$$$| $$__/ $$| $$  | $$| $$_____ | $$__/ $$
             | $$$    \$$$ \$$    $$| $$  | $$| $$     \| $$    $$
              \$$      \$$  \$$$$$$  \$$   \$$ \$$$$$$$$ \$$$$$$$
"""
BANNER = (
    NL * 4 + "".join(line.ljust(_BANNER_WIDTH) + NL for line in _BANNER.strip(NL).split(NL)) + NL
)
"""The title that opens every game; the objective follows."""


class Fixed(IntEnum):
    """Pieces of text every game shares; the value is the piece's number in every table."""

    PROMPT = 0
    END_PROMPT = 1
    COMMA = 2
    AND = 3
    NEWLINE = 4
    AFTER_EXAMINE = 5
    AFTER_LIST_OF_CONTENTS = 6
    AFTER_REVEALING = 7
    AFTER_DESCRIPTION = 8
    AFTER_FLOOR = 9
    AFTER_DESCRIPTION_INTRO = 10
    FLOOR_START = 11
    FLOOR_END = 12
    CARRYING = 13
    CARRYING_END = 14
    CARRYING_NOTHING = 15
    AFTER_INVENTORY = 16
    MISSING = 17
    UNCOOKED = 18
    UNCUT = 19
    CANNOT_SEE = 20
    LOST = 21
    WON = 22
    END_TURN = 23
    END_TURNS = 24
    BANNER = 25
    AFTER_OBJECTIVE = 26
    CARRYING_TOO_MUCH = 27
    SAID = 28


FIXED_TEXT: dict[Fixed, str] = {
    Fixed.PROMPT: "",  # made from room, score and turn: see ``prompt``
    Fixed.END_PROMPT: "",
    Fixed.COMMA: ", ",
    Fixed.AND: " and ",
    Fixed.NEWLINE: NL,
    Fixed.AFTER_EXAMINE: NL * 4,
    Fixed.AFTER_LIST_OF_CONTENTS: "." + NL * 4,
    Fixed.AFTER_REVEALING: "." + NL * 3,
    Fixed.AFTER_DESCRIPTION: NL * 4,
    Fixed.AFTER_FLOOR: NL * 3,
    Fixed.AFTER_DESCRIPTION_INTRO: NL * 2,
    Fixed.FLOOR_START: NL * 2 + "There is ",
    Fixed.FLOOR_END: " on the floor.",
    Fixed.CARRYING: "You are carrying: ",
    Fixed.CARRYING_END: ".",
    Fixed.CARRYING_NOTHING: "You are carrying nothing.",
    Fixed.AFTER_INVENTORY: NL * 4,
    Fixed.MISSING: Message("You still miss something.", 3).filled(),
    Fixed.UNCOOKED: Message("Something still needs to be cooked.", 3).filled(),
    Fixed.UNCUT: Message("Something still needs to be cut.", 3).filled(),
    Fixed.CANNOT_SEE: Message("You can't see any such thing.", 2).filled(),
    Fixed.LOST: " " * 54 + "*** You lost! ***" + NL * 2 + "You scored ",
    Fixed.WON: NL + " " * 55 + "*** The End ***" + NL * 2 + "You scored ",
    Fixed.END_TURN: " turn." + NL * 3 + "Would you like to RESTART, RESTORE a saved game, "
    "QUIT or UNDO the last command?" + NL,
    Fixed.END_TURNS: " turns." + NL * 3 + "Would you like to RESTART, RESTORE a saved game, "
    "QUIT or UNDO the last command?" + NL,
    Fixed.SAID: "",  # stands for words that are not in the tables: see ``text_env``
    Fixed.BANNER: BANNER,
    Fixed.AFTER_OBJECTIVE: NL * 2,
    Fixed.CARRYING_TOO_MUCH: Message("You're carrying too many things already.", 4).filled(),
}

OUT_OF_POSSIBLE = " out of a possible {}, in "
"""Between the score and the turns when the game is over."""

SCORE_SO_FAR = "You have so far scored {} out of a possible {}, in {}."
"""The answer to ``score``: points, most points, turns with their noun."""

AFTER_THE_END = (
    NL + "Please give one of the answers above." + NL * 2 + "Would you like to RESTART, RESTORE a "
    "saved game, QUIT or UNDO the last command?" + NL
)
"""The answer to any command once the game is over."""


def prompt(heading: str, score: int, turn: int) -> str:
    """The prompt with the status line the interpreter appends to it."""
    return f">{' ' * 128}{heading}{score}/{turn}"


def end_prompt(heading: str, score: int, turn: int) -> str:
    """The prompt after the end; the status is that of the last prompt before."""
    return f">{' ' * 129}{heading}{score}/{turn}"


_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
_TENS = (
    *("zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty"),
    "ninety",
)


def in_words(number: int) -> str:
    """A number as Inform spells it."""
    if number < 0:
        return "minus " + in_words(-number)
    if number < 20:
        return _ONES[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return _TENS[tens] + (f"-{_ONES[ones]}" if ones else "")
    if number < 1000:
        hundreds, rest = divmod(number, 100)
        return f"{_ONES[hundreds]} hundred" + (f" and {in_words(rest)}" if rest else "")
    thousands, rest = divmod(number, 1000)
    link = " and " if 0 < rest < 100 else " "
    return f"{in_words(thousands)} thousand" + (link + in_words(rest) if rest else "")


def score_line(change: int) -> str:
    """What is said when the score has changed by ``change``."""
    how = "has just gone up" if change > 0 else "changed"
    noun = "point" if -1 <= change <= 1 else "points"
    return f"Your score {how} by {in_words(change)} {noun}." + NL * 2
