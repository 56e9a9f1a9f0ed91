"""``gata graph``: the graphs of a game, true or seen, as lists, pictures and films."""

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


def walk(game: "Game", kind: Kind) -> "Iterator[Frame]":
    """Play a game's walkthrough; yield the start and each step with its graph."""
    from gata.engine.text_env import TextEnv
    from gata.graph.extract import SeenGraph, full_graph
    from gata.graph.pictures.film import Frame
    from gata.language.tokenizer import clean

    names = {entity.id: entity.name for entity in game.entities.values()}
    env = TextEnv(game)
    observation, _ = env.reset()
    seen = SeenGraph.start(env.facts)
    for command in ("", *game.walkthrough):
        if command:
            observation, _, _, _ = env.step(command)
            seen = seen.after(command, env.performed, env.facts)
        graph = seen.triples(names) if kind == "seen" else full_graph(env.facts, names)
        yield Frame(command, clean(observation), graph)


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
        frames = list(islice(walk(game, self.kind), index + 1))
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
    needs no network; arrow keys step, the space bar plays.
    """

    game: GameName
    """A name (level1/test/56274), a game of an archive file (my.games:NAME) or a TextWorld .json
    file."""
    kind: Kind = "seen"
    """All that is true, or what the player may know by now."""
    output: Annotated[Path | None, tyro.conf.arg(aliases=["-o"], metavar="FILE")] = None
    """Where to write; by default the game's name with .html, in the current folder."""

    def run(self) -> None:
        """Write the film."""
        from gata.files import atomic_write
        from gata.games.store import load_game
        from gata.graph.pictures.film import film

        game = load_game(self.game)
        default = Path(Path(game.name).name if self.game.endswith(".json") else game.name)
        path = self.output or Path("-".join(default.parts)).with_suffix(".html")
        frames = list(walk(game, self.kind))
        page = film(frames, f"{game.name}, {self.kind} graph")
        with atomic_write(path) as stream:
            stream.write(page.encode())
        console.text(str(path))


@dataclass(frozen=True)
class Counts:
    """Count nodes and edges of the graphs of the paper's games, by level.

    Means over the games of a split: the full graph at the start, with its density as the paper
    defines it (edges / (relations x nodes x (nodes - 1)), in per cent), and the seen graph at the
    start and after the walkthrough.
    """

    split: Literal["train", "valid", "test"] = "test"
    """Which games."""
    json: bool = False
    """Print JSON for a program to read."""

    def run(self) -> None:
        """Print the table."""
        from statistics import mean

        from gata.games.settings import LEVELS
        from gata.games.store import load_level
        from gata.graph.vocabulary import PAPER

        rows = []
        for level in LEVELS:
            games = load_level(level, self.split)
            played = [
                (list(walk(game, "full")), list(walk(game, "seen")))
                for game in console.track(games, f"level {level}", len(games))
            ]
            full = [frames[0].graph for frames, _ in played]
            nodes = [len({n for e in graph for n in (e.source, e.target)}) for graph in full]
            density = [
                100 * len(graph) / (len(PAPER.relations) * n * (n - 1))
                for graph, n in zip(full, nodes, strict=True)
            ]
            rows.append(
                [
                    level,
                    len(games),
                    mean(nodes),
                    mean(map(len, full)),
                    mean(density),
                    mean(len(frames[-1].graph) for frames, _ in played),
                    mean(len(frames[0].graph) for _, frames in played),
                    mean(len(frames[-1].graph) for _, frames in played),
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
