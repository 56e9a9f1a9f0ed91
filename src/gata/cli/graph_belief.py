"""``gata graph belief``: what updaters believe beside what is true, as heat maps."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from gata import console
from gata.cli.games import GameName
from gata.cli.pretrain_tasks import choose_device
from gata.errors import UsageError

if TYPE_CHECKING:
    from gata.evaluation.probing.walks import Walks

_COLUMNS = 3
"""What is true, what is believed, and that less the mean."""


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
    """After how many commands; the inventory comes first, then the walkthrough. -1: at the end."""
    nodes: Literal["present", "all"] = "present"
    """Show the nodes of the true graph, or all."""
    mean_over: str = "level5/train"
    """The set of games that the mean is taken over."""
    mean_games: int = 20
    """How many of them, evenly spread."""
    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FILE")] = Path("belief.png")
    """Where to draw: a .svg or .png file."""
    device: str = "auto"
    """cpu, cuda ...; auto takes a GPU if there is one."""

    def run(self) -> None:
        """Walk, draw and write."""
        import numpy as np

        from gata.evaluation.belief_slices import believe
        from gata.evaluation.probing.run import evenly
        from gata.evaluation.probing.sources import load_belief
        from gata.evaluation.probing.walks import follow, true_graphs
        from gata.files import atomic_write
        from gata.games.store import load_game
        from gata.graph.pictures.film import caption
        from gata.graph.pictures.heatmap import compare, present_nodes
        from gata.graph.vocabulary import PAPER

        if self.output.suffix.lower() not in (".svg", ".png"):
            raise UsageError(f"{self.output}: pictures end in .svg or .png")
        if not self.updaters:
            raise UsageError("name an updater, such as og or coc")
        if not PAPER.is_relation(self.relation):
            raise UsageError(
                f"relation is {self.relation!r}, expected one of {', '.join(PAPER.relations)}"
            )
        device = choose_device(self.device)
        beliefs = {name: load_belief(name, device) for name in self.updaters}
        game = load_game(self.game)
        walks = follow([game])
        state = self._state(walks)
        others = follow(evenly(self.mean_over, self.mean_games))
        (truth,) = true_graphs(walks, np.array([state]))
        graphs = {}
        for name, source in console.track(beliefs.items(), "believing", len(beliefs)):
            believed = believe(source, walks, state, others)
            # Titles must differ, so the truth says beside which belief it stands.
            graphs[f"seen graph (for {name})"] = truth
            graphs[f"belief of {name}"] = believed.graph
            graphs[f"belief of {name}, less its mean"] = believed.less_mean
        nodes = present_nodes(truth) if self.nodes == "present" else range(len(PAPER.nodes))
        data = compare(
            graphs,
            self.relation,
            nodes,
            columns=_COLUMNS,
            image_format=self.output.suffix.lower().removeprefix("."),
            title=f"{game.name}, {self.relation}, {caption(state, walks.commands[state])}",
        )
        with atomic_write(self.output) as stream:
            stream.write(data)
        console.text(str(self.output))

    def _state(self, walks: "Walks") -> int:
        last = len(walks) - 1
        if not -1 <= self.step <= last:
            raise UsageError(
                f"step {self.step}: {last} commands are given in {walks.games[0]}, expected 0 to"
                f" {last}, or -1 for the last"
            )
        return self.step if self.step >= 0 else last
