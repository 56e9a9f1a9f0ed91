"""Pictures of training curves."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

from gata.evaluation.statistics import ENOUGH_SEEDS
from gata.graph.pictures.saving import figure_bytes
from gata.paper.cells import Results
from gata.paper.counting import counted
from gata.paper.curves import Curve, Figure, Line, Panels
from gata.paper.marks import DEPARTS
from gata.paper.scores import LEVELS

FORMATS = ("svg", "png")
"""Of pictures."""
_GREY = "#7a8691"
_SHORT = 10_000
"""Runs below this many episodes are drawn over episodes, others over thousands of them."""
# All in inches.
_PANEL_WIDTH, _PANEL_HEIGHT = 2.6, 1.9
_NARROWEST = 6.5
"""A picture: titles and legends need some room, however few panels there are."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 0.8, 0.1, 0.75, 0.6
"""Margins around the panels, with their labels; the legend comes below."""
_SAMPLE_WIDTH, _LETTER_WIDTH, _ENTRY_HEIGHT = 0.65, 0.085, 0.22
"""Of the legend: about what an entry's piece of line, a letter of its name and a row need."""


def draw(figure: Figure, results: Results) -> dict[str, bytes]:
    """The picture of a figure that has runs, in all ``FORMATS``.

    Rows and levels without any run are left out; other panels without runs say so. There are no
    bands of fewer seeds than tables take for enough.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    panels = figure.panels(results)
    rows = [row for row in figure.rows if any(row == name for name, _ in panels)]
    levels = [level for level in LEVELS if any(level == other for _, other in panels)]
    width = max(_NARROWEST, _PANEL_WIDTH * len(levels) + _LEFT + _RIGHT)
    legend = _legend(figure, panels)
    entry = _SAMPLE_WIDTH + _LETTER_WIDTH * max(map(len, legend))
    legend_rows = ceil(len(legend) / max(1, int(width / entry)))
    bottom = _BOTTOM + _ENTRY_HEIGHT * legend_rows
    height = _PANEL_HEIGHT * len(rows) + _TOP + bottom
    canvas = Canvas(figsize=(width, height), dpi=110)
    FigureCanvasAgg(canvas)
    title = f"{figure.title}: score on training games"
    canvas.suptitle(title, y=1 - 0.25 / height, fontweight="bold")
    curves = [curve for some in panels.values() for curve in some]
    is_short = max(curve.band.episodes[-1] for curve in curves) < _SHORT
    unit = 1 if is_short else 1000
    axes = canvas.subplots(
        len(rows),
        len(levels),
        sharex=True,
        sharey=True,
        squeeze=False,
        # By hand: matplotlib's own arrangement takes seconds per picture.
        gridspec_kw={
            "left": _LEFT / width,
            "right": 1 - _RIGHT / width,
            "top": 1 - _TOP / height,
            "bottom": bottom / height,
            "wspace": 0.14,
            "hspace": 0.12,
        },
    )
    for i, row in enumerate(rows):
        axes[i, 0].set_ylabel(f"{row}\nscore %")
        for j, level in enumerate(levels):
            _panel(axes[i, j], panels.get((row, level), []), unit)
    axes[0, 0].set_xlim(0, None)  # the axes are shared: this is for all panels
    for axis, level in zip(axes[0], levels, strict=True):
        axis.set_title(f"level {level}")
    for axis in axes[-1]:
        axis.set_xlabel("episodes" if is_short else "thousand episodes")
    _draw_legend(canvas, legend, columns=ceil(len(legend) / legend_rows))
    return {image_format: figure_bytes(canvas, image_format) for image_format in FORMATS}


def _legend(figure: Figure, panels: Panels) -> dict[str, Line]:
    """By what it says, in the figure's order: lines drawn somewhere, once if rows share them."""
    drawn: dict[tuple[str, ...], bool] = {}
    for curve in (curve for curves in panels.values() for curve in curves):
        drawn[curve.line.look] = drawn.get(curve.line.look, False) or curve.departs
    known = {line.look: line for lines in figure.rows.values() for line in lines}
    return {
        line.label + (f" {DEPARTS}" if drawn[look] else ""): line
        for look, line in known.items()
        if look in drawn
    }


def _panel(axis: Any, curves: Sequence[Curve], unit: int) -> None:
    """Draws over so many episodes at a time."""
    for line, band, _ in curves:
        x = band.episodes / unit
        axis.plot(x, band.mean, line.style, color=line.color, linewidth=1.2)
        if band.seeds >= ENOUGH_SEEDS:
            low, high = band.mean - band.deviation, band.mean + band.deviation
            axis.fill_between(x, low, high, color=line.color, alpha=0.2, linewidth=0)
    axis.set_ylim(0, 100)
    axis.grid(color="#dfe4e9", linewidth=0.5)
    _tell_seeds(axis, curves)
    if not curves:
        axis.text(0.5, 0.5, "no runs", transform=axis.transAxes, ha="center", color=_GREY)


def _tell_seeds(axis: Any, curves: Sequence[Curve]) -> None:
    """In the corner, since lines often end where others do; by name only those with fewer seeds."""
    most = max((curve.band.seeds for curve in curves), default=0)
    fewer = [curve for curve in curves if curve.band.seeds < most]
    told = [
        (f"{curve.line.label}: {counted(curve.band.seeds, 'seed')}", curve.line.color)
        for curve in fewer
    ]
    if rest := len(curves) - len(fewer):
        whose, each = ("the other", "") if rest == 1 else ("others", " each")
        told.append((f"{f'{whose}: ' if fewer else ''}{counted(most, 'seed')}{each}", _GREY))
    if any(curve.band.seeds < ENOUGH_SEEDS for curve in curves):
        told.append((f"no band below {ENOUGH_SEEDS} seeds", _GREY))
    for height, (words, color) in enumerate(reversed(told)):
        place = 0.97, 0.04 + 0.08 * height
        axis.text(*place, words, transform=axis.transAxes, ha="right", fontsize=7, color=color)


def _draw_legend(canvas: Any, legend: Mapping[str, Line], columns: int) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], color=line.color, linestyle=line.style, label=label)
        for label, line in legend.items()
    ]
    canvas.legend(
        handles=handles, loc="lower center", ncols=columns, frameon=False, handlelength=2.6
    )
