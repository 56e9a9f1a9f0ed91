"""``gata graph belief``: what updaters believe beside what is true, as heat maps."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import tyro

from gata import console
from gata.cli.games import GameName
from gata.devices import choose_device
from gata.errors import UsageError


@dataclass(frozen=True)
class Belief:
    """Draw what updaters believe in a game: one relation of their graphs as heat maps.

    A row for each updater: the true (seen) graph, the belief G, and G less its mean over many
    games and states, which takes away what the updater believes everywhere.
    """

    game: GameName
    """A name (level1/test/56274), a game of an archive file (my.games:NAME) or a TextWorld .json
    file."""
    updaters: Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME")] = ("og", "coc")
    """Names of shipped weights (og, coc) or files."""
    relation: str = "is"
    """Which relation to draw."""
    step: int = -1
    """How many commands are given before: the inventory first, then the walkthrough; -1 for all."""
    nodes: Literal["present", "all"] = "present"
    """Show the nodes of the true graph, or all."""
    mean_over: str = "level5/train"
    """The set of games that the mean is taken over."""
    mean_games: int = 20
    """How many games of that set, evenly spread."""
    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FILE")] = Path("belief.png")
    """Where to draw: a .svg or .png file."""
    device: str = "auto"
    """cpu, cuda ...; auto takes a GPU if there is one."""

    def run(self) -> None:
        """Walk, draw and write."""
        from gata.evaluation.belief_pictures import draw_beliefs
        from gata.evaluation.probing.run import evenly
        from gata.evaluation.probing.sources import load_belief
        from gata.files import atomic_write
        from gata.games.store import load_game

        if self.output.suffix.lower() not in (".svg", ".png"):
            raise UsageError(f"{self.output}: pictures end in .svg or .png")
        if not self.updaters:
            raise UsageError("name an updater, such as og or coc")
        device = choose_device(self.device)
        image_format = self.output.suffix.lower().removeprefix(".")
        drawn = draw_beliefs(
            load_game(self.game),
            {name: load_belief(name, device) for name in self.updaters},
            evenly(self.mean_over, self.mean_games),
            relation=self.relation,
            step=self.step,
            nodes=self.nodes,
            formats=[image_format],
        )
        with atomic_write(self.output) as stream:
            stream.write(drawn[image_format])
        console.text(str(self.output))
