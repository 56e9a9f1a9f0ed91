"""``gata games``: the games of the paper, and making more of them."""

from dataclasses import dataclass
from typing import Annotated

import tyro

from gata import console


@dataclass(frozen=True)
class Show:
    """Show one game: its recipe, map, objects and walkthrough."""

    game: tyro.conf.Positional[str]
    """A game's name, or the path of a TextWorld ``.json`` file."""

    def run(self) -> None:
        """Print the game."""
        console.text(self.game)


@dataclass(frozen=True)
class GamesCommands:
    """List, show, make and check games."""

    command: (
        Annotated[Show, tyro.conf.subcommand("show")]
        | Annotated[Show, tyro.conf.subcommand("list")]
    )

    def run(self) -> int | None:
        """Run the chosen command."""
        return self.command.run()
