"""``gata pretrain``: what the networks learn before they play, and from what."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from gata import console
from gata.cli.options import unset
from gata.cli.pretrain_run import Eval, Sample
from gata.cli.pretrain_tasks import Ap, Cg, Coc, Dgi, Og, Sp, TextOg
from gata.files import check_folder, check_writable
from gata.pretrain.data.settings import BRANCH, SEED

if TYPE_CHECKING:
    from gata.pretrain.data.collect import Obtained


@dataclass(frozen=True)
class Data:
    """Play games into a corpus: the walkthroughs, random branches, and every option on the way.

    At each step of a walkthrough a branch of random commands leaves it, and every command one
    could give there is tried. ftwp and level1 give a corpus each for train, valid and test;
    level1/train/20 or my.games a single one. A corpus that is there already is kept.
    """

    games: str = "ftwp"
    """What to play: ftwp (the pre-training games), level1, level1/train/20, my.games ..."""
    output: Annotated[Path | None, unset("DIR", "-o")] = None
    """Where to write; by default into the cache folder."""
    seed: int = SEED
    """The seed: with each game's content it decides the game's random branches."""
    branch: int = BRANCH
    """How many random commands a branch has at most."""
    jobs: Annotated[int | None, unset("N")] = None
    """How many processes play; by default one per core."""
    again: bool = False
    """Make it anew, and replace what is there."""
    json: bool = False
    """Print JSON for a program to read."""

    def run(self) -> None:
        """Make what is not there and print how much there is."""
        from gata.pretrain.data.collect import default_folder, obtain, split_sets

        folder = self.output or default_folder(self.games)
        check_writable(folder, "--output")
        obtained = {}
        for split, name in split_sets(self.games).items():
            obtained[name] = obtain(
                name,
                folder / split,
                seed=self.seed,
                branch=self.branch,
                jobs=self.jobs,
                again=self.again,
            )
            if obtained[name].seconds is None:
                console.note(f"{folder / split}: kept; --again makes it anew")
        self._print(obtained)
        console.note(f"the corpus is in {folder}")

    def _print(self, obtained: "dict[str, Obtained]") -> None:
        from dataclasses import asdict

        from gata.pretrain.data.summary import summarise

        rows = []
        for name, (corpus, seconds) in obtained.items():
            rows.append({"set": name, **asdict(summarise(corpus)), "seconds": seconds})
        columns = [column.replace("_", " ") for column in rows[0]]
        console.table(columns, [list(row.values()) for row in rows], as_json=self.json)


@dataclass(frozen=True)
class Lengths:
    """Show how long things are in a corpus: observations, paths, updates, choices, graphs."""

    folder: Annotated[tyro.conf.Positional[Path | None], unset("DIR")] = None
    """A folder that `gata pretrain data` wrote, of one split; by default the pre-training games'
    train."""
    json: bool = False
    """Print JSON for a program to read."""

    def run(self) -> None:
        """Print the table."""
        from gata.pretrain.data.collect import default_folder
        from gata.pretrain.data.corpus import Corpus
        from gata.pretrain.data.summary import lengths

        folder = self.folder or default_folder("ftwp") / "train"
        check_folder(folder)
        corpus = Corpus.open(folder)
        columns = ["length in", "count", "mean", "median", "95 %", "largest", "empty"]
        console.table(columns, lengths(corpus), as_json=self.json)


@dataclass(frozen=True)
class PretrainCommands:
    """Pre-train graph updaters and encoders: the data, the six tasks, and how they do."""

    command: (
        Annotated[Data, tyro.conf.subcommand("data")]
        | Annotated[Lengths, tyro.conf.subcommand("lengths")]
        | Annotated[Og, tyro.conf.subcommand("og")]
        | Annotated[Coc, tyro.conf.subcommand("coc")]
        | Annotated[TextOg, tyro.conf.subcommand("text-og")]
        | Annotated[Cg, tyro.conf.subcommand("cg")]
        | Annotated[Ap, tyro.conf.subcommand("ap")]
        | Annotated[Sp, tyro.conf.subcommand("sp")]
        | Annotated[Dgi, tyro.conf.subcommand("dgi")]
        | Annotated[Eval, tyro.conf.subcommand("eval")]
        | Annotated[Sample, tyro.conf.subcommand("sample")]
    )

    def run(self) -> int | None:
        """Run the chosen command."""
        return self.command.run()
