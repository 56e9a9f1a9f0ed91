import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from gata.errors import UsageError
from gata.graph.adjacency import (
    PADDING,
    adjacency,
    edge_cells,
    narrow_adjacency,
    node_mask,
    pad_edges,
)
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
def test_nodes_with_an_edge_are_part_of_the_graph(graphs):
    for graph, mask in zip(graphs, node_mask(adjacency(pad_edges(graphs), SMALL)), strict=True):
        ends = [SMALL.edge_from_id(edge)[:2] for edge in graph]
        assert set(mask.nonzero().flatten().tolist()) == {node for pair in ends for node in pair}


@given(batches)
def test_narrow_graphs_have_the_same_edges_and_no_other_nodes(graphs):
    graph, present, nodes = narrow_adjacency(pad_edges(graphs), SMALL)
    found = [set() for _ in graphs]
    for batch, relation, source, target in graph.nonzero().tolist():
        ends = nodes[batch, source], nodes[batch, target]
        found[batch].add(SMALL.edge_id(*map(int, ends), relation))
    assert found == graphs
    for edges, row, there in zip(graphs, nodes, present, strict=True):
        ends = {node for edge in edges for node in SMALL.edge_from_id(edge)[:2]}
        assert row[there].tolist() == sorted(ends)
    assert graph.shape[-1] == max([1, *present.sum(1).tolist()])


def test_rows_are_ascending_and_padded():
    assert pad_edges([{7, 2}, []], width=3).tolist() == [[2, 7, PADDING], [PADDING] * 3]
    with pytest.raises(UsageError, match="a graph of 2 edges does not fit into a row of 1"):
        pad_edges([{7, 2}], width=1)


def test_ids_too_large_share_the_spare_cell_with_padding():
    edges = torch.tensor([[3, 18, -1], [0, 10**6, 17]])
    assert edge_cells(edges, 18).tolist() == [[3, 36, 36], [18, 36, 35]]


def test_nothing_waits_for_the_device():
    """Tensors without data have no values to wait for: looking at one would raise."""
    edges = torch.empty((4, 7), dtype=torch.int32, device="meta")
    graph = adjacency(edges, SMALL)
    assert graph.device.type == "meta"
    assert graph.shape == (4, 2, 3, 3)


def test_types_and_empty_graphs():
    tensor = adjacency(pad_edges([[], [4]]), SMALL, dtype=torch.bool)
    assert tensor.dtype == torch.bool
    assert tensor.sum((1, 2, 3)).tolist() == [0, 1]
    assert not node_mask(tensor)[0].any()


def test_edges_of_another_vocabulary_are_refused():
    for make in (adjacency, narrow_adjacency):
        with pytest.raises(UsageError, match=r"edge id 18 is not in 0\.\.17"):
            make(torch.tensor([[3, 18], [0, -1]]), SMALL)
