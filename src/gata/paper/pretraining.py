"""The paper's scores on the pre-training tasks' test data; all but one task's are printed."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gata.errors import GataError
from gata.evaluation.table import NOTHING, Table
from gata.paper.marks import LENIENT, UNPRINTED
from gata.training.run import RESULTS_FILE, read_json

PAPER_SCORES: Mapping[str, Mapping[str, float]] = {
    "og": {"loss": 22.28, "f1": 0.68},
    "coc": {"loss": 0.06, "accuracy": 0.97},
    "cg": {"f1": 0.968},
    "cg-no-labels": {"f1": 0.910},
    "ap-full": {"accuracy": 0.891},
    "ap-seen": {"accuracy": 0.873},
    "sp-full": {"accuracy": 0.926},
    "sp-seen": {"accuracy": 0.971},
    "dgi-full": {"accuracy": 1.0},
    "dgi-seen": {"accuracy": 1.0},
    "ap-full-no-labels": {"accuracy": 0.472},
    "ap-seen-no-labels": {"accuracy": 0.631},
    "sp-full-no-labels": {"accuracy": 0.419},
    "sp-seen-no-labels": {"accuracy": 0.612},
    "dgi-full-no-labels": {"accuracy": 0.999},
    "dgi-seen-no-labels": {"accuracy": 1.0},
}
"""By the name of the weights, then by metric. The scores of command generation (``cg``) are not
printed: they stand in a comment of the paper's source."""


def pretraining_table(folder: Path) -> Table:
    """Our figures beside the paper's, from the raw results of runs: ``NAME/results.json``."""
    rows = []
    for path in sorted(folder.glob(f"*/{RESULTS_FILE}")):
        results = read_results(path)
        name = results["name"]
        for metric, value in results["metrics"].items():
            paper = PAPER_SCORES.get(name, {}).get(metric)
            rows.append(
                (
                    f"`{name}`",
                    f"{metric}{_unlike(name, metric)}",
                    f"{value:.3f}",
                    NOTHING if paper is None else f"{paper:.3f}",
                    f"{results['updates']:,}",
                    f"{results['training_seconds']:.0f}",
                    results["hardware"],
                    results["date"][:10],
                )
            )
    columns = ("weights", "metric", "ours", "paper", "updates", "seconds", "hardware", "date")
    return Table(columns, tuple(rows))


def _unlike(name: str, metric: str) -> str:
    """The mark of a metric whose two numbers are not quite of the same kind."""
    if metric == "accuracy" and name.startswith(("ap-", "sp-")):
        return LENIENT
    return UNPRINTED if metric == "f1" and name.startswith("cg") else ""


def read_results(path: Path) -> dict[str, Any]:
    """The results of a pre-training run, with what our tables need seen to be there."""
    results = read_json(path)
    for field, kinds in _NEEDED.items():
        value = results.get(field)
        if not isinstance(value, kinds):
            expected = " or ".join(kind.__name__ for kind in kinds)
            raise GataError(f"{path}: {field} is {value!r}, expected {expected}")
    for metric, value in results["metrics"].items():
        if not isinstance(value, int | float):
            raise GataError(f"{path}: metrics.{metric} is {value!r}, expected a number")
    return results


_NEEDED: Mapping[str, tuple[type, ...]] = {
    "name": (str,),
    "metrics": (dict,),
    "updates": (int,),
    "training_seconds": (int, float),
    "hardware": (str,),
    "date": (str,),
}
