import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from gata.errors import UsageError
from gata.graph.adjacency import adjacency, node_mask, pad_edges, with_inverses, with_self
from gata.graph.vocabulary import PAPER, GraphVocabulary

SMALL = GraphVocabulary(("a", "b", "c"), ("r", "s"))
batches = st.lists(st.sets(st.integers(0, SMALL.edge_count - 1)), max_size=5)


def test_an_edge_has_its_cell():
    edge = PAPER.edge_id(3, 98, 9)
    graph = adjacency(torch.tensor([[edge]]))
    assert graph.shape == (1, 10, 99, 99)
    assert graph.is_contiguous()
    assert graph.nonzero().tolist() == [[0, 9, 3, 98]]


@given(batches)
def test_edges_come_back(graphs):
    tensor = adjacency(pad_edges(graphs), SMALL)
    assert tensor.shape == (len(graphs), 2, 3, 3)
    found = [set() for _ in graphs]
    for batch, relation, source, target in tensor.nonzero().tolist():
        found[batch].add(SMALL.edge_id(source, target, relation))
    assert found == graphs
    assert set(tensor.unique().tolist()) <= {0.0, 1.0}


@given(batches)
def test_inverses_are_transposes(graphs):
    tensor = adjacency(pad_edges(graphs), SMALL)
    both = with_inverses(tensor)
    assert both.shape[1] == 4
    assert torch.equal(both[:, :2], tensor)
    assert torch.equal(both[:, 2:], tensor.mT)


@given(batches)
def test_self_is_for_nodes_that_have_an_edge(graphs):
    edges = with_inverses(adjacency(pad_edges(graphs), SMALL))
    full = with_self(edges)
    assert full.shape[1] == 5
    for graph, mask, loops in zip(graphs, node_mask(edges), full[:, -1], strict=True):
        ends = [SMALL.edge_from_id(edge)[:2] for edge in graph]
        assert set(mask.nonzero().flatten().tolist()) == {node for pair in ends for node in pair}
        assert torch.equal(loops, torch.diag(mask.float()))


def test_types_and_empty_graphs():
    tensor = adjacency(pad_edges([[], [4]]), SMALL, dtype=torch.bool)
    assert tensor.dtype == torch.bool
    assert tensor.sum((1, 2, 3)).tolist() == [0, 1]
    assert not node_mask(tensor)[0].any()


def test_edges_of_another_vocabulary_are_refused():
    with pytest.raises(UsageError, match=r"edge id 18 is not in 0\.\.17"):
        adjacency(torch.tensor([[3, 18], [0, -1]]), SMALL)
