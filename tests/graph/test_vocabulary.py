import hashlib
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gata.errors import UsageError
from gata.graph import vocabulary
from gata.graph.vocabulary import NODES, PAPER, RELATIONS, GraphVocabulary


def test_sizes_and_order_of_the_paper():
    assert len(NODES) == 99
    assert len(RELATIONS) == 10
    assert (NODES[0], NODES[12], NODES[25], NODES[98]) == ("player", "exit", "bbq", "yellow potato")
    assert (
        *("in", "is", "on", "at", "needs"),
        *("west_of", "east_of", "north_of", "south_of", "part_of"),
    ) == RELATIONS


def test_no_node_is_renamed_or_moved():
    """Edge ids, and weights trained with them, depend on every node's name and place."""
    digest = hashlib.sha256("\n".join(NODES).encode()).hexdigest()
    assert digest == "8ab8185750cb602b67f7f6dccd17903c40374972ae02ea548f7955974b792a38"


@given(st.integers(0, PAPER.edge_count - 1))
def test_edge_ids_stand_for_edges(edge):
    source, target, relation = vocabulary.edge_from_id(edge)
    assert (
        vocabulary.edge_id(source, target, relation)
        == edge
        == (relation * 99 + source) * 99 + target
    )
    assert PAPER.triple_id(PAPER.triple_from_id(edge)) == edge


def test_edge_ids_count_the_cells_of_an_array():
    small = GraphVocabulary(("a", "b"), ("r", "s", "t"))
    edges = [small.edge_id(i, j, k) for k in range(3) for i in range(2) for j in range(2)]
    assert edges == list(range(small.edge_count))


@pytest.mark.parametrize("edge", [-1, PAPER.edge_count])
def test_edge_ids_out_of_range_are_refused(edge):
    with pytest.raises(UsageError, match="edge id"):
        vocabulary.edge_from_id(edge)


def test_unknown_names_are_refused():
    with pytest.raises(UsageError, match="no node is called 'spaceship'"):
        vocabulary.node_id("spaceship")
    with pytest.raises(UsageError, match="no relation is called 'above'"):
        vocabulary.relation_id("above")


def test_extending_keeps_ids():
    bigger = PAPER.extended(nodes=["spaceship", "kitchen"], relations=["under"])
    assert bigger.nodes == (*NODES, "spaceship")
    assert bigger.node_id("kitchen") == PAPER.node_id("kitchen")
    assert bigger.relation_id("under") == 10


def test_bad_names_are_refused():
    with pytest.raises(UsageError, match="lower-case"):
        PAPER.extended(nodes=["BBQ"])
    with pytest.raises(UsageError, match="'a' is in the graph vocabulary twice"):
        GraphVocabulary(("a", "b", "a"), ("r",))


@pytest.mark.parametrize("name", [" egg", "egg ", "red  onion", "red\tonion", "red\nonion"])
def test_names_with_stray_blanks_are_refused(name):
    with pytest.raises(UsageError, match="expected single blanks between words only"):
        PAPER.extended(nodes=[name])
    with pytest.raises(UsageError, match="expected single blanks between words only"):
        PAPER.extended(relations=[name])


def test_relations_are_one_word():
    with pytest.raises(UsageError, match="relation 'next to': expected one word"):
        PAPER.extended(relations=["next to"])


class TwoThings:
    names = MappingProxyType({"P": "", "f_0": "Carrot", "o_0": "Coin"})


def test_games_beyond_the_papers_get_nodes_of_their_own():
    graph = GraphVocabulary.for_games([TwoThings(), TwoThings()])
    assert graph.nodes == (*NODES, "coin")
    assert graph.relations == RELATIONS
