"""Learning curves: from a run's metrics to a picture."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from gata.graph.pictures.saving import figure_bytes
from gata.training.run import METRICS_FILE, read_metrics

_TOP = 105
"""Of the picture, in percent: a score of 100 is seen whole."""
_LABEL_ROOM = 7.0
"""Percent that the label of a level line takes up."""


class Curve(NamedTuple):
    """How a score grew."""

    episodes: tuple[float, ...]
    scores: tuple[float, ...]
    """In percent."""


def read_curves(folder: Path) -> dict[str, Curve]:
    """The training and validation scores of a run, by kind of report (``train``, ``valid``)."""
    points: dict[str, list[tuple[float, float]]] = {}
    for report in read_metrics(folder / METRICS_FILE):
        if "score" in report:
            points.setdefault(report["kind"], []).append((report["episodes"], report["score"]))
    return {kind: Curve(*zip(*found, strict=True)) for kind, found in points.items()}


def draw_curves(curves: Mapping[str, Curve], marks: Sequence[tuple[str, float]]) -> str:
    """An SVG element.

    Args:
        curves: by the names they shall have in the picture.
        marks: scores to compare with in percent, each after a short name: level lines, named beside
            the picture, where no curve runs through the words.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11.5, 4), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    for name, curve in curves.items():
        axes.plot(curve.episodes, curve.scores, marker="o", markersize=3, label=name)
    heights = spread([score for _, score in marks], _LABEL_ROOM)
    for number, ((name, score), height) in enumerate(zip(marks, heights, strict=True)):
        color = f"C{len(curves) + number}"
        axes.axhline(score, linestyle="--", linewidth=1, color=color)
        axes.annotate(
            f"{name} {score:.1f}",
            (1, height),
            (6, 0),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            va="center",
            color=color,
            annotation_clip=False,
        )
    axes.set(
        xlabel="training episodes", ylabel="score, % of the points", xlim=(0, None), ylim=(0, _TOP)
    )
    axes.locator_params("x", integer=True)
    axes.grid(color="#dfe4e9")
    # Above the picture: inside, it would hide curves.
    figure.legend(loc="outside upper left", ncols=max(len(curves), 1), frameon=False)
    text = figure_bytes(figure, "svg").decode()
    return text[text.index("<svg") :]


def spread(heights: Sequence[float], room: float) -> list[float]:
    """Heights for labels, as low as can be and no lower than wished, at least ``room`` apart."""
    found = [0.0] * len(heights)
    free = float("-inf")
    for place in sorted(range(len(heights)), key=heights.__getitem__):
        found[place] = max(heights[place], free)
        free = found[place] + room
    return found
