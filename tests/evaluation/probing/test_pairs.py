"""Pairs of nodes from walkthroughs: what is related, and the same pairs where they are not."""

from collections import Counter

import numpy as np
import pytest

from gata.errors import UsageError
from gata.evaluation.probing.pairs import Pairs, related_pairs, with_negatives
from gata.evaluation.probing.walks import Walks, follow, true_graphs
from gata.games.store import load_set
from gata.graph.triples import Triple
from gata.graph.vocabulary import PAPER

HERE = Triple("player", "kitchen", "at")
THERE = Triple("player", "pantry", "at")
ALWAYS = Triple("stove", "kitchen", "at")
WAYS = (Triple("exit", "kitchen", "west_of"), Triple("exit", "kitchen", "east_of"))


def walks_of(*games: list[list[Triple]]) -> Walks:
    """Games whose states have these seen graphs."""
    states = [state for game in games for state in game]
    return Walks(
        games=tuple(f"game {number}" for number in range(len(games))),
        offsets=np.cumsum([0, *map(len, games)]),
        observations=[[1]] * len(states),
        commands=["look"] * len(states),
        seen=[np.array(PAPER.edge_ids(state), np.int32) for state in states],
    )


def names(pairs: Pairs) -> list[tuple[int, str, str]]:
    return [
        (int(state), PAPER.nodes[source], PAPER.nodes[target])
        for state, source, target in zip(pairs.state, pairs.source, pairs.target, strict=True)
    ]


WALKS = walks_of([[HERE, ALWAYS, *WAYS], [THERE, ALWAYS]], [[ALWAYS], [HERE, ALWAYS]])


def test_all_relations_of_a_pair_are_one_example() -> None:
    pairs = related_pairs(WALKS)
    assert len(pairs.state) == 8
    row = names(pairs).index((0, "exit", "kitchen"))
    held = {PAPER.relations[relation] for relation in np.flatnonzero(pairs.labels[row])}
    assert held == {"west_of", "east_of"}
    assert pairs.labels.any(axis=1).all()


def test_each_pair_is_as_often_related_as_not() -> None:
    pairs = with_negatives(related_pairs(WALKS), WALKS, "any-game", seed=1)
    is_related = pairs.labels.any(axis=1).tolist()
    counts = Counter(zip(pairs.code.tolist(), is_related, strict=True))
    for code in set(pairs.code.tolist()):
        assert counts[code, True] == counts[code, False] > 0
    rows = list(zip(names(pairs), is_related, strict=True))
    unrelated = {row for row, holds in rows if not holds}
    assert not unrelated & {row for row, holds in rows if holds}
    # The stove is in the kitchen everywhere: no state to set beside it.
    assert not any(source == "stove" for _, source, _ in names(pairs))
    assert {state for state, source, _ in unrelated if source == "exit"} <= {1, 2, 3}


def test_counterparts_of_the_same_game() -> None:
    pairs = with_negatives(related_pairs(WALKS), WALKS, "same-game", seed=1)
    half = len(pairs.state) // 2
    games = WALKS.game_of[pairs.state]
    assert (games[:half] == games[half:]).all()
    assert (pairs.code[:half] == pairs.code[half:]).all()


def test_a_seed_decides_the_draw() -> None:
    many = walks_of([[HERE]] + [[THERE]] * 200)
    first, again, other = (
        with_negatives(related_pairs(many), many, "any-game", seed) for seed in (1, 1, 2)
    )
    assert names(first) == names(again) != names(other)


def test_games_in_which_nothing_changes_cannot_be_probed() -> None:
    still = walks_of([[ALWAYS], [ALWAYS]])
    with pytest.raises(UsageError, match="no pair of nodes"):
        with_negatives(related_pairs(still), still, "any-game", 1)


def test_real_walkthroughs() -> None:
    games = list(load_set("level4/test")[:2])
    walks = follow(games)
    assert walks.games == tuple(game.name for game in games)
    starts = walks.offsets[:-1]
    assert [walks.commands[start] for start in starts] == ["restart", "restart"]
    assert [walks.commands[start + 1] for start in starts] == ["inventory", "inventory"]
    pairs = related_pairs(walks)
    graphs = true_graphs(walks, pairs.state)
    rows = np.arange(len(pairs.state))
    assert (graphs[rows, :, pairs.source, pairs.target] == pairs.labels).all()
    assert graphs[0].sum() == len(walks.seen[0])
