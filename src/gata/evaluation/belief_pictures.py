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


def draw_beliefs(
    game: Game,
    beliefs: Mapping[str, GraphSource],
    others: Sequence[Game],
    *,
    relation: str,
    step: int = -1,
    nodes: Literal["present", "all"] = "present",
    formats: Sequence[str] = ("png",),
) -> dict[str, bytes]:
    """One relation of graphs: the seen one, what updaters believe, and that less its mean.

    There is a column for each updater. With one updater, all three stand side by side.

    Args:
        game: its walkthrough is followed, after the inventory.
        beliefs: the updaters by their names.
        others: the games that the mean is taken over.
        relation: which.
        step: after how many commands; -1 for the last.
        nodes: those of the true graph, or all.
        formats: ``png``, ``svg``.

    Returns:
        The picture by format.
    """
    PAPER.check_relation(relation)
    walks = follow([game])
    state = _state(walks, step)
    elsewhere = follow(others)
    (truth,) = true_graphs(walks, np.array([state]))
    graphs, less_mean = [], []
    for name, source in console.track(beliefs.items(), "believing", len(beliefs)):
        believed = believe(source, walks, state, elsewhere)
        graphs.append((f"belief of {name}", believed.graph))
        less_mean.append((f"belief of {name}, less its mean", believed.less_mean))
    panels = [("seen graph", truth), *[None] * (len(beliefs) - 1), *graphs, *less_mean]
    shown = present_nodes(truth) if nodes == "present" else range(len(PAPER.nodes))
    columns = len(beliefs) if len(beliefs) > 1 else len(panels)
    title = f"{game.name}, {relation}, {caption(state, walks.commands[state])}"
    return {
        image_format: compare(
            panels, relation, shown, columns=columns, image_format=image_format, title=title
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
