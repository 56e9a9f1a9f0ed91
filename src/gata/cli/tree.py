"""What can be typed: commands and their options, read off the types that tyro reads."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from itertools import takewhile
from types import UnionType
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

import tyro

from gata.errors import UsageError
from gata.names import did_you_mean

_NUMBERS = {int: "a whole number", float: "a number"}
"""The types of numbers, in words."""


class Chosen(NamedTuple):
    """The command that was typed."""

    kind: Any
    """Its type."""
    name: str
    """As it was typed, with its groups: ``games list``."""


class Option(NamedTuple):
    """What can be given to a command by name."""

    field: Field[Any]
    kind: Any
    """The type of its value."""

    @property
    def typed(self) -> str:
        """Its name as it is typed, without the two hyphens."""
        name = self.field.name.replace("_", "-")
        return f"no-{name}" if self.field.default is True else name


def chosen(commands: Any, words: Sequence[str]) -> Chosen | None:
    """The command that was typed; None if none was named.

    A word in the place of a command's name that is none is refused, with what may have been meant.

    Args:
        commands: a union of commands, each annotated with its name; a command whose field
            ``command`` is such a union is a group of them.
        words: what was typed behind ``gata``.
    """
    place = commands
    for number, word in enumerate(words):
        known = by_name(place)
        if not known:
            return Chosen(place, " ".join(words[:number]))
        if word.startswith("-"):  # asks for help, or is tyro's to refuse
            return None
        name = word.replace("_", "-")  # tyro takes both for the same
        if name not in known:
            group = "".join(f"{each} " for each in words[:number])
            raise UsageError(
                f"no command is called {group + word!r}{did_you_mean(word, known)};"
                f" `gata {group}--help` lists them"
            )
        command = known[name]
        place = get_type_hints(command, include_extras=True).get("command", command)
    return None if by_name(place) else Chosen(place, " ".join(words))


def by_name(place: Any) -> Mapping[str, Any]:
    """The commands in a union of them."""
    return {
        mark.name: get_args(member)[0]
        for member in get_args(place)
        for mark in getattr(member, "__metadata__", ())
    }


def check_options(command: Chosen | None, words: Sequence[str]) -> None:
    """Refuse an option that the command has not, with what may have been meant.

    tyro would list what all commands have.

    Args:
        command: that was typed, if any was.
        words: what was typed behind ``gata``.
    """
    if command is None:
        return
    known = {f"--{name}" for name in ("help", *option_names(command.kind))}
    for word in words:
        option = word.partition("=")[0].replace("_", "-")
        if option.startswith("--") and option not in known:
            raise UsageError(
                f"no option is called {option}{did_you_mean(option, known)};"
                f" `gata {command.name} --help` lists them"
            )


def check_values(command: Chosen | None, words: Sequence[str]) -> None:
    """Refuse what is no number where one is expected, and what is none of an option's choices.

    tyro would draw a box around many lines. What else can be wrong is left to it.

    Args:
        command: that was typed, if any was.
        words: what was typed behind ``gata``.
    """
    if command is None:
        return
    options = {f"--{option.typed}": option for option in _options(command.kind).values()}
    for place, word in enumerate(words):
        typed, is_one_word, value = word.partition("=")
        name = typed.replace("_", "-")
        if name not in options:
            continue
        kind, takes_several = _element(options[name].kind)
        values = [value] if is_one_word else _values(words[place + 1 :])
        if not takes_several:
            values = values[:1]
        elif _has_required_positional(command.kind):
            values = values[:-1]  # the last may be that one
        for value in values:
            if expected := _unmet(kind, value):
                hint = f"; a name goes first: gata {command.name} {value} {name} ..."
                is_name = takes_several and _positionals(command.kind)
                raise UsageError(f"{name} is {value}, expected {expected}{hint if is_name else ''}")


def _element(kind: Any) -> tuple[Any, bool]:
    """The type of one value of an option, and whether it takes several."""
    if get_origin(kind) is tuple:
        return get_args(kind)[0], True
    members = [each for each in get_args(kind) if each is not type(None)]
    is_optional = get_origin(kind) is UnionType and len(members) == 1
    return (members[0] if is_optional else kind), False


def _values(words: Sequence[str]) -> list[str]:
    """The words up to the next option; a number may begin with a hyphen, too."""
    return list(takewhile(lambda word: not re.match(r"--?[a-zA-Z]", word), words))


def _unmet(kind: Any, value: str) -> str:
    """What was expected of a value and not met; empty if nothing was."""
    if get_origin(kind) is Literal:
        choices = [str(choice) for choice in get_args(kind)]
        return "" if value in choices else f"one of {', '.join(choices)}"
    if kind not in _NUMBERS:
        return ""
    try:
        kind(value)
    except ValueError:
        return _NUMBERS[kind]
    return ""


def option_names(command: Any) -> list[str]:
    """The options of a command as they are typed, without the two hyphens."""
    return [option.typed for option in _options(command).values()]


def with_options(message: str, command: Chosen | None) -> str:
    """An error message about a setting, with the name of its option where it begins with it.

    Settings name themselves as Python does: ``learning_rate is 0, expected above 0``.

    Args:
        message: what is wrong.
        command: that was typed, if any was.
    """
    found = re.match(r"(?:[\w-]+: )?(?P<name>\w+) (?:is|are) ", message)
    if command is None or found is None:
        return message
    options = _options(command.kind)
    option = "--" + found["name"].replace("_", "-")
    if found["name"] in options:
        return message[: found.start("name")] + option + message[found.end("name") :]
    # One of several that were given together.
    return f"{option}s: {message}" if f"{found['name']}s" in options else message


def _options(command: Any) -> dict[str, Option]:
    """The fields of a command and of its settings that are options, by name."""
    found: dict[str, Option] = {}
    kinds = get_type_hints(command)
    positional = {field.name for field in _positionals(command)}
    for field in fields(command):
        if is_dataclass(kinds[field.name]):
            found |= _options(kinds[field.name])
        elif field.name not in positional:
            found[field.name] = Option(field, kinds[field.name])
    return found


def _positionals(command: Any) -> list[Field[Any]]:
    """The fields of a command that are given without a name."""
    marked = get_type_hints(command, include_extras=True)
    return [
        field
        for field in fields(command)
        if tyro.conf.Positional in getattr(marked[field.name], "__metadata__", ())
    ]


def _has_required_positional(command: Any) -> bool:
    return any(field.default is MISSING for field in _positionals(command))
