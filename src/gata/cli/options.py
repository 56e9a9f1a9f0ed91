"""How options are shown in help texts."""

from typing import Any

import tyro

UNTITLED: Any = tyro.conf.arg(name="")
"""Of settings among whose options a command's own are: one box, without the name of the field."""


def unset(metavar: str, *aliases: str) -> Any:
    """Of an option that is None if it is not given: its help says in words what happens then.

    Args:
        metavar: what is to be given, in capitals.
        aliases: short names such as ``-o``.
    """
    return tyro.conf.arg(metavar=metavar, aliases=aliases, help_behavior_hint="")
