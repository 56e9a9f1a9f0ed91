"""Training curves, arranged as in the paper's figures: what is drawn, and how it looks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gata.evaluation.records import Record
from gata.paper.cells import Results
from gata.paper.marks import DEPARTS
from gata.paper.scores import LEVELS, SIZES, TEST

_BLUE, _ORANGE, _GREEN, _RED = "#1f77b4", "#e6780a", "#2a9134", "#c8321e"
_BLACK = "#22272c"
Style = Literal["-", "--", "-.", ":"]
_STYLES: tuple[Style, Style] = ("-", "--")
"""Of the curves of 20 and of 100 training games."""


@dataclass(frozen=True)
class Line:
    """What one curve is of, and how it is drawn."""

    agent: str
    size: int
    label: str
    color: str
    style: Style

    @property
    def look(self) -> tuple[str, str, Style]:
        """What tells it from others in a legend."""
        return self.label, self.color, self.style


@dataclass(frozen=True)
class Band:
    """A mean curve over seeds: arrays of one number per point."""

    episodes: NDArray[np.float64]
    mean: NDArray[np.float64]
    deviation: NDArray[np.float64]
    """Standard deviation over seeds: of these, not estimated for others (ddof 0)."""
    seeds: int


def band(records: Sequence[Record]) -> Band | None:
    """The training curve of several seeds, where all of them have one; None if that is nowhere.

    Seeds may have been looked at after different numbers of episodes: there is a point wherever one
    of them has one, and between its own points a seed is on the straight line.
    """
    curves = [
        np.array([(p.episodes, p.train_score) for p in record.curve if p.train_score is not None])
        for record in records
    ]
    if not curves or not all(curve.size for curve in curves):
        return None
    episodes = np.unique(np.concatenate([curve[:, 0] for curve in curves]))
    begin, end = max(curve[0, 0] for curve in curves), min(curve[-1, 0] for curve in curves)
    episodes = episodes[(episodes >= begin) & (episodes <= end)]
    if not episodes.size:
        return None
    scores = np.array([np.interp(episodes, curve[:, 0], curve[:, 1]) for curve in curves])
    return Band(episodes, scores.mean(axis=0), scores.std(axis=0), seeds=len(scores))


class Curve(NamedTuple):
    """One that is drawn."""

    line: Line
    band: Band
    departs: bool
    """Whether it was not run with the paper's learning settings."""


Panels = dict[tuple[str, int], list[Curve]]
"""By the name of the row and the level."""


@dataclass(frozen=True)
class Figure:
    """Rows of panels, such as one for each kind of agent, with a column for each level."""

    title: str
    rows: Mapping[str, tuple[Line, ...]]
    about: str = ""
    """What else to know, a sentence."""

    def panels(self, results: Results) -> Panels:
        """What there is to draw; nothing of panels without runs."""
        panels: Panels = {}
        for row, lines in self.rows.items():
            for level in LEVELS:
                for line in lines:
                    cell = results.cell(line.agent, level, line.size)
                    made = band(cell.records)
                    if made is not None:
                        curve = Curve(line, made, DEPARTS in cell.marks)
                        panels.setdefault((row, level), []).append(curve)
        return panels

    def has_runs(self, results: Results) -> bool:
        """Whether there is anything to draw."""
        return bool(self.panels(results))


def _encoders(agent: str, encoders: Mapping[str, tuple[str, str]]) -> tuple[Line, ...]:
    """Lines of an agent whose graph encoder begins in several ways: suffix to label and colour."""
    return tuple(
        Line(f"{agent}{suffix}", size, f"{label}, {size} games", color, style)
        for suffix, (label, color) in encoders.items()
        for size, style in zip(SIZES, _STYLES, strict=True)
    )


_CONTINUOUS = {"": ("random encoder", _BLUE), "-init": ("pre-trained encoder", _ORANGE)}
_DISCRETE = {
    "": ("random encoder", _RED),
    "-ap": ("AP", _BLUE),
    "-sp": ("SP", _ORANGE),
    "-dgi": ("DGI", _GREEN),
}

_BASELINES = ("tr-dqn", "tr-drqn", "tr-drqn+")
_TONES = {
    "gata-og": ("#1f77b4", "#8ab6e0"),
    "gata-og-text": ("#21b3c7", "#0b5a66"),
    "gata-coc": ("#e6780a", "#f5b26b"),
    "gata-coc-text": ("#7d4a1e", "#b98a5e"),
    "gtp": ("#2a9134", "#8fcf7d", "#0f4d1f", "#4fb89a"),
    "gtp-text": ("#a8a81c", "#d6d67a", "#5f5f0a", "#c7a500"),
    "gtf": ("#e0401f", "#f39a86", "#6d0f4f", "#e0559a"),
    "gtf-text": ("#8e44ad", "#c79bdb", "#4a1a66", "#6a6ad8"),
}
"""Of agents with graphs, where all are drawn together: tones of one colour, for each of the
encoders that they can have, so that bands differ, too."""
_GREYS = ("#22272c", "#6b7680", "#a9b2ba")
_TOGETHER: tuple[Style, ...] = ("-", "--", "-.", ":")


def _styles(kind: str) -> tuple[Style, ...]:
    """For the encoders that agents of a kind can have; OG and COC often lie on each other."""
    if kind.startswith("gata-og"):
        return "-", "-."
    return ("--", ":") if kind.startswith("gata-coc") else _TOGETHER


def _every_agent(size: int) -> tuple[Line, ...]:
    """A line for each agent of the paper's full table; no two look alike."""
    looks = dict(zip(_BASELINES, zip(_GREYS, _TOGETHER, strict=False), strict=True))
    for kind, tones in _TONES.items():
        encoders = _CONTINUOUS if kind.startswith("gata") else _DISCRETE
        for suffix, look in zip(encoders, zip(tones, _styles(kind), strict=True), strict=True):
            looks[f"{kind}{suffix}"] = look
    return tuple(Line(agent, size, agent, *looks[agent]) for agent in TEST)


FIGURES: Mapping[str, Figure] = {
    "curves-all-agents": Figure(
        "All agents",
        {f"{size} games": _every_agent(size) for size in SIZES},
        "The paper's figure shows level 2 with 20 games.",
    ),
    "curves-gata": Figure(
        "GATA with continuous graphs",
        {
            name: _encoders(agent, _CONTINUOUS)
            for name, agent in (
                ("GATA-OG", "gata-og"),
                ("GATA-OG, text", "gata-og-text"),
                ("GATA-COC", "gata-coc"),
                ("GATA-COC, text", "gata-coc-text"),
            )
        },
    ),
    "curves-baselines": Figure(
        "Text baselines",
        {
            agent: tuple(
                Line(agent, size, f"{size} games", color, style)
                for size, color, style in zip(SIZES, (_BLUE, _ORANGE), _STYLES, strict=True)
            )
            for agent in _BASELINES
        },
    ),
    "curves-ground-truth": Figure(
        "GATA with discrete graphs",
        {
            name: _encoders(agent, _DISCRETE)
            for name, agent in (
                ("GATA-GTF", "gtf"),
                ("GATA-GTF, text", "gtf-text"),
                ("GATA-GTP", "gtp"),
                ("GATA-GTP, text", "gtp-text"),
            )
        },
    ),
}
"""By the name of the file."""
