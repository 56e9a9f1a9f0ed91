"""Pictures of training curves."""

from collections.abc import Sequence
from math import ceil
from typing import Any

from gata.graph.pictures.saving import figure_bytes
from gata.paper.cells import Results
from gata.paper.counting import counted
from gata.paper.curves import Curve, Figure, Line, Panels
from gata.paper.scores import LEVELS

FORMATS = ("svg", "png")
"""Of pictures."""
_GREY = "#7a8691"
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

    Rows and levels without any run are left out; other panels without runs say so.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    panels = figure.panels(results)
    rows = [row for row in figure.rows if any(row == name for name, _ in panels)]
    levels = [level for level in LEVELS if any(level == other for _, other in panels)]
    width = max(_NARROWEST, _PANEL_WIDTH * len(levels) + _LEFT + _RIGHT)
    lines = _lines(figure, panels)
    entry = _SAMPLE_WIDTH + _LETTER_WIDTH * max(len(line.label) for line in lines)
    legend_rows = ceil(len(lines) / max(1, int(width / entry)))
    bottom = _BOTTOM + _ENTRY_HEIGHT * legend_rows
    height = _PANEL_HEIGHT * len(rows) + _TOP + bottom
    canvas = Canvas(figsize=(width, height), dpi=110)
    FigureCanvasAgg(canvas)
    title = f"{figure.title}: score on training games"
    canvas.suptitle(title, y=1 - 0.25 / height, fontweight="bold")
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
            _panel(axes[i, j], panels.get((row, level), []))
    axes[0, 0].set_xlim(0, None)  # the axes are shared: this is for all panels
    for axis, level in zip(axes[0], levels, strict=True):
        axis.set_title(f"level {level}")
    for axis in axes[-1]:
        axis.set_xlabel("thousand episodes")
    _legend(canvas, lines, columns=ceil(len(lines) / legend_rows))
    return {image_format: figure_bytes(canvas, image_format) for image_format in FORMATS}


def _lines(figure: Figure, panels: Panels) -> list[Line]:
    """For the legend, in the figure's order: those drawn somewhere, once if rows share them."""
    drawn = {curve.line.look for curves in panels.values() for curve in curves}
    known = {line.look: line for lines in figure.rows.values() for line in lines}
    return [line for look, line in known.items() if look in drawn]


def _panel(axis: Any, curves: Sequence[Curve]) -> None:
    for line, band in curves:
        x = band.episodes / 1000
        axis.plot(x, band.mean, line.style, color=line.color, linewidth=1.2)
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
    for height, (words, color) in enumerate(reversed(told)):
        place = 0.97, 0.04 + 0.08 * height
        axis.text(*place, words, transform=axis.transAxes, ha="right", fontsize=7, color=color)


def _legend(canvas: Any, lines: Sequence[Line], columns: int) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], color=line.color, linestyle=line.style, label=line.label) for line in lines
    ]
    canvas.legend(
        handles=handles, loc="lower center", ncols=columns, frameon=False, handlelength=2.6
    )
