"""``gata graph``: the graphs of a game, true or seen, as lists, pictures and films."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from gata import console
from gata.cli.games import GameName
from gata.errors import UsageError

if TYPE_CHECKING:
    from gata.games.game import Game
    from gata.graph.pictures.film import Frame
    from gata.graph.triples import Triple

Kind = Literal["full", "seen"]


@dataclass(frozen=True)
class Step:
    """One step of a walkthrough: what was done, what the game said, and both graphs after it."""

    command: str
    observation: str
    full: "frozenset[Triple]"
    seen: "frozenset[Triple]"

    def frame(self, kind: Kind) -> "Frame":
        """The step with one of its graphs."""
        from gata.graph.pictures.film import Frame

        return Frame(self.command, self.observation, self.seen if kind == "seen" else self.full)


def walk(game: "Game") -> Iterator[Step]:
    """Play a game's walkthrough; yield its start and each step."""
    from gata.engine.text_env import TextEnv
    from gata.graph.extract import SeenGraph, full_graph
    from gata.language.tokenizer import clean

    names = {entity.id: entity.name for entity in game.entities.values()}
    env = TextEnv(game)
    observation, _ = env.reset()
    seen = SeenGraph.start(env.facts)
    for command in ("", *game.walkthrough):
        if command:
            observation, _, _, _ = env.step(command)
            seen = seen.after(command, env.performed, env.facts)
        full = full_graph(env.facts, names)
        yield Step(command, clean(observation), full, seen.triples(names))


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
    """All that is true, or what the player may know by now."""
    changes: bool = False
    """Mark what the last command changed."""
    output: Annotated[Path | None, tyro.conf.arg(aliases=["-o"], metavar="FILE")] = None
    """Draw the graph into this .svg or .png file."""
    heatmap: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Draw the adjacency of each relation into this .svg or .png file."""
    json: bool = False
    """Print JSON for a program to read."""

    def run(self) -> None:
        """Print and draw the graph."""
        from gata.games.store import load_game
        from gata.graph.pictures.film import caption

        for path in (self.output, self.heatmap):
            if path is not None and path.suffix not in (".svg", ".png"):
                raise UsageError(f"{path}: pictures end in .svg or .png")
        game = load_game(self.game)
        steps = len(game.walkthrough)
        if not -1 <= self.step <= steps:
            raise UsageError(
                f"step {self.step}: the walkthrough of {game.name} has {steps} steps, expected"
                f" 0 to {steps}, or -1 for the last"
            )
        index = self.step if self.step >= 0 else steps
        frames = [step.frame(self.kind) for step in islice(walk(game), index + 1)]
        frame = frames[index]
        before = frames[index - 1].graph if self.changes and index else None
        title = f"{game.name}, {self.kind} graph, {caption(index, frame.command)}"
        if self.output is not None:
            self._draw(self.output, frame, before, title)
        if self.heatmap is not None:
            self._draw_heatmap(self.heatmap, frame, title)
        self._print(frame, before)

    def _print(self, frame: "Frame", before: "frozenset[Triple] | None") -> None:
        from gata.graph.pictures.arrange import changes

        marked = changes(frame.graph, before)
        columns = ["source", "relation", "target"] + ["change"] * (before is not None)
        rows = [
            [edge.source, edge.relation, edge.target, change.value][: len(columns)]
            for edge, change in sorted(marked.items(), key=lambda item: item[0])
        ]
        console.table(columns, rows, as_json=self.json)

    def _draw(
        self, path: Path, frame: "Frame", before: "frozenset[Triple] | None", title: str
    ) -> None:
        from gata.files import atomic_write
        from gata.graph.pictures.map import draw_map

        scene = draw_map(frame.graph, before, title)
        with atomic_write(path) as stream:
            stream.write(scene.to_png() if path.suffix == ".png" else scene.to_svg().encode())
        console.note(f"drew {len(frame.graph)} edges into {path}")

    def _draw_heatmap(self, path: Path, frame: "Frame", title: str) -> None:
        import numpy as np

        from gata.graph.pictures.heatmap import save_heatmap
        from gata.graph.vocabulary import PAPER

        adjacency = np.zeros((len(PAPER.relations), len(PAPER.nodes), len(PAPER.nodes)))
        adjacency.flat[PAPER.edge_ids(frame.graph)] = 1
        save_heatmap(path, adjacency, title)
        console.note(f"drew the adjacency of {len(PAPER.relations)} relations into {path}")


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
    """All that is true, or what the player may know by now."""
    output: Annotated[Path | None, tyro.conf.arg(aliases=["-o"], metavar="FILE")] = None
    """Where to write: .html, .svg or .png; by default the game's name with .html, in the current
    folder."""
    columns: int = 1
    """How many steps stand side by side in one picture."""

    def run(self) -> None:
        """Write the film."""
        from gata.files import atomic_write
        from gata.games.store import load_game

        path = self.output or self._default_path()
        if path.suffix not in (".html", ".svg", ".png"):
            raise UsageError(f"{path}: films end in .html, .svg or .png")
        if self.columns < 1:
            raise UsageError(f"columns is {self.columns}, expected at least 1")
        game = load_game(self.game)
        data = self._data([step.frame(self.kind) for step in walk(game)], path.suffix, game.name)
        with atomic_write(path) as stream:
            stream.write(data)
        console.text(str(path))

    def _default_path(self) -> Path:
        """The game's whole name: what follows a dot may be all that tells two games apart."""
        return Path(re.sub(r"[^\w.+-]+", "-", self.game.removesuffix(".json")) + ".html")

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

        from gata.games.settings import LEVELS
        from gata.games.store import load_set
        from gata.graph.statistics import density, nodes

        rows = []
        for level in LEVELS:
            games = load_set(f"level{level}" + (f"/{self.split}" if self.split != "all" else ""))
            starts, ends = [], []
            for game in console.track(games, f"level {level}", len(games)):
                start, *_, end = walk(game)
                starts.append(start)
                ends.append(end)
            rows.append(
                [
                    level,
                    len(games),
                    fmean(len(nodes(step.full)) for step in starts),
                    fmean(len(step.full) for step in starts),
                    100 * fmean(density(step.full) for step in starts),
                    fmean(len(step.full) for step in ends),
                    fmean(len(step.seen) for step in starts),
                    fmean(len(step.seen) for step in ends),
                ]
            )
        columns = ["level", "games", "nodes", "edges", "density %", "edges at the end"]
        columns += ["seen at the start", "seen at the end"]
        console.table(columns, rows, as_json=self.json)


@dataclass(frozen=True)
class GraphCommands:
    """Show, film and count the graphs of games."""

    command: (
        Annotated[Show, tyro.conf.subcommand("show")]
        | Annotated[Film, tyro.conf.subcommand("film")]
        | Annotated[Counts, tyro.conf.subcommand("counts")]
    )

    def run(self) -> int | None:
        """Run the chosen command."""
        return self.command.run()
