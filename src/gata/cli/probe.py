"""``gata probe``: does a belief know which things are related, and how?"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import tyro

from gata import console
from gata.cli.options import UNTITLED, unset
from gata.devices import choose_device
from gata.evaluation.probing.settings import ProbeSettings

if TYPE_CHECKING:
    from gata.paper.probing import Probed

_COLUMNS = {
    "exact related": ("exact", "related"),
    "exact unrelated": ("exact", "unrelated"),
    "exact": ("exact", "all"),
    "F1": ("f1", "all"),
}
"""Of the table, for each split: metric and group of pairs."""


@dataclass(frozen=True)
class Probe:
    """Probe beliefs: fit a linear layer to tell the relations of two things from G_ij.

    The paper's appendix D.4. Every pair of related things of a walkthrough is asked for, and as
    often in a state in which it is not related. Two rows bound the others: a random graph, and the
    true one. Scores are means over seeds ± the farthest of them. The paper's stand beside them
    where numbers of games, epochs and learning rate are its own; it does not tell which games,
    negatives and batch it took.
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
        from gata.paper.probing import probed
        from gata.training.run import write_json

        if self.output is not None and self.output.suffix.lower() != ".json":
            raise UsageError(f"{self.output}: results end in .json")
        if self.output is not None:
            check_writable_file(self.output, "--output")  # the work takes minutes
        results = run_probes(self.settings, self.weights, choose_device(self.device))
        if self.output is not None:
            write_json(self.output, results)
            console.note(f"the results of each seed are in {self.output}")
        tell(probed(results, "gata probe"), as_json=self.json)


def tell(found: "Probed", *, as_json: bool) -> None:
    """Print the table, and why the paper's scores are or are not in it."""
    from gata.evaluation.probing.settings import LEFT_OPEN
    from gata.paper.probing import as_told, mean_score, spread

    changed = found.settings.departures()
    table = []
    for name, seeds in found.rows.items():
        for split in ("train", "test"):
            row: dict[str, Any] = {"belief": name, "split": split}
            for head, (metric, group) in _COLUMNS.items():
                column = (metric, split, group)
                if as_json:
                    row[head] = mean_score(seeds, *column)
                    row[f"{head} ±"] = spread(seeds, *column) if len(seeds) > 1 else None
                else:
                    row[head] = as_told(seeds, *column)
                if group == "all" and not changed:
                    row[f"paper's {head}"] = found.paper(name).get(column)
            table.append(row)
    console.table(list(table[0]), [[*row.values()] for row in table], as_json=as_json)
    if changed:
        options = _options(changed)
        console.note(f"the paper's scores are left out, they are of other settings: {options}")
    else:
        console.note(f"our own choice, as the paper does not tell it: {_options(LEFT_OPEN)}")


def _options(names: Sequence[str]) -> str:
    return ", ".join("--" + name.replace("_", "-") for name in names)
