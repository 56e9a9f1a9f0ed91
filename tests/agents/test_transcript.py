"""What is told of an agent at play, against what it believes and does."""

from pathlib import Path

import pytest
import torch

from gata.agents.greedy import GreedyAgent
from gata.agents.playing import play
from gata.agents.transcript import Edge, strongest, watch
from gata.belief.interface import BeliefGraph
from gata.games import load_game
from gata.graph.extract import full_graph
from gata.graph.statistics import nodes
from gata.graph.triples import Triple
from gata.graph.vocabulary import PAPER
from tests.agents.brains import small_brain

GAME = "level1/test/56274"

BELIEVED = [
    Edge(Triple("knife", "table", "on"), -0.875),
    Edge(Triple("carrot", "fridge", "in"), 0.75),
    Edge(Triple("fridge", "kitchen", "at"), 0.5),
    Edge(Triple("carrot", "player", "in"), -0.25),
]


def believed() -> BeliefGraph:
    count = len(PAPER.nodes)
    adjacency = torch.zeros(1, len(PAPER.relations), count, count)
    for (source, target, relation), strength in BELIEVED:
        place = PAPER.relation_id(relation), PAPER.node_id(source), PAPER.node_id(target)
        adjacency[0][place] = strength
    return BeliefGraph(adjacency, torch.ones(1, count, dtype=torch.bool))


@pytest.mark.parametrize("count", [0, 1, 3, 4, 9])
def test_the_strongest_edges_come_first_and_what_is_not_believed_never(count: int) -> None:
    assert strongest(believed(), PAPER, count) == BELIEVED[:count]


def test_edges_between_some_things_have_both_ends_among_them() -> None:
    some = [PAPER.node_id(name) for name in ("fridge", "carrot", "player", "knife")]
    assert strongest(believed(), PAPER, 9, some) == [BELIEVED[1], BELIEVED[3]]
    assert strongest(believed(), PAPER, 1, some) == [BELIEVED[1]]
    assert strongest(believed(), PAPER, 9, []) == []


def test_without_a_graph_nothing_is_told() -> None:
    assert strongest(None, PAPER, 9) == []


def test_a_transcript_tells_what_the_agent_does_and_believes(tmp_path: Path) -> None:
    brain, game = small_brain("gata-coc-text", tmp_path), load_game(GAME)
    moments = list(watch(brain, game, step_limit=4, edges=6))
    (episode,) = play(GreedyAgent(brain), [game], step_limit=4)
    assert len(moments) == episode.steps + 1
    assert (moments[-1].score, moments[-1].won) == (episode.score, episode.won)
    for moment in moments[:-1]:
        numbers = [value for _, value in moment.values]
        assert numbers == sorted(numbers, reverse=True)
        assert moment.command == moment.values[0][0]
        assert not moment.is_over
    assert (moments[-1].command, moments[-1].values, moments[-1].is_over) == (None, [], True)
    for moment in moments:
        for edge in moment.edges:
            source, target, relation = edge.triple
            place = PAPER.relation_id(relation), PAPER.node_id(source), PAPER.node_id(target)
            assert moment.adjacency is not None
            assert edge.strength == moment.adjacency[place]
        strengths = [abs(edge.strength) for edge in moment.edges]
        assert len(strengths) == 6
        assert strengths == sorted(strengths, reverse=True)


def test_edges_are_of_the_things_that_the_game_has_unless_all_are_wanted(tmp_path: Path) -> None:
    brain, game = small_brain("gata-coc", tmp_path), load_game(GAME)
    things = nodes(full_graph(game.facts, game.names))
    (own, *_), (of_all, *_) = (
        watch(brain, game, step_limit=1, edges=200, of_all_things=wanted)
        for wanted in (False, True)
    )
    assert nodes([edge.triple for edge in own.edges]) <= things
    assert not nodes([edge.triple for edge in of_all.edges]) <= things
    # The strongest of all that are of the game's things are the strongest of these.
    shared = [edge for edge in of_all.edges if nodes([edge.triple]) <= things]
    assert shared
    assert own.edges[: len(shared)] == shared
