"""``gata probe``: does a belief know which things are related, and how?"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import tyro

from gata import console
from gata.cli.options import UNTITLED, unset
from gata.devices import choose_device
from gata.evaluation.probing.settings import ProbeSettings


@dataclass(frozen=True)
class Probe:
    """Probe beliefs: fit a linear layer to tell the relations of two things from G_ij.

    The paper's appendix D.4. Every pair of related things of a walkthrough is asked for, and as
    often in a state in which it is not related. Two rows bound the others: a random graph, and the
    true one. Scores are means over seeds; the paper's stand beside them where the settings are its
    own.
    """

    weights: Annotated[tyro.conf.Positional[tuple[str, ...]], tyro.conf.arg(metavar="NAME")] = (
        "og",
        "coc",
        "text-og",
    )
    """Names of shipped weights (og, coc, or text-og, the memory of Tr-DRQN) or files; they go
    before --seeds, which takes all that follows."""
    settings: Annotated[ProbeSettings, UNTITLED] = field(default_factory=ProbeSettings)
    output: Annotated[Path | None, unset("FILE", "-o")] = None
    """Write the results of each seed into this .json file."""
    device: str = "auto"
    """cpu, cuda ...; auto takes a GPU if there is one."""
    json: bool = False
    """Print JSON for a program to read."""

    def run(self) -> None:
        """Probe, write and print."""
        from gata.errors import UsageError
        from gata.evaluation.probing.run import run_probes
        from gata.files import check_writable_file
        from gata.paper.probing import GROUPS, comparable_scores, mean_score, rows_of
        from gata.training.run import write_json

        if self.output is not None and self.output.suffix.lower() != ".json":
            raise UsageError(f"{self.output}: results end in .json")
        if self.output is not None:
            check_writable_file(self.output, "--output")  # the work takes minutes
        results = run_probes(self.settings, self.weights, choose_device(self.device))
        if self.output is not None:
            write_json(self.output, results)
            console.note(f"the results of each seed are in {self.output}")
        table = []
        for name, seeds in rows_of(results, "gata probe").items():
            for split in ("train", "test"):
                paper = comparable_scores(name, self.settings)
                exact = [mean_score(seeds, "exact", split, group) for group in GROUPS]
                f1 = mean_score(seeds, "f1", split, "all")
                printed = [paper.get((metric, split, "all")) for metric in ("exact", "f1")]
                table.append([name, split, *exact, printed[0], f1, printed[1]])
        columns = ["belief", "split", "exact related", "exact unrelated", "exact", "paper's exact"]
        console.table([*columns, "F1", "paper's F1"], table, as_json=self.json)
        if changed := self.settings.departures():
            options = ", ".join("--" + name.replace("_", "-") for name in changed)
            console.note(f"the paper's scores are left out, they are of other settings: {options}")
