"""``gata graph``: the graphs of a game, true or seen, as lists, pictures and films."""

from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from gata import console
from gata.cli.games import GameName, as_file_name
from gata.cli.graph_belief import Belief
from gata.cli.options import unset
from gata.errors import UsageError
from gata.files import check_writable_file

if TYPE_CHECKING:
    from gata.evaluation.graphs import Step
    from gata.graph.pictures.film import Frame
    from gata.graph.triples import Triple

Kind = Literal["full", "seen"]


def _frame(step: "Step", kind: Kind) -> "Frame":
    """A step with one of its graphs, to be drawn."""
    from gata.graph.pictures.film import Frame

    return Frame(step.command, step.observation, step.graph(kind))


@dataclass(frozen=True)
class Show:
    """Show the graph of a game after some steps of its walkthrough.

    Prints the edges; with an output file, draws them as a map of rooms and things.
    """

    game: GameName
    """A name (level1/test/56274), a game of an archive file (my.games:NAME) or a TextWorld .json
    file."""
    step: int = 0
    """How many commands of the walkthrough to play first; -1 for all of them."""
    kind: Kind = "full"
    """full: all that is true; seen: what the player may know by now."""
    changes: bool = False
    """Mark what the last command changed."""
    output: Annotated[Path | None, unset("FILE", "-o")] = None
    """Draw the graph into this .svg or .png file."""
    heatmap: Annotated[Path | None, unset("FILE")] = None
    """Draw the adjacency of each relation into this .svg or .png file."""
    json: bool = False
    """Print JSON for a program to read."""

    def run(self) -> None:
        """Print and draw the graph."""
        from gata.evaluation.graphs import walk
        from gata.games.store import load_game
        from gata.graph.pictures.film import caption

        for path in (self.output, self.heatmap):
            if path is not None and path.suffix.lower() not in (".svg", ".png"):
                raise UsageError(f"{path}: pictures end in .svg or .png")
            if path is not None:
                check_writable_file(path)
        game = load_game(self.game)
        last = len(game.walkthrough)
        if not -1 <= self.step <= last:
            raise UsageError(
                f"step {self.step}: the walkthrough of {game.name} has {last} steps, expected"
                f" 0 to {last}, or -1 for the last"
            )
        index = self.step if self.step >= 0 else last
        steps = list(islice(walk(game), index + 1))
        graph = steps[index].graph(self.kind)
        # Nothing has changed at the start.
        before = steps[max(index - 1, 0)].graph(self.kind) if self.changes else None
        title = f"{game.name}, {self.kind} graph, {caption(index, steps[index].command)}"
        self._draw(graph, before, title)
        self._print(graph, before)

    def _print(self, graph: "frozenset[Triple]", before: "frozenset[Triple] | None") -> None:
        from gata.graph.pictures.arrange import changes

        marked = changes(graph, before)
        columns = ["source", "relation", "target"] + ["change"] * (before is not None)
        rows = [
            [edge.source, edge.relation, edge.target, change.value][: len(columns)]
            for edge, change in sorted(marked.items(), key=lambda item: item[0])
        ]
        console.table(columns, rows, as_json=self.json)

    def _draw(
        self, graph: "frozenset[Triple]", before: "frozenset[Triple] | None", title: str
    ) -> None:
        """Write the pictures that were asked for, once all of them are drawn."""
        from gata.files import atomic_write

        drawn: list[tuple[Path, bytes, str]] = []
        if self.output is not None:
            drawn.append((self.output, self._map(self.output, graph, before, title), "map"))
        if self.heatmap is not None:
            drawn.append((self.heatmap, self._heatmap(self.heatmap, graph, title), "adjacency"))
        for path, data, what in drawn:
            with atomic_write(path) as stream:
                stream.write(data)
            console.note(f"drew {len(graph)} edges as {what} into {path}")

    @staticmethod
    def _map(
        path: Path, graph: "frozenset[Triple]", before: "frozenset[Triple] | None", title: str
    ) -> bytes:
        from gata.graph.pictures.map import draw_map

        scene = draw_map(graph, before, title)
        return scene.to_png() if path.suffix.lower() == ".png" else scene.to_svg().encode()

    @staticmethod
    def _heatmap(path: Path, graph: "frozenset[Triple]", title: str) -> bytes:
        import numpy as np

        from gata.graph.pictures.heatmap import heatmap
        from gata.graph.statistics import nodes
        from gata.graph.vocabulary import PAPER

        # Games that are not of the paper have other nodes.
        vocabulary = PAPER.extended(sorted(nodes(graph)), sorted({e.relation for e in graph}))
        size = len(vocabulary.nodes)
        adjacency = np.zeros((len(vocabulary.relations), size, size))
        adjacency.flat[vocabulary.edge_ids(graph)] = 1
        image_format = path.suffix.lower().removeprefix(".")
        return heatmap(adjacency, image_format, vocabulary, title=title)


@dataclass(frozen=True)
class Film:
    """Make a film of a game: one HTML file that steps through its walkthrough.

    Every step shows the command, the game's answer, the graph and what changed in it. The file
    needs no network; arrow keys step, the space bar plays. As .svg or .png, all steps are in one
    picture instead.
    """

    game: GameName
    """A name (level1/test/56274), a game of an archive file (my.games:NAME) or a TextWorld .json
    file."""
    kind: Kind = "seen"
    """full: all that is true; seen: what the player may know by now."""
    output: Annotated[Path | None, unset("FILE", "-o")] = None
    """Where to write: .html, .svg or .png; by default the game's name with .html, in the current
    folder."""
    columns: int = 1
    """How many steps stand side by side in one picture."""

    def run(self) -> None:
        """Write the film."""
        from gata.evaluation.graphs import walk
        from gata.files import atomic_write
        from gata.games.store import load_game

        path = self.output or Path(f"{as_file_name(self.game)}.html")
        suffix = path.suffix.lower()
        if suffix not in (".html", ".svg", ".png"):
            raise UsageError(f"{path}: films end in .html, .svg or .png")
        if self.columns < 1:
            raise UsageError(f"columns is {self.columns}, expected at least 1")
        check_writable_file(path, "--output")
        game = load_game(self.game)
        data = self._data([_frame(step, self.kind) for step in walk(game)], suffix, game.name)
        with atomic_write(path) as stream:
            stream.write(data)
        console.text(str(path))

    def _data(self, frames: "list[Frame]", suffix: str, name: str) -> bytes:
        from gata.graph.pictures.film import draw_sheet, film

        if suffix == ".html":
            return film(frames, f"{name}, {self.kind} graph").encode()
        picture = draw_sheet(frames, self.columns)
        return picture.to_svg().encode() if suffix == ".svg" else picture.to_png(scale=1)


@dataclass(frozen=True)
class Counts:
    """Count nodes and edges of the graphs of the paper's games, by level.

    Means over games. Nodes, edges and density are of the full graph at the start, as in the
    paper's table of games (density: edges / (relations present x nodes x (nodes - 1)), in per
    cent); then come the full graph after the walkthrough, and the seen graph before and after.
    """

    split: Literal["all", "train", "valid", "test"] = "all"
    """Which games; all of a level are 140."""
    json: bool = False
    """Print JSON for a program to read."""

    def run(self) -> None:
        """Print the table."""
        from statistics import fmean

        from gata.evaluation.graphs import walk
        from gata.games.settings import LEVELS
        from gata.games.store import load_set
        from gata.graph.statistics import density, nodes

        rows = []
        for level in LEVELS:
            games = load_set(f"level{level}" + (f"/{self.split}" if self.split != "all" else ""))
            full, full_ends, seen, seen_ends = [], [], [], []
            for game in console.track(games, f"level {level}", len(games)):
                start, *_, end = walk(game)
                full.append(start.graph("full"))
                full_ends.append(end.graph("full"))
                seen.append(start.graph("seen"))
                seen_ends.append(end.graph("seen"))
            rows.append(
                [
                    level,
                    len(games),
                    fmean(len(nodes(graph)) for graph in full),
                    fmean(map(len, full)),
                    100 * fmean(map(density, full)),
                    *(fmean(map(len, graphs)) for graphs in (full_ends, seen, seen_ends)),
                ]
            )
        columns = ["level", "games", "nodes", "edges", "density %", "edges at the end"]
        columns += ["seen at the start", "seen at the end"]
        console.table(columns, rows, as_json=self.json)


@dataclass(frozen=True)
class GraphCommands:
    """Show, film and count the graphs of games; show what updaters believe."""

    command: (
        Annotated[Show, tyro.conf.subcommand("show")]
        | Annotated[Film, tyro.conf.subcommand("film")]
        | Annotated[Belief, tyro.conf.subcommand("belief")]
        | Annotated[Counts, tyro.conf.subcommand("counts")]
    )

    def run(self) -> int | None:
        """Run the chosen command."""
        return self.command.run()
