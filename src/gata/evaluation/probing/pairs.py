"""The questions of the probing task: how are these two things related in this state, if at all?"""

from typing import NamedTuple

import numpy as np

from gata.errors import UsageError
from gata.evaluation.probing.settings import Negatives
from gata.evaluation.probing.walks import Array, Walks
from gata.graph.vocabulary import PAPER

_NODES = len(PAPER.nodes)


class Pairs(NamedTuple):
    """Pairs of nodes in states."""

    state: Array
    """(pairs,) int64."""
    source: Array
    """(pairs,) int64 nodes; likewise ``target``."""
    target: Array
    labels: Array
    """(pairs, relations) booleans: which relations hold."""

    @property
    def code(self) -> Array:
        """(pairs,): a number for the two nodes."""
        code: Array = self.source * _NODES + self.target
        return code


def related_pairs(walks: Walks) -> Pairs:
    """Every pair that is related in a seen graph, in each of its states."""
    counts = [len(edges) for edges in walks.seen]
    edges = np.concatenate([np.empty(0, np.int64), *walks.seen]).astype(np.int64)
    relation, code = np.divmod(edges, _NODES**2)
    keys = np.repeat(np.arange(len(walks)), counts) * _NODES**2 + code
    distinct, place = np.unique(keys, return_inverse=True)
    labels = np.zeros((len(distinct), len(PAPER.relations)), bool)
    labels[place, relation] = True
    state, code = np.divmod(distinct, _NODES**2)
    return Pairs(state, *np.divmod(code, _NODES), labels)


def with_negatives(positives: Pairs, walks: Walks, where: Negatives, seed: int) -> Pairs:
    """Set beside each positive example the same pair in a state in which it is not related.

    So every pair is as often related as not, and who knows the pair alone knows nothing. A pair
    that is always related has no counterpart and is left out.

    Args:
        positives: from ``related_pairs``.
        walks: the games they are from.
        where: which states may be drawn: of all games, or of the same game.
        seed: decides the draw.

    Returns:
        The positives that are kept, then as many negatives, in the same order.
    """
    game_of = walks.game_of
    groups = positives.code * (len(walks.games) + 1)
    if where == "same-game":
        groups = groups + game_of[positives.state]
    order = np.argsort(groups, kind="stable")
    _, begins = np.unique(groups[order], return_index=True)
    chance = np.random.default_rng(seed)
    kept, drawn = [], []
    for members in np.split(order, begins[1:]):
        if where == "same-game":
            game = game_of[positives.state[members[0]]]
            states = np.arange(walks.offsets[game], walks.offsets[game + 1])
        else:
            states = np.arange(len(walks))
        unrelated = np.setdiff1d(states, positives.state[members], assume_unique=True)
        if len(unrelated):
            kept.append(members)
            drawn.append(chance.choice(unrelated, len(members)))
    if not kept:
        raise UsageError(
            f"{len(walks.games)} games have no pair of nodes that is related in one state and not"
            " in another; probe more games"
        )
    rows = np.concatenate(kept)
    source, target, labels = positives.source[rows], positives.target[rows], positives.labels[rows]
    return Pairs(
        np.concatenate([positives.state[rows], *drawn]),
        np.tile(source, 2),
        np.tile(target, 2),
        np.concatenate([labels, np.zeros_like(labels)]),
    )
