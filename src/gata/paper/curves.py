"""Training curves, arranged as in the paper's figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gata.evaluation.records import Record
from gata.graph.pictures.saving import figure_bytes
from gata.paper.cells import Results
from gata.paper.counting import counted
from gata.paper.scores import LEVELS, MAIN_ROWS, SIZES
from gata.rl.settings import LearningSettings

FORMATS = ("svg", "png")
"""Of pictures."""
_BLUE, _ORANGE, _GREEN, _RED = "#1f77b4", "#e6780a", "#2a9134", "#c8321e"
_GREY = "#7a8691"
Style = Literal["-", "--"]
_STYLES: tuple[Style, Style] = ("-", "--")
"""Of the curves of 20 and of 100 training games."""
_PANEL_INCHES = (2.6, 1.9)
_MARGIN_INCHES = 0.8


@dataclass(frozen=True)
class Line:
    """What one curve is of, and how it is drawn."""

    agent: str
    size: int
    label: str
    color: str
    style: Style


@dataclass(frozen=True)
class Figure:
    """Rows of panels, such as one for each kind of agent, with a column for each level."""

    title: str
    rows: Mapping[str, tuple[Line, ...]]
    about: str = ""
    """What else to know, a sentence."""

    def has_runs(self, results: Results) -> bool:
        """Whether there is anything to draw."""
        return any(
            band(results.cell(line.agent, level, line.size).records) is not None
            for lines in self.rows.values()
            for line in lines
            for level in LEVELS
        )


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

_KINDS = (
    *("#50585f", "#8a939b", "#bcc3c9"),
    *("#1f77b4", "#8fbfe3"),
    *("#e6780a", "#f5b26b"),
    *("#2a9134", "#8ccf93"),
    "#c8321e",
)
"""Of ``MAIN_ROWS``: text only grey, OG blue, COC orange, GTP green, GTF red."""

FIGURES: Mapping[str, Figure] = {
    "curves-all-agents": Figure(
        "All agents",
        {
            f"{size} games": tuple(
                Line(agent, size, agent, color, "-")
                for agent, color in zip(MAIN_ROWS, _KINDS, strict=True)
            )
            for size in SIZES
        },
        "The rows of the paper's short table; its figure shows level 2 with 20 games.",
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
            for agent in ("tr-dqn", "tr-drqn", "tr-drqn+")
        },
    ),
    "curves-ground-truth": Figure(
        "GATA-GTF and GATA-GTP",
        {agent: _encoders(agent, _DISCRETE) for agent in ("gtf", "gtf-text", "gtp", "gtp-text")},
    ),
}
"""By the name of the file."""


@dataclass(frozen=True)
class Band:
    """A mean curve over seeds: arrays of one number per point."""

    episodes: NDArray[np.float64]
    mean: NDArray[np.float64]
    deviation: NDArray[np.float64]
    """Standard deviation over seeds: of these, not estimated for others (ddof 0)."""
    seeds: int


def band(records: Sequence[Record]) -> Band | None:
    """The training curve of several seeds, as far as all of them go; None if there is none."""
    curves = [
        [(p.episodes, p.train_score) for p in record.curve if p.train_score is not None]
        for record in records
    ]
    length = min(map(len, curves), default=0)
    if not length:
        return None
    points = np.array([curve[:length] for curve in curves], dtype=np.float64)
    return Band(
        episodes=points[:, :, 0].mean(axis=0),
        mean=points[:, :, 1].mean(axis=0),
        deviation=points[:, :, 1].std(axis=0),
        seeds=len(points),
    )


def draw(figure: Figure, results: Results) -> dict[str, bytes]:
    """The picture of a figure in all ``FORMATS``; panels without runs say so."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    width, height = _PANEL_INCHES
    total = (width * len(LEVELS), height * len(figure.rows) + _MARGIN_INCHES * 2.2)
    canvas = Canvas(figsize=total, dpi=110)
    FigureCanvasAgg(canvas)
    title = f"{figure.title}: score on training games"
    canvas.suptitle(title, y=1 - 0.25 / total[1], fontweight="bold")
    axes = canvas.subplots(
        len(figure.rows),
        len(LEVELS),
        sharex=True,
        sharey=True,
        squeeze=False,
        # By hand: matplotlib's own arrangement takes seconds per picture.
        gridspec_kw={
            "left": _MARGIN_INCHES / total[0],
            "right": 1 - 0.1 / total[0],
            "top": 1 - 0.75 / total[1],
            "bottom": (_MARGIN_INCHES + 0.3) / total[1],
            "wspace": 0.14,
            "hspace": 0.12,
        },
    )
    drawn = False
    for row, (name, lines) in zip(axes, figure.rows.items(), strict=True):
        row[0].set_ylabel(f"{name}\nscore %")
        for axis, level in zip(row, LEVELS, strict=True):
            drawn |= _panel(axis, lines, results, level)
    # The axes are shared: this is for all panels.
    axes[0, 0].set_xlim(0, None if drawn else LearningSettings().episodes / 1000)
    for axis, level in zip(axes[0], LEVELS, strict=True):
        axis.set_title(f"level {level}")
    for axis in axes[-1]:
        axis.set_xlabel("thousand episodes")
    _legend(canvas, next(iter(figure.rows.values())))
    return {image_format: figure_bytes(canvas, image_format) for image_format in FORMATS}


def _panel(axis: Any, lines: Sequence[Line], results: Results, level: int) -> bool:
    """Draw a panel; tells whether there was anything to draw."""
    counts: list[tuple[int, Line]] = []
    for line in lines:
        drawn = band(results.cell(line.agent, level, line.size).records)
        if drawn is None:
            continue
        counts.append((drawn.seeds, line))
        x = drawn.episodes / 1000
        axis.plot(x, drawn.mean, line.style, color=line.color, linewidth=1.2)
        low, high = drawn.mean - drawn.deviation, drawn.mean + drawn.deviation
        axis.fill_between(x, low, high, color=line.color, alpha=0.2, linewidth=0)
    axis.set_ylim(0, 100)
    axis.grid(color="#dfe4e9", linewidth=0.5)
    _tell_seeds(axis, counts)
    if not counts:
        axis.text(0.5, 0.5, "no runs", transform=axis.transAxes, ha="center", color=_GREY)
    return bool(counts)


def _tell_seeds(axis: Any, counts: Sequence[tuple[int, Line]]) -> None:
    """In the corner, since lines often end where others do: once if all have as many seeds."""
    told = [(counted(seeds, "seed"), line.color) for seeds, line in counts]
    if len(told) > 1 and len({words for words, _ in told}) == 1:
        told = [(f"{told[0][0]} each", _GREY)]
    for height, (words, color) in enumerate(reversed(told)):
        place = 0.97, 0.04 + 0.08 * height
        axis.text(*place, words, transform=axis.transAxes, ha="right", fontsize=7, color=color)


def _legend(canvas: Any, lines: Sequence[Line]) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], color=line.color, linestyle=line.style, label=line.label) for line in lines
    ]
    canvas.legend(handles=handles, loc="lower center", ncols=len(lines) // 2, frameon=False)
