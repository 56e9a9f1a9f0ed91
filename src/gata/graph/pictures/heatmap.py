"""Adjacency as heat maps, one for each relation."""

import io
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gata.errors import UsageError
from gata.graph.vocabulary import PAPER, GraphVocabulary

_COLUMNS = 5
_CELL_INCHES = 0.15
_FONT_POINTS = 7.5
_SPACE_INCHES = 0.35
"""Between panels; their titles stand there."""
FORMATS = ("png", "svg")


def present_nodes(adjacency: NDArray[Any]) -> list[int]:
    """The nodes that have an edge in any relation; adjacency is (relations, nodes, nodes)."""
    edges = (adjacency != 0).any(axis=0)
    return [int(node) for node in np.flatnonzero(edges.any(axis=0) | edges.any(axis=1))]


def heatmap(
    adjacency: NDArray[Any],
    image_format: str = "png",
    vocabulary: GraphVocabulary = PAPER,
    nodes: Sequence[int] | None = None,
    title: str = "",
) -> bytes:
    """A picture of a graph, true or believed, as numbers.

    Args:
        adjacency: (relations, nodes, nodes); rows are sources, columns are targets. Values of a
            learned graph may be negative; they are then blue, positive ones red.
        image_format: ``png`` or ``svg``.
        vocabulary: names of nodes and relations.
        nodes: which nodes to show; by default those that have an edge.
        title: written above.
    """
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    expected = (len(vocabulary.relations), len(vocabulary.nodes), len(vocabulary.nodes))
    if adjacency.shape != expected:
        raise UsageError(f"adjacency has shape {adjacency.shape}, expected {expected}")
    if image_format not in FORMATS:
        raise UsageError(f"format {image_format!r}, expected one of {', '.join(FORMATS)}")
    nodes = present_nodes(adjacency) if nodes is None else nodes
    names = [vocabulary.nodes[node] for node in nodes]
    shown = adjacency[:, nodes][:, :, nodes]
    limit = max(float(np.abs(shown).max(initial=0)), 1e-9)
    signed = bool((shown < 0).any())
    discrete = bool(np.isin(shown, (0, 1)).all())
    right_inches = 0.3 if discrete else 1.0  # for the scale
    columns = min(_COLUMNS, len(vocabulary.relations))
    rows = -(-len(vocabulary.relations) // columns)
    panel = max(len(nodes), 8) * _CELL_INCHES
    # The names stand left of the first column and below the last row only.
    names_inches = 0.35 + max(map(len, names), default=0) * _FONT_POINTS * 0.62 / 72
    width = columns * (panel + _SPACE_INCHES) + names_inches + right_inches
    height = rows * (panel + _SPACE_INCHES) + names_inches + 0.6
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
            "wspace": _SPACE_INCHES / panel,
            "hspace": _SPACE_INCHES / panel,
        },
    )
    for axis in axes.flat[len(vocabulary.relations) :]:
        axis.set_visible(False)
    for axis, relation, values in zip(axes.flat, vocabulary.relations, shown, strict=False):
        if len(nodes):  # an image without pixels has no limits
            image = axis.imshow(
                values,
                cmap="RdBu_r" if signed else "Greens",
                vmin=-limit if signed else 0,
                vmax=limit,
                interpolation="nearest",
            )
        count = f" ({np.count_nonzero(values)})" if discrete else ""
        axis.set_title(relation + count, fontsize=11)
        axis.set_xticks(range(len(nodes)), names, rotation=90, fontsize=_FONT_POINTS)
        axis.set_yticks(range(len(nodes)), names, fontsize=_FONT_POINTS)
        axis.tick_params(length=2)
        borders = np.arange(0.5, len(nodes) - 1)
        ends = (-0.5, len(nodes) - 0.5)
        axis.hlines(borders, *ends, color="#dfe4e9", linewidth=0.4)
        axis.vlines(borders, *ends, color="#dfe4e9", linewidth=0.4)
    for axis in axes[:, 0]:
        axis.set_ylabel("source", fontsize=9)
    for axis in axes[-1]:
        axis.set_xlabel("target", fontsize=9)
    if not discrete:
        bar = figure.add_axes((1 - 0.85 / width, 0.3, 0.12 / width, 0.4))
        figure.colorbar(image, cax=bar)
    stream = io.BytesIO()
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "gata"}):
        metadata = {"Software": None} if image_format == "png" else {"Date": None}
        figure.savefig(stream, format=image_format, metadata=metadata)
    return stream.getvalue()
