"""Learning curves: from a run's metrics to a picture."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from gata.graph.pictures.saving import figure_bytes
from gata.training.run import METRICS_FILE, read_metrics


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


def draw_curves(curves: Mapping[str, Curve], marks: Mapping[str, float]) -> str:
    """An SVG element.

    Args:
        curves: by the names they shall have in the picture.
        marks: scores to compare with, as level lines, by name.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11.5, 4), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    for name, curve in curves.items():
        axes.plot(curve.episodes, curve.scores, marker="o", markersize=3, label=name)
    for number, (name, score) in enumerate(marks.items()):
        axes.axhline(score, linestyle="--", linewidth=1, color=f"C{len(curves) + number}")
        axes.annotate(name, (1, score), xycoords=("axes fraction", "data"), ha="right", va="bottom")
    axes.set(
        xlabel="training episodes", ylabel="score, % of the points", xlim=(0, None), ylim=(0, 105)
    )
    axes.locator_params("x", integer=True)
    axes.grid(color="#dfe4e9")
    axes.legend(loc="upper left")
    text = figure_bytes(figure, "svg").decode()
    return text[text.index("<svg") :]
