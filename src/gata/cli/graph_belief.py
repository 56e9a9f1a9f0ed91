"""``gata graph belief``: what updaters believe beside what is true, as heat maps."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import tyro

from gata import console
from gata.cli.games import GameName, as_file_name
from gata.cli.options import unset
from gata.devices import choose_device
from gata.errors import UsageError
from gata.files import check_writable_file


@dataclass(frozen=True)
class Belief:
    """Draw what updaters believe in a game: one relation of their graphs as heat maps.

    The true (seen) graph once, then for each updater the belief G, and G less its mean over many
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
    output: Annotated[Path | None, unset("FILE", "-o")] = None
    """Where to draw: a .svg or .png file; by default the names of game and relation with .png, in
    the current folder."""
    device: str = "auto"
    """cpu, cuda ...; auto takes a GPU if there is one."""

    def run(self) -> None:
        """Walk, draw and write."""
        from gata.files import atomic_write
        from gata.games.store import load_game
        from gata.graph.vocabulary import PAPER

        # All that can be told without torch is, before it is loaded.
        PAPER.check_relation(self.relation)
        path = self.output or Path(f"{as_file_name(self.game)}-belief-{self.relation}.png")
        if path.suffix.lower() not in (".svg", ".png"):
            raise UsageError(f"{path}: pictures end in .svg or .png")
        check_writable_file(path, "--output")
        if not self.updaters:
            raise UsageError("name an updater, such as og or coc")
        game = load_game(self.game)

        from gata.evaluation.belief_pictures import draw_beliefs
        from gata.evaluation.probing.run import evenly
        from gata.evaluation.probing.sources import load_belief

        device = choose_device(self.device)
        image_format = path.suffix.lower().removeprefix(".")
        drawn = draw_beliefs(
            game,
            {name: load_belief(name, device) for name in self.updaters},
            evenly(self.mean_over, self.mean_games),
            relation=self.relation,
            step=self.step,
            nodes=self.nodes,
            formats=[image_format],
        )
        with atomic_write(path) as stream:
            stream.write(drawn[image_format])
        console.text(str(path))
