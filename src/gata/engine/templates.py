r"""Descriptions: Inform texts with substitutions, turned into small programs.

A description such as ``"You see [if c_0 is open]an open[otherwise]a closed[end if] fridge."``
becomes a list of instructions that a simple machine runs: say a piece of text, say a name, list
what something holds, test and jump.
"""

import re
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple

from gata.errors import GataError


class Do(IntEnum):
    """The instructions of a description."""

    END = 0
    SAY = 1
    NAME = 2
    LIST = 3
    JUMP = 4
    # Tests: go on if it holds, else jump.
    IF_OPEN = 5
    IF_CLOSED = 6
    IF_LOCKED = 7
    IF_HOLDING = 8
    IF_EMPTY = 9


class Instruction(NamedTuple):
    """One step: an instruction with a text, an entity, or a place to jump to."""

    do: Do
    text: str = ""
    entity: str = ""
    jump: int = 0


_SUBSTITUTION = re.compile(r"\[([^\]]*)\]")
_LIST = re.compile(r"a list of things (?:in|on) the (\S+)")
_TESTS = (
    (re.compile(r"(?:(\S+) is )?open"), Do.IF_OPEN),
    (re.compile(r"(?:(\S+) is )?closed"), Do.IF_CLOSED),
    (re.compile(r"(?:(\S+) is )?locked"), Do.IF_LOCKED),
    (re.compile(r"there is something (?:in|on) the (\S+)"), Do.IF_HOLDING),
    (re.compile(r"there is nothing (?:in|on) the (\S+)"), Do.IF_EMPTY),
    (re.compile(r"the (\S+) contains nothing"), Do.IF_EMPTY),
)


def quotes(text: str) -> str:
    """Inform's reading of a text: a single quote is a double one unless it is an apostrophe."""
    return re.sub(r"(?<![^\W_])'|'(?![^\W_])", '"', text)


def room_text(template: str) -> str:
    """A room's description as Inform reads it from its source.

    TextWorld writes it in parts that end with ``[end if]``; each is a text of its own. White
    space around line breaks is lost.
    """
    parts = re.split(r"(?<=\[end if\])", template)
    return "".join(quotes(re.sub(r"[ \t]*\n[ \t]*", "\n", part)) for part in parts)


_OBJECTIVE_PART = 200


def objective_text(objective: str) -> str:
    """The objective as Inform reads it: TextWorld cuts it into texts of 200 characters."""
    lines = objective.split("\n")
    cut = [
        "".join(
            quotes(line[start : start + _OBJECTIVE_PART])
            for start in range(0, len(line), _OBJECTIVE_PART)
        )
        for line in lines
    ]
    return "\n".join(cut)


@dataclass
class _Compiler:
    noun: str
    where: str
    code: list[Instruction] = field(default_factory=list)

    def say(self, text: str) -> None:
        if text:
            self.code.append(Instruction(Do.SAY, text))

    def run(self, template: str) -> list[Instruction]:
        pending: list[int] = []  # tests of the branch that is open
        ends: list[int] = []  # jumps to the end of the whole condition
        is_open = False
        position = 0
        for match in _SUBSTITUTION.finditer(template):
            self.say(template[position : match.start()])
            position = match.end()
            words = match.group(1)
            if words.startswith("if "):
                if is_open:
                    raise GataError(f"{self.where}: a condition inside a condition")
                is_open = True
                pending, ends = self.test(words[3:]), []
            elif words == "end if" or words.startswith(("else if ", "otherwise", "else")):
                if not is_open:
                    raise GataError(f"{self.where}: [{words}] without [if]")
                if words != "end if":
                    ends.append(len(self.code))
                    self.code.append(Instruction(Do.JUMP))
                self.land(pending)
                pending = self.test(words[8:]) if words.startswith("else if ") else []
                if words == "end if":
                    self.land(ends)
                    is_open = False
            elif words == "noun":
                self.code.append(Instruction(Do.NAME, entity=self.noun))
            elif listing := _LIST.fullmatch(words):
                self.code.append(Instruction(Do.LIST, entity=listing.group(1)))
            elif words == "line break":
                self.say("\n")
            else:
                raise GataError(f"{self.where}: the substitution [{words}] is not known")
        if is_open:
            raise GataError(f"{self.where}: [if] without [end if]")
        self.say(template[position:])
        self.code.append(Instruction(Do.END))
        return self.code

    def land(self, jumps: list[int]) -> None:
        for index in jumps:
            self.code[index] = self.code[index]._replace(jump=len(self.code))

    def test(self, condition: str) -> list[int]:
        """Write the tests of a condition; return where they stand."""
        places: list[int] = []
        for clause in condition.split(" and "):
            for pattern, do in _TESTS:
                if match := pattern.fullmatch(clause):
                    places.append(len(self.code))
                    self.code.append(Instruction(do, entity=match.group(1) or self.noun))
                    break
            else:
                raise GataError(f"{self.where}: the condition '{clause}' is not known")
        return places


def compile_template(template: str, noun: str, where: str) -> list[Instruction]:
    """Turn a description into instructions.

    Args:
        template: the text, as Inform reads it.
        noun: the id of the entity described, for ``[noun]`` and ``[if open]``.
        where: names the description in errors.
    """
    return _Compiler(noun, where).run(template)
