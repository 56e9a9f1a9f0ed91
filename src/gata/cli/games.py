"""``gata games``: the games of the paper, and making more of them."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from gata import console
from gata.cli.options import unset
from gata.errors import UsageError
from gata.games.settings import FoodSplit

if TYPE_CHECKING:
    from gata.games.archive import Archive

SetName = Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="SET")]
GameName = Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="GAME")]


def as_file_name(game: str) -> str:
    """A game's whole name, for a file: what follows a dot may be all that tells two games apart."""
    return re.sub(r"[^\w.+-]+", "-", game.removesuffix(".json"))


@dataclass(frozen=True)
class List:
    """List the game sets, or the games of one set.

    Without a name: every collection, its setting, how many games it has and where they are.
    With one (level1, level1/train, level1/train/20, level5/test, difficulty6/valid, ftwp/train,
    my.games): its games, each with its recipe and size.
    """

    set: SetName = ""
    """The set whose games to list; empty for the list of sets."""
    json: bool = False
    """Print JSON for a program to read."""

    def run(self) -> None:
        """Print the list."""
        if self.set:
            self._list_games()
        else:
            self._list_sets()

    def _list_sets(self) -> None:
        from gata.games.catalogue import SPLITS, collections, paper_set
        from gata.games.settings import DIFFICULTIES, MIXED_LEVEL
        from gata.games.store import DATA_DIR, archive_path

        numbers = {setting: number for number, setting in DIFFICULTIES.items()}
        rows: list[list[object]] = []
        for name, collection in collections().items():
            path = archive_path(name)
            made = path.exists()
            settings = {entry.key.setting for entry in collection.entries}
            single = next(iter(settings)) if len(settings) == 1 else None
            rows.append(
                [
                    name,
                    str(single) if single else f"{len(settings)} settings",
                    numbers.get(single) if single else None,
                    *(len(collection.of_split(split)) for split in SPLITS),
                    "package" if path.parent == DATA_DIR else "cache" if made else "not made yet",
                    round(path.stat().st_size / 1000) if made else None,
                ]
            )
        mixed = [len(paper_set(MIXED_LEVEL, split)) for split in SPLITS]
        rows.insert(MIXED_LEVEL - 1, [f"level{MIXED_LEVEL}", "level1-4", None, *mixed, "-", None])
        columns = ["name", "setting", "difficulty", *SPLITS, "where", "kB"]
        console.table(columns, rows, as_json=self.json)
        if not self.json:
            console.note(
                "level1/unlimited and level1/fresh, of each level and difficulty, are endless:"
                " TextWorld makes them when they are asked for"
            )

    def _list_games(self) -> None:
        from gata.games.describe import recipe_lines
        from gata.games.store import load_set

        games = load_set(self.set)
        rows = [
            [
                game.name,
                "; ".join(recipe_lines(game)),
                sum(entity.type == "r" for entity in game.entities.values()),
                len(game.entities),
                game.max_score,
                len(game.walkthrough),
            ]
            for game in console.track(games, "reading", len(games))
        ]
        columns = ["name", "recipe", "rooms", "entities", "max score", "walkthrough"]
        console.table(columns, rows, as_json=self.json)


@dataclass(frozen=True)
class Show:
    """Show one game: its recipe, map, objects and walkthrough.

    On the map, ``*`` is where the player starts and numbers are doors.
    """

    game: GameName
    """A name (level1/test/56274, ftwp/train/recipe1+cut/1001, level2/unlimited/123456), a game of
    an archive file (my.games:NAME) or a TextWorld .json file."""
    json: bool = False
    """Print the whole game as TextWorld's own JSON: save it as .json and TextWorld can load it."""

    def run(self) -> None:
        """Print the game."""
        from gata.games.describe import draw_map, objects, recipe_lines
        from gata.games.store import load_game

        game = load_game(self.game)
        if self.json:
            console.print_json(game.data)
            return
        console.text(f"{game.name}: {game.max_score} points, {len(game.walkthrough)} steps")
        console.text(f"hash {game.content_hash[:16]}")
        for title, lines in (
            ("Recipe", recipe_lines(game)),
            ("Map", draw_map(game)),
            ("Walkthrough", [f"{i:2} {c}" for i, c in enumerate(game.walkthrough, start=1)]),
        ):
            console.text(f"\n{title}")
            for line in lines:
                console.text(f"  {line}")
        console.text("\nObjects at the start")
        console.table(["object", "kind", "place", "state"], objects(game))


@dataclass(frozen=True)
class Make:
    """Make games with TextWorld's generator (needs the [textworld] extra).

    The pre-training games, into the cache, resumable: gata games make ftwp-train

    The first games of a level's unlimited stream: gata games make level2 --count 1000

    The fresh games of a level, to test agents on: gata games make level2/fresh

    A set of your own: gata games make recipe2+cut+go6 --seeds 1 2 3 --output my.games
    """

    what: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="WHAT")]
    """ftwp, ftwp-train, ftwp-valid or ftwp-test; a level or difficulty (unlimited games), also
    with /fresh (new test games); or a setting such as recipe3+take3+cook+cut+open+go6."""
    count: Annotated[int | None, unset("N")] = None
    """Unlimited and fresh games: at least how many to have in the cache; by default 240 unlimited
    ones, 1,000 fresh ones."""
    seeds: Annotated[tuple[int, ...], tyro.conf.arg(help_behavior_hint="")] = ()
    """A setting of your own: the seeds, one game each."""
    foods: FoodSplit = "train"
    """A setting of your own: TextWorld's food split."""
    output: Annotated[Path | None, unset("FILE")] = None
    """A setting of your own: the archive to write."""
    jobs: Annotated[int | None, unset("N")] = None
    """How many processes work; by default one per core."""

    def run(self) -> None:
        """Make the games and say what came of it."""
        if self.what.startswith("recipe"):
            self._make_own()
            return
        if self.seeds or self.output is not None or self.foods != "train":
            raise UsageError("--seeds, --foods and --output are for a setting of your own")
        if self.what.startswith("ftwp"):
            self._make_ftwp()
        else:
            self._make_stream()

    def _make_ftwp(self) -> None:
        from gata.games.catalogue import canonical_collection, ftwp_collections
        from gata.games.store import open_collection

        everything = self.what == "ftwp"
        names = list(ftwp_collections()) if everything else [canonical_collection(self.what)]
        for name in names:
            _report(open_collection(name, jobs=self.jobs))

    def _make_stream(self) -> None:
        from gata.games.streams import CHUNK_SIZE, FRESH, STREAMS, UNLIMITED

        source, _, kind = self.what.partition("/")
        stream = STREAMS.get(kind or UNLIMITED.name)
        if stream is None:
            expected = " or ".join(f"{source}/{name}" for name in STREAMS)
            raise UsageError(f"{self.what}: expected {source}, {expected}")
        count = stream.set_size if stream.name == FRESH.name else CHUNK_SIZE
        if self.count is not None:
            count = self.count
        if count < 1:
            raise UsageError(f"--count is {count}, expected at least 1")
        made = number = 0
        while made < count:
            archive = stream.chunk(source, number, jobs=self.jobs)
            _report(archive)
            made += len(archive)
            number += 1

    def _make_own(self) -> None:
        from gata.games.archive import SUFFIX
        from gata.games.catalogue import GameKey
        from gata.games.making import Order, make_archive
        from gata.games.settings import Setting

        setting = Setting.parse(self.what)
        if not self.seeds or self.output is None:
            raise UsageError("a setting of your own needs --seeds and --output")
        if self.output.suffix != SUFFIX:
            raise UsageError(f"--output is {self.output}, expected a name that ends in {SUFFIX}")
        orders = [
            Order(f"{setting}/{self.foods}/{seed}", GameKey(setting, self.foods, seed, "folded"))
            for seed in dict.fromkeys(self.seeds)
        ]
        _report(make_archive(self.output, orders, jobs=self.jobs))


@dataclass(frozen=True)
class Verify:
    """Check games: that each matches its hash, and that its walkthrough wins with every point.

    Without a name: all 1,400 games of the package. Exits with 1 if anything is wrong.
    """

    set: SetName = ""
    """The set to check (level1, level1/test, difficulty6, ftwp/valid, my.games); empty for all
    of the package's games."""
    jobs: Annotated[int | None, unset("N")] = None
    """How many processes work; by default one per core."""
    json: bool = False
    """Print JSON for a program to read."""

    def run(self) -> int:
        """Check, and say what is wrong."""
        from gata.evaluation.verification import verify_games
        from gata.games.catalogue import paper_collections
        from gata.games.store import load_set

        names = [self.set] if self.set else list(paper_collections())
        refs = [ref for name in names for ref in load_set(name).refs]
        checked = console.track(verify_games(refs, self.jobs), "checking", len(refs))
        problems = [problem for problem in checked if problem]
        if self.json:
            console.print_json({"games": len(refs), "problems": problems})
        else:
            for problem in problems:
                console.text(problem)
            console.text(f"{len(refs)} games checked, {len(problems)} problems")
        return 1 if problems else 0


@dataclass(frozen=True)
class Stats:
    """Print the paper's table of game statistics for our games, beside the paper's numbers.

    Means over all 140 games of a level. Action candidates are counted along the walkthroughs:
    without look, examine and inventory (nearest to the paper), and as an agent in training sees
    them. Objects are the nodes of the full graph at the start, as the authors counted them.
    """

    json: bool = False
    """Print JSON for a program to read."""

    def run(self) -> None:
        """Print the table."""
        from dataclasses import asdict

        from gata.evaluation.game_statistics import game_statistics
        from gata.games.store import load_set
        from gata.paper.game_statistics import PAPER

        rows: list[list[object]] = []
        for level in console.track(PAPER, "playing walkthroughs", len(PAPER)):
            ours = asdict(game_statistics(load_set(f"level{level}")))
            rows.append([level, "ours", *ours.values()])
            rows.append([level, "paper", *asdict(PAPER[level]).values()])
        columns = ["level", "source", *(name.replace("_", " ") for name in ours)]
        console.table(columns, rows, as_json=self.json)


def _report(archive: "Archive") -> None:
    size = archive.path.stat().st_size
    console.text(f"{archive.path}: {len(archive)} games, {size / max(len(archive), 1):.0f} B each")
    for failure in archive.failures:
        console.note(f"left out: {failure.reason}")


@dataclass(frozen=True)
class GamesCommands:
    """List, show, make and check games."""

    command: (
        Annotated[List, tyro.conf.subcommand("list")]
        | Annotated[Show, tyro.conf.subcommand("show")]
        | Annotated[Make, tyro.conf.subcommand("make")]
        | Annotated[Verify, tyro.conf.subcommand("verify")]
        | Annotated[Stats, tyro.conf.subcommand("stats")]
    )

    def run(self) -> int | None:
        """Run the chosen command."""
        return self.command.run()
