"""Square matrices over the same nodes, side by side as heat maps."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gata.errors import UsageError
from gata.graph.pictures.saving import figure_bytes

_CELL_INCHES = 0.15
_FONT_POINTS = 9
_SPACE_INCHES = 0.35
"""Between panels; their titles stand there."""
_SCALE_INCHES = 0.65
"""For a scale with its numbers, right of a panel."""
FORMATS = ("png", "svg")


class Panel(NamedTuple):
    """One matrix."""

    title: str
    values: NDArray[Any]
    """(nodes, nodes); rows are sources, columns are targets."""


class _Colors(NamedTuple):
    """How numbers become colours: green from 0 on, or blue below 0 and red above."""

    name: str
    lowest: float
    highest: float

    @classmethod
    def of(cls, values: NDArray[Any]) -> "_Colors":
        limit = max(float(np.abs(values).max(initial=0)), 1e-9)
        return cls("RdBu_r", -limit, limit) if (values < 0).any() else cls("Greens", 0, limit)


def draw_panels(
    panels: Sequence[Panel | None],
    names: Sequence[str],
    *,
    columns: int,
    image_format: str = "png",
    title: str = "",
    own_scales: bool = False,
) -> bytes:
    """A picture of matrices, row by row.

    Args:
        panels: the matrices; None leaves a place empty, not one of the last row.
        names: of the nodes; they stand left of the first column and below each column only.
        columns: how many panels stand side by side.
        image_format: ``png`` or ``svg``.
        title: written above.
        own_scales: whether each panel has colours and a scale of its own; otherwise, they share
            them.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    if image_format not in FORMATS:
        raise UsageError(f"format {image_format!r}, expected one of {', '.join(FORMATS)}")
    everything = np.stack([panel.values for panel in panels if panel is not None])
    shared = None if own_scales else _Colors.of(everything)
    discrete = bool(np.isin(everything, (0, 1)).all())
    right_inches = 0.3 if discrete else 1.0  # for the scale
    columns = min(columns, len(panels))
    rows = -(-len(panels) // columns)
    size = max(len(names), 8) * _CELL_INCHES
    between = _SPACE_INCHES + (_SCALE_INCHES if own_scales else 0)
    names_inches = 0.35 + max(map(len, names), default=0) * _FONT_POINTS * 0.62 / 72
    width = columns * (size + between) + names_inches + right_inches
    height = rows * (size + _SPACE_INCHES) + names_inches + 0.6
    figure = Figure(figsize=(width, height), dpi=110)
    FigureCanvasAgg(figure)
    figure.suptitle(title, y=1 - 0.2 / height, fontsize=13, fontweight="bold")
    axes = figure.subplots(
        rows,
        columns,
        sharex=True,
        sharey=True,
        squeeze=False,
        gridspec_kw={
            "left": names_inches / width,
            "right": 1 - right_inches / width,
            "bottom": names_inches / height,
            "top": 1 - 0.7 / height,
            "wspace": between / size,
            "hspace": _SPACE_INCHES / size,
        },
    )
    image = None
    for axis, panel in zip_longest(axes.flat, panels):
        if panel is None:
            axis.set_visible(False)
            continue
        colors = shared or _Colors.of(panel.values)
        if len(names):  # an image without pixels has no limits
            image = axis.imshow(
                panel.values,
                cmap=colors.name,
                vmin=colors.lowest,
                vmax=colors.highest,
                interpolation="nearest",
            )
            if own_scales:
                bar = axis.inset_axes((1 + 0.1 / size, 0.1, 0.12 / size, 0.8))
                figure.colorbar(image, cax=bar).ax.tick_params(labelsize=_FONT_POINTS)
        _label(axis, panel.title, names)
    for axis in axes[:, 0]:
        axis.set_ylabel("source", fontsize=9)
    for axis in axes.flat[len(panels) - columns : len(panels)]:  # the lowest of each column
        axis.tick_params("x", labelbottom=True)
        axis.set_xlabel("target", fontsize=9)
    if image is not None and not discrete and not own_scales:
        bar = figure.add_axes((1 - 0.85 / width, 0.3, 0.12 / width, 0.4))
        figure.colorbar(image, cax=bar)
    return figure_bytes(figure, image_format)


def _label(axis: Any, title: str, names: Sequence[str]) -> None:
    """The panel's title, the nodes' names, and lines between their cells."""
    axis.set_title(title, fontsize=11)
    axis.set_xticks(range(len(names)), names, rotation=90, fontsize=_FONT_POINTS)
    axis.set_yticks(range(len(names)), names, fontsize=_FONT_POINTS)
    axis.tick_params(length=2)
    borders = np.arange(0.5, len(names) - 1)
    ends = (-0.5, len(names) - 0.5)
    axis.hlines(borders, *ends, color="#dfe4e9", linewidth=0.4)
    axis.vlines(borders, *ends, color="#dfe4e9", linewidth=0.4)
