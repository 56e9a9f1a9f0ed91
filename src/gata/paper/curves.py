"""Training curves, arranged as in the paper's figures: what is drawn, and how it looks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gata.evaluation.records import Record
from gata.paper.cells import Results
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
                    made = band(results.cell(line.agent, level, line.size).records)
                    if made is not None:
                        panels.setdefault((row, level), []).append(Curve(line, made))
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
_KINDS = {
    "gata-og": (_BLUE, _CONTINUOUS),
    "gata-og-text": ("#21b3c7", _CONTINUOUS),
    "gata-coc": (_ORANGE, _CONTINUOUS),
    "gata-coc-text": ("#7d4a1e", _CONTINUOUS),
    "gtp": (_GREEN, _DISCRETE),
    "gtp-text": ("#a8a81c", _DISCRETE),
    "gtf": (_RED, _DISCRETE),
    "gtf-text": ("#8e44ad", _DISCRETE),
}
"""Of agents with graphs: each has a colour where all are drawn together, and encoders it can have,
which differ in style there."""
_TOGETHER: tuple[Style, ...] = ("-", "--", "-.", ":")


def _every_agent(size: int) -> tuple[Line, ...]:
    """A line for each agent of the paper's full table; no two look alike."""
    looks = {agent: (_BLACK, style) for agent, style in zip(_BASELINES, _TOGETHER, strict=False)}
    for kind, (color, encoders) in _KINDS.items():
        for suffix, style in zip(encoders, _TOGETHER, strict=False):
            looks[f"{kind}{suffix}"] = color, style
    return tuple(Line(agent, size, agent, *looks[agent]) for agent in TEST)


FIGURES: Mapping[str, Figure] = {
    "curves-all-agents": Figure(
        "All agents",
        {f"{size} games": _every_agent(size) for size in SIZES},
        "The paper's figure shows level 2 with 20 games.",
    ),
    "curves-gata": Figure(
        "GATA",
        {
            agent: _encoders(agent, _CONTINUOUS)
            for agent in ("gata-og", "gata-og-text", "gata-coc", "gata-coc-text")
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
        "GATA-GTF and GATA-GTP",
        {agent: _encoders(agent, _DISCRETE) for agent in ("gtf", "gtf-text", "gtp", "gtp-text")},
    ),
}
"""By the name of the file."""
