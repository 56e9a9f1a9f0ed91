"""The probing table as bars: ours, with either kind of counterparts, beside the paper's."""

from collections.abc import Mapping, Sequence
from typing import Any

from gata.graph.pictures.saving import figure_bytes
from gata.paper.curve_pictures import FORMATS
from gata.paper.probing import (
    GROUPS,
    NEGATIVES,
    TITLES,
    Probed,
    Seed,
    mean_score,
    spread,
)

_METRIC, _SPLIT = "exact", "test"
_COLORS = {"any-game": "#1f77b4", "same-game": "#8fbfe3", "paper": "#e6780a"}
_LABELS = {
    **{kind: f"ours, counterparts from {place}" for kind, place in NEGATIVES.items()},
    "paper": "paper",
}
_HEADS = {"related": "related pairs", "unrelated": "unrelated pairs", "all": "all pairs"}
_HEIGHT = 0.27
"""Of a bar; beliefs are 1 apart."""
_INCHES, _MARGIN_INCHES = 0.72, 1.1
"""Of a belief, downwards, and of all that is above and below."""

Bar = tuple[float, float]
"""How long it is, and how far the farthest seed is from that."""


def draw_bars(results: Mapping[str, Probed]) -> dict[str, bytes]:
    """The picture in all ``FORMATS``: a panel for each group of pairs, bars for each belief.

    Args:
        results: ours by the kind of negatives. The paper's are beside them if all are comparable.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    beliefs = list(dict.fromkeys(name for found in results.values() for name in found.rows))
    papers = {name: _paper(results, name) for name in beliefs}
    size = (11, _INCHES * len(beliefs) + _MARGIN_INCHES)
    figure = Figure(figsize=size, dpi=110, layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(1, len(GROUPS), sharey=True)
    for axis, group in zip(panels, GROUPS, strict=True):
        for place, (kind, found) in enumerate(results.items()):
            _bars(axis, place, kind, [_ours(found.rows.get(name, []), group) for name in beliefs])
        printed = [papers[name].get((_METRIC, _SPLIT, group)) for name in beliefs]
        _bars(
            axis,
            len(results),
            "paper",
            [None if score is None else (score, 0.0) for score in printed],
        )
        axis.set_title(_HEADS[group])
        axis.set_xlabel("exact match on test games")
        axis.set(xlim=(0, 1.17), xticks=[0, 0.2, 0.4, 0.6, 0.8, 1])
        axis.grid(axis="x", color="#dfe4e9", linewidth=0.5)
        axis.set_axisbelow(True)
    names = [TITLES.get(name, name).replace("`", "").replace(" (", "\n(") for name in beliefs]
    middle = _HEIGHT * len(results) / 2
    panels[0].set_yticks([place + middle for place in range(len(beliefs))], names)
    panels[0].set_ylim(len(beliefs) - _HEIGHT / 2, -_HEIGHT)  # the first above the others
    for axis in panels:
        axis.tick_params("y", length=0)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    return {image_format: figure_bytes(figure, image_format) for image_format in FORMATS}


def _paper(results: Mapping[str, Probed], name: str) -> Mapping[tuple[str, str, str], float]:
    beside = [found.paper(name) for found in results.values()]
    return beside[0] if all(beside) else {}


def _ours(seeds: Sequence[Seed], group: str) -> Bar | None:
    column = (_METRIC, _SPLIT, group)
    return (mean_score(seeds, *column), spread(seeds, *column)) if seeds else None


def _bars(axis: Any, place: int, kind: str, values: Sequence[Bar | None]) -> None:
    """One colour's bars, each with its number; beliefs the paper does not have get none."""
    drawn = [(y + place * _HEIGHT, *value) for y, value in enumerate(values) if value is not None]
    if not drawn:
        return
    places, means, spreads = zip(*drawn, strict=True)
    whiskers = {} if kind == "paper" else {"xerr": spreads, "error_kw": {"elinewidth": 1}}
    bars = axis.barh(
        places, means, _HEIGHT, color=_COLORS[kind], label=_LABELS[kind], capsize=2, **whiskers
    )
    axis.bar_label(bars, fmt="%.2f", fontsize=9, padding=3)
