"""The paper's table of the probing task, as printed, and ours beside it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from gata.errors import GataError
from gata.evaluation.probing.settings import ProbeSettings
from gata.evaluation.table import Table
from gata.training.run import read_json
from gata.typed_json import read_as

NEGATIVES = {"any-game": "any game", "same-game": "the same game"}
"""Where unrelated pairs may come from, in words; a file of results each."""

METRICS = {"exact": "exact match", "f1": "F1"}
"""In words; a half of the paper's table each."""

GROUPS = ("related", "unrelated", "all")
"""The table's columns +, - and Avg."""

_SPLITS = ("train", "test")
_COLUMNS = [(metric, split, group) for metric in METRICS for split in _SPLITS for group in GROUPS]
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
    "og memory": "h_t (`og memory`)",
    "coc memory": "h_t (`coc memory`)",
    "og memory, mixed": "Ten mixtures of h_t (`og memory, mixed`)",
    "coc memory, mixed": "Ten mixtures of h_t (`coc memory, mixed`)",
    "og memory, standardised": "h_t, standardised (`og memory, standardised`)",
    "coc memory, standardised": "h_t, standardised (`coc memory, standardised`)",
    "og, other pairs": "Cells of other pairs (`og, other pairs`)",
    "coc, other pairs": "Cells of other pairs (`coc, other pairs`)",
    "two counts": "Two counts (`two counts`)",
    "untrained memory, standardised": "h_t, untrained (`untrained memory, standardised`)",
}


@dataclass(frozen=True)
class Groups:
    """Shares of pairs that were told right."""

    related: float
    unrelated: float
    all: float


@dataclass(frozen=True)
class Metrics:
    """Of one split of the games."""

    exact: Groups
    f1: Groups


@dataclass(frozen=True)
class Seed:
    """What one seed of a belief's probe came to."""

    seed: int
    train: Metrics
    test: Metrics

    def score(self, metric: str, split: str, group: str) -> float:
        """One of its numbers."""
        value: float = getattr(getattr(getattr(self, split), metric), group)
        return value


@dataclass(frozen=True)
class Probed:
    """The results of ``gata probe``."""

    settings: ProbeSettings
    rows: Mapping[str, Sequence[Seed]]
    """By belief."""

    def paper(self, row: str) -> Mapping[tuple[str, str, str], float]:
        """The paper's scores of a row; none where ours are of another task than the paper tells."""
        return {} if self.settings.departures() else PAPER_SCORES.get(row, {})


def read_probed(path: Path) -> Probed:
    """From a raw file."""
    return probed(read_json(path), str(path))


def probed(results: Mapping[str, Any], where: str) -> Probed:
    """The same of results that are not in a file; ``where`` begins every error."""
    rows = results.get("rows")
    if not isinstance(rows, dict) or not rows:
        raise GataError(f"{where}: rows is {rows!r}, expected those that gata probe writes")
    read = {}
    for name, seeds in rows.items():
        if not isinstance(seeds, list) or not seeds:
            raise GataError(f"{where}: rows.{name} is {seeds!r}, expected a list of seeds")
        read[name] = [
            read_as(Seed, seed, f"{where}: rows.{name}[{number}]")
            for number, seed in enumerate(seeds)
        ]
    settings = read_as(ProbeSettings, results.get("settings"), f"{where}: settings")
    return Probed(settings, read)


def mean_score(seeds: Sequence[Seed], metric: str, split: str, group: str) -> float:
    """A row's mean over its seeds."""
    return fmean(seed.score(metric, split, group) for seed in seeds)


def spread(seeds: Sequence[Seed], metric: str, split: str, group: str) -> float:
    """How far from the mean the farthest seed is."""
    mean = mean_score(seeds, metric, split, group)
    return max(abs(seed.score(metric, split, group) - mean) for seed in seeds)


def as_told(seeds: Sequence[Seed], metric: str, split: str, group: str) -> str:
    """Mean ± spread, as in all tables; one seed has none."""
    column = (metric, split, group)
    mean = f"{mean_score(seeds, *column):.2f}"
    return f"{mean} ± {spread(seeds, *column):.2f}" if len(seeds) > 1 else mean


def probing_table(path: Path, metric: str) -> Table:
    """Ours (mean over seeds ± the farthest one), from raw results; the paper's if comparable.

    Args:
        path: of the raw results.
        metric: one of ``METRICS``. All twelve columns of the paper are too wide for a page.
    """
    shown = [column for column in _COLUMNS if column[0] == metric]
    signs = dict(zip(GROUPS, ("+", "-", "all"), strict=True))
    heads = (f"{split} {signs[group]}" for _, split, group in shown)
    found = read_probed(path)
    return Table(("belief", *heads), tuple(_row(found, name, shown) for name in found.rows))


def _row(found: Probed, name: str, columns: list[tuple[str, str, str]]) -> tuple[str, ...]:
    cells = [TITLES.get(name, f"`{name}`")]
    for column in columns:
        paper = found.paper(name).get(column)
        ours = as_told(found.rows[name], *column)
        cells.append(ours if paper is None else f"{ours} / {paper:.2f}")
    return tuple(cells)
