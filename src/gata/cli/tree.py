"""What can be typed: commands and their options, read off the types that tyro reads."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import Field, fields, is_dataclass
from typing import Any, NamedTuple, get_args, get_type_hints

import tyro

from gata.errors import UsageError
from gata.names import did_you_mean


class Chosen(NamedTuple):
    """The command that was typed."""

    kind: Any
    """Its type."""
    name: str
    """As it was typed, with its groups: ``games list``."""


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


def option_names(command: Any) -> list[str]:
    """The options of a command as they are typed, without the two hyphens."""
    return [_typed(field) for field in _options(command).values()]


def _typed(field: Field[Any]) -> str:
    name = field.name.replace("_", "-")
    return f"no-{name}" if field.default is True else name


def with_options(message: str, command: Chosen | None) -> str:
    """An error message about a setting, with the name of its option where it begins with it.

    Settings name themselves as Python does: ``learning_rate is 0, expected above 0``.

    Args:
        message: what is wrong.
        command: that was typed, if any was.
    """
    found = re.match(r"(?:[\w-]+: )?(?P<name>\w+) (?:is|are) ", message)
    if command is None or found is None or found["name"] not in _options(command.kind):
        return message
    option = "--" + found["name"].replace("_", "-")
    return message[: found.start("name")] + option + message[found.end("name") :]


def _options(command: Any) -> dict[str, Field[Any]]:
    """The fields of a command and of its settings that are options, by name."""
    found: dict[str, Field[Any]] = {}
    kinds = get_type_hints(command)
    marked = get_type_hints(command, include_extras=True)
    for field in fields(command):
        if is_dataclass(kinds[field.name]):
            found |= _options(kinds[field.name])
        elif tyro.conf.Positional not in getattr(marked[field.name], "__metadata__", ()):
            found[field.name] = field
    return found
