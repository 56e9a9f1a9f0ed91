"""The probing table as bars: ours, with either kind of counterparts, beside the paper's."""

from collections.abc import Mapping, Sequence
from typing import Any

from gata.graph.pictures.saving import figure_bytes
from gata.paper.curve_pictures import FORMATS
from gata.paper.probing import GROUPS, NEGATIVES, PAPER_SCORES, TITLES, Rows, Seed, mean_score

_METRIC, _SPLIT = "exact", "test"
_COLORS = {"any-game": "#1f77b4", "same-game": "#8fbfe3", "paper": "#e6780a"}
_LABELS = {
    **{kind: f"ours, counterparts from {place}" for kind, place in NEGATIVES.items()},
    "paper": "paper",
}
_HEADS = {"related": "related pairs", "unrelated": "unrelated pairs", "all": "all pairs"}
_WIDTH = 0.27
"""Of a bar; beliefs are 1 apart."""


def draw_bars(results: Mapping[str, Rows]) -> dict[str, bytes]:
    """The picture in all ``FORMATS``: a panel for each group of pairs, bars for each belief.

    Args:
        results: our rows by the kind of negatives.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    beliefs = list(dict.fromkeys(name for rows in results.values() for name in rows))
    figure = Figure(figsize=(12, 4.6), dpi=110, layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(1, len(GROUPS), sharey=True)
    for axis, group in zip(panels, GROUPS, strict=True):
        for place, (kind, rows) in enumerate(results.items()):
            _bars(axis, place, kind, [_mean(rows.get(name, []), group) for name in beliefs])
        printed = [PAPER_SCORES.get(name, {}).get((_METRIC, _SPLIT, group)) for name in beliefs]
        _bars(axis, len(results), "paper", printed)
        axis.set_title(_HEADS[group])
        names = [TITLES.get(name, name).replace("`", "") for name in beliefs]
        middle = _WIDTH * len(results) / 2
        axis.set_xticks([place + middle for place in range(len(beliefs))], names)
        axis.tick_params("x", rotation=35, length=0)
        for label in axis.get_xticklabels():
            label.set(ha="right", rotation_mode="anchor")
        axis.set(ylim=(0, 1.12), yticks=[0, 0.2, 0.4, 0.6, 0.8, 1])
        axis.grid(axis="y", color="#dfe4e9", linewidth=0.5)
        axis.set_axisbelow(True)
    panels[0].set_ylabel("exact match on test games")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    return {image_format: figure_bytes(figure, image_format) for image_format in FORMATS}


def _mean(seeds: Sequence[Seed], group: str) -> float | None:
    return mean_score(seeds, _METRIC, _SPLIT, group) if seeds else None


def _bars(axis: Any, place: int, kind: str, values: Sequence[float | None]) -> None:
    """One colour's bars, each with its number; beliefs the paper does not have get none."""
    drawn = [(x + place * _WIDTH, value) for x, value in enumerate(values) if value is not None]
    if not drawn:
        return
    bars = axis.bar(*zip(*drawn, strict=True), _WIDTH, color=_COLORS[kind], label=_LABELS[kind])
    axis.bar_label(bars, fmt="%.2f", fontsize=7, rotation=90, padding=2)
