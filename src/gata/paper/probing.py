"""The paper's table of the probing task, as printed, and ours beside it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import StatisticsError, fmean
from typing import Any

from gata.errors import GataError
from gata.evaluation.table import Table
from gata.training.run import read_json

GROUPS = ("related", "unrelated", "all")
"""The table's columns +, - and Avg."""

_COLUMNS = [
    (metric, split, group)
    for metric in ("exact", "f1")
    for split in ("train", "test")
    for group in GROUPS
]
_PRINTED = {
    "random": (0.00, 0.99, 0.49, 0.00, 0.99, 0.49, 0.00, 0.99, 0.49, 0.00, 0.99, 0.49),
    "ground-truth": (0.98, 0.96, 0.97, 0.97, 0.96, 0.97, 0.98, 0.96, 0.97, 0.98, 0.96, 0.97),
    "text-og": (0.61, 0.84, 0.73, 0.61, 0.83, 0.72, 0.61, 0.84, 0.73, 0.61, 0.83, 0.72),
    "og": (0.69, 0.86, 0.78, 0.70, 0.86, 0.78, 0.71, 0.85, 0.78, 0.72, 0.86, 0.79),
    "coc": (0.65, 0.86, 0.75, 0.65, 0.84, 0.75, 0.67, 0.85, 0.76, 0.67, 0.84, 0.75),
}

PAPER_SCORES: Mapping[str, Mapping[tuple[str, str, str], float]] = {
    row: dict(zip(_COLUMNS, numbers, strict=True)) for row, numbers in _PRINTED.items()
}
"""By row (``text-og`` is Tr-DRQN), then by metric, split and group of pairs."""

TITLES = {
    "random": "Random",
    "ground-truth": "Ground truth",
    "text-og": "Tr-DRQN (`text-og`)",
    "og": "GATA (`og`)",
    "coc": "GATA (`coc`)",
    "og memory": "h_t of `og`",
    "coc memory": "h_t of `coc`",
}


Rows = Mapping[str, Sequence[Mapping[str, Any]]]
"""What ``gata probe`` writes for each belief: a table of scores per seed."""


def read_rows(path: Path) -> Rows:
    """The raw results of ``gata probe``, with what our tables need seen to be there."""
    results = read_json(path)
    try:
        rows: Rows = results["rows"]
        for seeds in rows.values():
            for metric, split, group in _COLUMNS:
                mean_score(seeds, metric, split, group)
    except (KeyError, TypeError, AttributeError, StatisticsError) as error:
        raise GataError(f"{path}: not the results of gata probe (no {error})") from error
    return rows


def mean_score(seeds: Sequence[Mapping[str, Any]], metric: str, split: str, group: str) -> float:
    """A row's mean over its seeds."""
    return fmean(seed[split][metric][group] for seed in seeds)


def probing_table(path: Path) -> Table:
    """Ours (mean over seeds) beside the paper's, from the raw results of ``gata probe``."""
    shown = [column for column in _COLUMNS if column[:2] != ("f1", "train")]
    signs = dict(zip(GROUPS, ("+", "-", "all"), strict=True))
    heads = (
        f"{'F1' if metric == 'f1' else metric} {split} {signs[group]}"
        for metric, split, group in shown
    )
    rows = tuple(_row(name, seeds, shown) for name, seeds in read_rows(path).items())
    return Table(("belief", *heads), rows)


def _row(
    name: str, seeds: Sequence[Mapping[str, Any]], columns: list[tuple[str, str, str]]
) -> tuple[str, ...]:
    cells = [TITLES.get(name, f"`{name}`")]
    for column in columns:
        paper = PAPER_SCORES.get(name, {}).get(column)
        ours = f"{mean_score(seeds, *column):.2f}"
        cells.append(ours if paper is None else f"{ours} / {paper:.2f}")
    return tuple(cells)
