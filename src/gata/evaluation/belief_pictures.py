"""What updaters believe in a state of a game beside what is true, as heat maps."""

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from gata import console
from gata.errors import UsageError
from gata.evaluation.belief_slices import believe
from gata.evaluation.probing.sources import GraphSource
from gata.evaluation.probing.walks import Walks, follow, true_graphs
from gata.games.game import Game
from gata.graph.pictures.film import caption
from gata.graph.pictures.heatmap import compare, present_nodes
from gata.graph.vocabulary import PAPER

_KINDS = 3
"""Of graphs: what is true, what is believed, and that less the mean."""


def draw_beliefs(
    game: Game,
    beliefs: Mapping[str, GraphSource],
    others: Sequence[Game],
    *,
    relation: str,
    step: int = -1,
    nodes: Literal["present", "all"] = "present",
    formats: Sequence[str] = ("png",),
    upright: bool = False,
) -> dict[str, bytes]:
    """One relation of the graphs, a row for each updater: seen, believed, believed less the mean.

    Args:
        game: its walkthrough is followed, after the inventory.
        beliefs: the updaters by their names.
        others: the games that the mean is taken over.
        relation: which.
        step: after how many commands; -1 for the last.
        nodes: those of the true graph, or all.
        formats: ``png``, ``svg``.
        upright: a column for each updater, not a row.

    Returns:
        The picture by format.
    """
    PAPER.check_relation(relation)
    walks = follow([game])
    state = _state(walks, step)
    elsewhere = follow(others)
    (truth,) = true_graphs(walks, np.array([state]))
    graphs = {}
    for name, source in console.track(beliefs.items(), "believing", len(beliefs)):
        believed = believe(source, walks, state, elsewhere)
        # Titles must differ, so the truth says beside which belief it stands.
        graphs[f"seen graph (for {name})"] = truth
        graphs[f"belief of {name}"] = believed.graph
        graphs[f"belief of {name}, less its mean"] = believed.less_mean
    if upright:
        names = list(graphs)
        graphs = {name: graphs[name] for kind in range(_KINDS) for name in names[kind::_KINDS]}
    shown = present_nodes(truth) if nodes == "present" else range(len(PAPER.nodes))
    columns = len(beliefs) if upright else _KINDS
    title = f"{game.name}, {relation}, {caption(state, walks.commands[state])}"
    return {
        image_format: compare(
            graphs, relation, shown, columns=columns, image_format=image_format, title=title
        )
        for image_format in formats
    }


def _state(walks: Walks, step: int) -> int:
    last = len(walks) - 1
    if not -1 <= step <= last:
        raise UsageError(
            f"step {step}: {last} commands are given in {walks.games[0]}, expected 0 to {last}, or"
            " -1 for the last"
        )
    return step if step >= 0 else last
