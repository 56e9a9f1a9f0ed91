"""The paper's scores on the pre-training tasks' test data, as printed."""

import json
from collections.abc import Mapping
from pathlib import Path

from gata.paper.table import Table

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
"""By the name of the weights, then by metric. The scores of command generation stand in a comment
of the paper's source."""


def pretraining_table(folder: Path) -> Table:
    """Our figures beside the paper's, from the raw results of runs: ``NAME/results.json``."""
    rows = []
    for path in sorted(folder.glob("*/results.json")):
        results = json.loads(path.read_text(encoding="utf-8"))
        name = results["name"]
        for metric, value in results["metrics"].items():
            paper = PAPER_SCORES.get(name, {}).get(metric)
            rows.append(
                (
                    f"`{name}`",
                    metric,
                    f"{value:.3f}",
                    "-" if paper is None else f"{paper:.3f}",
                    f"{results['updates']:,}",
                    f"{results['training_seconds']:.0f}",
                    results["hardware"],
                    results["date"][:10],
                )
            )
    columns = ("weights", "metric", "ours", "paper", "updates", "seconds", "hardware", "date")
    return Table(columns, tuple(rows))
