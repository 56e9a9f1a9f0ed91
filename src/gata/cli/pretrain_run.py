"""``gata pretrain eval | sample``: how trained weights do, and what they write."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import tyro

from gata import console
from gata.cli.options import unset
from gata.cli.pretrain_tasks import Folder, corpus_folder
from gata.devices import choose_device

Weights = Annotated[
    tyro.conf.Positional[tuple[str, ...]],
    tyro.conf.arg(metavar="[NAME ...]", help_behavior_hint=""),
]


@dataclass(frozen=True)
class Eval:
    """Test trained weights, and set the paper's figures beside ours."""

    weights: Weights = ()
    """Names of shipped weights (og, coc, ap-full ...), files or folders of runs; by default all
    shipped ones."""
    split: Literal["valid", "test"] = "test"
    """Which of the corpus's games to take."""
    at_most: Annotated[int | None, unset("N")] = None
    """Look at so many examples only, evenly spread; by default at as many as in training."""
    data: Folder = None
    """The corpus; by default the pre-training games', made first if need be."""
    device: str = "auto"
    """cpu, cuda ...; auto takes a GPU if there is one."""
    json: bool = False
    """Print JSON for a program to read."""

    def run(self) -> None:
        """Test and print."""
        from gata.errors import UsageError
        from gata.models.shipped import find, names
        from gata.paper.pretraining import PAPER_SCORES
        from gata.pretrain.stored import load_task

        if self.at_most is not None and self.at_most < 1:
            raise UsageError(f"--at-most is {self.at_most}, expected 1 or more")
        wanted = self.weights or tuple(names())
        if not wanted:
            raise UsageError("no weights are shipped with this version; name a file")
        for name in wanted:
            find(name)
        folder, device = corpus_folder(self.data), choose_device(self.device)
        rows = []
        for name in console.track(wanted, "testing", len(wanted)):
            settings, task = load_task(name, folder, self.split, device)
            usual = {"valid": settings.valid_examples, "test": settings.test_examples}
            at_most = self.at_most or usual[self.split]
            # The paper's are of its test games.
            paper = PAPER_SCORES.get(settings.name, {}) if self.split == "test" else {}
            for metric, value in task.evaluate(self.split, at_most).items():
                rows.append([name, metric, value, paper.get(metric)])
        console.table(["weights", f"{self.split} metric", "ours", "paper"], rows, as_json=self.json)


@dataclass(frozen=True)
class Sample:
    """Show what a model writes: observations from its belief graph, or update commands."""

    weights: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="NAME")] = "og"
    """The name of shipped weights (og, text-og, cg), a file or the folder of a run."""
    game: int = 0
    """Which of the split's games; its walkthrough is followed."""
    split: Literal["train", "valid", "test"] = "test"
    """Which of the corpus's games to take."""
    data: Folder = None
    """The corpus; by default the pre-training games', made first if need be."""
    device: str = "auto"
    """cpu, cuda ...; auto takes a GPU if there is one."""
    json: bool = False
    """Print JSON for a program to read."""

    def run(self) -> None:
        """Print each step of the walkthrough."""
        from gata.pretrain.samples import Written, samples
        from gata.pretrain.stored import load_task

        device = choose_device(self.device)
        folder: Path = corpus_folder(self.data)
        _, task = load_task(self.weights, folder, self.split, device)
        found = list(samples(task, self.split, self.game))
        # A model that writes observations is not shown them.
        columns = [
            name
            for name in Written._fields
            if any(getattr(sample, name) is not None for sample in found)
        ]
        rows = [[getattr(sample, name) for name in columns] for sample in found]
        console.table(columns, rows, as_json=self.json)
