import pytest
import torch

from gata.graph.adjacency import node_mask
from gata.nn.graph_encoder import GraphEncoder
from tests.nn import slow
from tests.nn.samples import (
    HIDDEN,
    NODES,
    RELATIONS,
    assert_same,
    assert_same_gradients,
    settings,
    shaken,
    tables,
)

EVERY_WAY = pytest.mark.parametrize(
    "changes",
    [
        {},
        {"relation_weights": "bottleneck"},
        {"relation_labels": False},
        {"relation_weights": "bottleneck", "relation_labels": False},
        {"self_loops": False},
        {"relation_weights": "bottleneck", "self_loops": False},
        {"graph_kind": "discrete"},
        {"graph_kind": "discrete", "relation_weights": "bottleneck"},
        {"graph_kind": "discrete", "relation_labels": False},
        {"graph_kind": "discrete", "self_loops": False},
        {"graph_layers": 1},
    ],
    ids=str,
)


def encoder(**changes) -> GraphEncoder:
    return shaken(GraphEncoder(RELATIONS, 4 + HIDDEN, 3 + HIDDEN, settings(**changes)))


def graphs(kind: str, count: int) -> tuple[torch.Tensor, torch.Tensor]:
    if kind == "continuous":
        graph = torch.rand(count, RELATIONS, NODES, NODES) * 2 - 1
        return graph, torch.ones(count, NODES, dtype=torch.bool)
    graph = torch.zeros(count, RELATIONS, NODES, NODES)
    graph[:, 0, 0, 1] = graph[:, 1, 1, 3] = 1
    graph[0, 1, 3, 3] = 1
    return graph, node_mask(graph)


def expected(module: GraphEncoder, graph, present, known, order=None) -> torch.Tensor:
    """The formula among the nodes that are there; zero elsewhere."""
    labels = known.relations if module.relation_labels else known.relations[:, :0]
    kind = torch.sigmoid if module.activation is torch.sigmoid else slow.relu
    result = []
    for b in range(len(graph)):
        there = present[b].nonzero().flatten()
        features = known.nodes if order is None else known.nodes[order[b]]
        nodes = slow.graph_encoder(
            module, graph[b][:, there][:, :, there], list(features[there]), list(labels), kind
        )
        result.append(torch.zeros(NODES, HIDDEN).index_copy(0, there, torch.stack(nodes)))
    return torch.stack(result)


@EVERY_WAY
def test_follows_the_formula(changes: dict) -> None:
    module, known = encoder(**changes), tables()
    graph, present = graphs(changes.get("graph_kind", "continuous"), 2)
    found = module(graph, present, known).values
    right = expected(module, graph, present, known)
    assert_same(found, right)
    assert_same_gradients(module, found, right)


def test_graphs_may_be_strided() -> None:
    module, known = encoder(), tables()
    graph, present = graphs("continuous", 4)
    assert_same(
        module(graph[::2], present[::2], known).values, module(graph, present, known).values[::2]
    )


@pytest.mark.parametrize("weights", ["basis", "bottleneck"])
def test_shuffled_features_are_those_of_other_nodes(weights: str) -> None:
    module, known = encoder(relation_weights=weights), tables()
    graph, present = graphs("continuous", 2)
    order = torch.tensor([[1, 0, 2, 4, 3], [4, 3, 2, 1, 0]])
    found = module(graph, present, known, order).values
    assert_same(found, expected(module, graph, present, known, order))
    own = torch.arange(NODES).expand(2, -1)
    assert_same(module(graph, present, known, own).values, module(graph, present, known).values)


@EVERY_WAY
def test_company_changes_nothing(changes: dict) -> None:
    module, known = encoder(**changes), tables()
    graph, present = graphs(changes.get("graph_kind", "continuous"), 3)
    together = module(graph, present, known).values
    assert_same(together[1:2], module(graph[1:2], present[1:2], known).values)


def test_a_graph_without_edges_has_no_nodes() -> None:
    module, known = encoder(graph_kind="discrete"), tables()
    graph = torch.zeros(1, RELATIONS, NODES, NODES)
    encoded = module(graph, node_mask(graph), known)
    assert not encoded.values.any()
    assert not encoded.mask.any()


def test_bases_allow_relations_of_full_rank_and_the_bottleneck_does_not() -> None:
    for weights, rank in (("basis", HIDDEN), ("bottleneck", 2)):
        messages = encoder(relation_weights=weights).messages
        of_node, _ = slow.relation_weights(messages, 1, 0)
        assert torch.linalg.matrix_rank(of_node) == rank


def test_relation_labels_off_ignores_their_vectors() -> None:
    module, known = encoder(relation_labels=False), tables()
    graph, present = graphs("continuous", 1)
    other = known._replace(relations=torch.randn_like(known.relations))
    assert_same(module(graph, present, known).values, module(graph, present, other).values)


def test_gradients_reach_the_graph_through_both_directions() -> None:
    module, known = encoder(), tables()
    graph, present = graphs("continuous", 1)
    assert torch.autograd.gradcheck(
        lambda g: module(g, present, known).values, graph.requires_grad_()
    )
