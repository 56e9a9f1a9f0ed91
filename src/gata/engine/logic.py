"""TextWorld's game logic, read from its own rule text.

A game file carries the rules it is played by (``KB.logic``): a tree of types, predicates with
aliases, rules, and for each rule the player's command and the event by which Inform reports it.
This module reads that text; nothing here knows cooking.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from gata.errors import GataError


class Placeholder(NamedTuple):
    """A rule's variable: ``r'`` stands for any entity of type ``r``."""

    name: str
    type: str


class Predicate(NamedTuple):
    """A statement with placeholders: ``at(P, r)``."""

    name: str
    parameters: tuple[Placeholder, ...]

    @property
    def signature(self) -> tuple[str, ...]:
        """The name and the types: what aliases are found by."""
        return (self.name, *(parameter.type for parameter in self.parameters))


@dataclass(frozen=True)
class Rule:
    """Something the player can do: when it is possible, and what it changes."""

    name: str
    preconditions: tuple[Predicate, ...]
    """All that must hold, in the order of the text; aliases are expanded."""
    postconditions: tuple[Predicate, ...]
    """What holds afterwards; a precondition that is not repeated here ends."""
    command: str = ""
    """The player's words: ``take {o} from {c}``."""
    event: str = ""
    """Inform's words for the same: ``removing the {o} from the {c}``."""

    @cached_property
    def placeholders(self) -> tuple[Placeholder, ...]:
        """All placeholders in order of appearance."""
        found: dict[Placeholder, None] = {}
        for predicate in (*self.preconditions, *self.postconditions):
            found.update(dict.fromkeys(predicate.parameters))
        return tuple(found)


@dataclass(frozen=True)
class Logic:
    """The rules of a family of games."""

    parents: Mapping[str, str | None]
    """Type -> the type it is a kind of."""
    rules: tuple[Rule, ...]
    """Sorted by name, as TextWorld tries them."""

    @cached_property
    def _children(self) -> Mapping[str, tuple[str, ...]]:
        children: dict[str, list[str]] = {name: [] for name in self.parents}
        for name, parent in self.parents.items():
            if parent is not None:
                children[parent].append(name)
        return {name: tuple(sorted(kinds)) for name, kinds in children.items()}

    @cached_property
    def _subtypes(self) -> Mapping[str, tuple[str, ...]]:
        def breadth_first(name: str) -> tuple[str, ...]:
            found = [name]
            for kind in found:
                found.extend(self._children[kind])
            return tuple(found)

        return {name: breadth_first(name) for name in self.parents}

    def subtypes(self, name: str) -> tuple[str, ...]:
        """``name`` and every kind of it, nearest first."""
        return self._subtypes.get(name, (name,))

    def is_a(self, kind: str, name: str) -> bool:
        """Whether ``kind`` is ``name`` or a kind of it."""
        return kind in self.subtypes(name)

    @property
    def constants(self) -> tuple[str, ...]:
        """Types with exactly one member, which has the type's own name (P, I, RECIPE)."""
        return tuple(name for name in self.parents if name == name.upper())

    def signature_order(self, types: tuple[str, ...]) -> Mapping[tuple[str, ...], int]:
        """All type tuples that fit ``types``, numbered in the order TextWorld tries them.

        TextWorld walks the product of the type trees breadth first, one argument at a time; which
        of several equal actions it picks depends on that order.
        """
        order = self._orders.get(types)
        if order is None:
            order = self._orders[types] = {types: 0}
            queue = [types]
            for current in queue:
                for position, kind in enumerate(current):
                    for child in self._children.get(kind, ()):
                        expansion = (*current[:position], child, *current[position + 1 :])
                        if expansion not in order:
                            order[expansion] = len(order)
                            queue.append(expansion)
        return order

    @cached_property
    def _orders(self) -> dict[tuple[str, ...], dict[tuple[str, ...], int]]:
        return {}


_TOKEN = re.compile(
    r"""
    (?P<skip>\s+|\#[^\n]*)
  | (?P<code>\"\"\".*?\"\"\")
  | (?P<text>"(?:[^"\\]|\\.)*")
  | (?P<word>[A-Za-z_][\w/]*'*)
  | (?P<sign>::|->|[{}();:,&$=])
    """,
    re.VERBOSE | re.DOTALL,
)


class _Reader:
    """Walks over the tokens of a rule text."""

    def __init__(self, text: str) -> None:
        self._tokens = list(self._split(text))
        self._next = 0

    @staticmethod
    def _split(text: str) -> Iterator[str]:
        position = 0
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                line = text.count("\n", 0, position) + 1
                raise GataError(f"rule text, line {line}: unexpected {text[position]!r}")
            if match.lastgroup != "skip":
                yield match.group()
            position = match.end()

    @property
    def done(self) -> bool:
        return self._next >= len(self._tokens)

    def peek(self) -> str:
        return "" if self.done else self._tokens[self._next]

    def take(self, expected: str | None = None) -> str:
        token = self.peek()
        if not token or (expected is not None and token != expected):
            found = f"{token!r}" if token else "the end"
            raise GataError(f"rule text: expected {expected or 'more'!r}, found {found}")
        self._next += 1
        return token

    def accept(self, token: str) -> bool:
        if self.peek() != token:
            return False
        self._next += 1
        return True

    def skip_to(self, token: str) -> None:
        while not self.accept(token):
            self.take()

    def string(self) -> str:
        token = self.take()
        if not token.startswith('"'):
            raise GataError(f"rule text: expected a quoted text, found {token!r}")
        return token.strip('"')

    def predicate(self) -> Predicate:
        name = self.take()
        self.take("(")
        parameters: list[Placeholder] = []
        while not self.accept(")"):
            placeholder = self.take()
            kind = self.take() if self.accept(":") else placeholder.rstrip("'")
            parameters.append(Placeholder(placeholder, kind))
            self.accept(",")
        return Predicate(name, tuple(parameters))

    def block(self) -> Iterator[str]:
        """Yield the first word of every entry of a ``{ ... }`` block."""
        self.take("{")
        while not self.accept("}"):
            yield self.take()


class _Builder:
    """Collects what the sections of a rule text say."""

    def __init__(self) -> None:
        self.parents: dict[str, str | None] = {}
        self.aliases: dict[tuple[str, ...], tuple[Predicate, tuple[Predicate, ...]]] = {}
        self.rules: dict[str, tuple[tuple[Predicate, ...], tuple[Predicate, ...]]] = {}
        self.commands: dict[str, tuple[str, str]] = {}

    def read(self, reader: _Reader) -> None:
        while not reader.done:
            reader.take("type")
            name = reader.take()
            self.parents[name] = reader.take() if reader.accept(":") else None
            for section in reader.block():
                self._section(section, reader)

    def _section(self, section: str, reader: _Reader) -> None:
        if section == "predicates":
            self._predicates(reader)
        elif section == "rules":
            for name in reader.block():
                self._rule(name, reader)
        elif section == "inform7":
            for part in reader.block():
                if part == "commands":
                    for name in reader.block():
                        reader.take("::")
                        command = reader.string()
                        reader.take("::")
                        self.commands[name] = (command, reader.string())
                        reader.take(";")
                else:
                    self._skip(reader)
        else:
            self._skip(reader)

    @staticmethod
    def _skip(reader: _Reader) -> None:
        """Pass over a section the engine does not need (constraints, kinds, Inform code)."""
        if reader.accept("::"):
            reader.skip_to(";")
            return
        for _ in reader.block():
            reader.skip_to(";")

    def _predicates(self, reader: _Reader) -> None:
        reader.take("{")
        while not reader.accept("}"):
            pattern = reader.predicate()
            if reader.accept("="):
                replacement = [reader.predicate()]
                while reader.accept("&"):
                    replacement.append(reader.predicate())
                self.aliases[pattern.signature] = (pattern, tuple(replacement))
            reader.take(";")

    def _rule(self, name: str, reader: _Reader) -> None:
        reader.take("::")
        before: list[Predicate] = []
        after: list[Predicate] = []
        while True:
            kept = reader.accept("$")
            predicate = reader.predicate()
            before.append(predicate)
            if kept:
                after.append(predicate)
            if not reader.accept("&"):
                break
        reader.take("->")
        while not reader.accept(";"):
            after.append(reader.predicate())
            reader.accept("&")
        self.rules[name] = (tuple(before), tuple(after))

    def _expand(self, predicates: tuple[Predicate, ...]) -> tuple[Predicate, ...]:
        result: list[Predicate] = []
        for predicate in predicates:
            alias = self.aliases.get(predicate.signature)
            if alias is None:
                result.append(predicate)
                continue
            pattern, replacement = alias
            mapping = dict(zip(pattern.parameters, predicate.parameters, strict=True))
            result.extend(
                self._expand(
                    tuple(
                        Predicate(p.name, tuple(mapping.get(x, x) for x in p.parameters))
                        for p in replacement
                    )
                )
            )
        return tuple(result)

    def logic(self) -> Logic:
        rules = tuple(
            Rule(
                name,
                self._expand(before),
                self._expand(after),
                *self.commands.get(name, ("", "")),
            )
            for name, (before, after) in sorted(self.rules.items())
        )
        for rule in rules:
            for placeholder in rule.placeholders:
                if placeholder.type not in self.parents:
                    raise GataError(
                        f"rule text: rule '{rule.name}' speaks of '{placeholder.name}', "
                        f"but there is no type '{placeholder.type}'"
                    )
        for name, parent in self.parents.items():
            if parent is not None and parent not in self.parents:
                raise GataError(f"rule text: type '{name}' is a kind of unknown type '{parent}'")
        return Logic(self.parents, rules)


@lru_cache(maxsize=64)
def parse(text: str) -> Logic:
    """Read a rule text; equal texts give the same object."""
    builder = _Builder()
    try:
        builder.read(_Reader(text))
        return builder.logic()
    except RecursionError:
        raise GataError("rule text: an alias stands for itself") from None
