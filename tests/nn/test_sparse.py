"""The graph encoder from edge to edge: against the plain layers in float64, and by hand."""

import copy

import pytest
import torch
from torch import Tensor

from gata.nn import fused
from gata.nn.graph_encoder import GraphEncoder
from gata.nn.settings import NetworkSettings
from gata.nn.sparse import graph
from gata.nn.words import Tables
from tests.nn.fused.comparing import assert_near

NODE_SIZE, LABEL_SIZE = 37, 20


@pytest.fixture(autouse=True)
def single_precision(exact: None) -> None:
    """As in training; what it is compared with is made double by each test."""
    torch.set_default_dtype(torch.float32)


@pytest.fixture
def plainly(monkeypatch: pytest.MonkeyPatch):
    """Calls a function while kernels of all kinds are switched off."""

    def call(function, *arguments):
        with monkeypatch.context() as patch:
            patch.setenv(fused.SWITCH, "off")
            return function(*arguments)

    return call


def encoder(relations: int, **changes) -> GraphEncoder:
    settings = NetworkSettings(**({"graph_kind": "discrete"} | changes))
    module = GraphEncoder(relations, NODE_SIZE, LABEL_SIZE, settings)
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            # No zero bias may hide a mistake.
            parameter.normal_(std=0.5 if "bias" in name else parameter.shape[-1] ** -0.5)
    return module


def tables(relations: int, nodes: int) -> Tables:
    return Tables(
        torch.empty(0),
        torch.randn(nodes, NODE_SIZE, requires_grad=True),
        torch.randn(2 * relations + 1, LABEL_SIZE, requires_grad=True),
    )


def gradients(module: GraphEncoder, known: Tables, values: Tensor, wanted: Tensor) -> dict:
    sources = dict(module.named_parameters()) | {"nodes": known.nodes, "labels": known.relations}
    found = torch.autograd.grad(values, list(sources.values()), wanted, allow_unused=True)
    return dict(zip(sources, found, strict=True))


def few_edges(batch: int, relations: int, nodes: int, share: float) -> Tensor:
    """Edges of any strength, some of a node to itself."""
    places = torch.rand(batch, relations, nodes, nodes) < share
    return torch.randn(batch, relations, nodes, nodes) * places


@pytest.mark.parametrize(
    ("batch", "relations", "nodes", "share", "changes"),
    [
        (3, 10, 40, 0.003, {}),
        (1, 1, 1, 1.0, {"graph_layers": 2}),
        (4, 3, 6, 1.0, {"graph_layers": 2}),
        (3, 2, 9, 0.05, {"hidden": 12, "bases": 1}),
        (3, 2, 9, 0.05, {"graph_layers": 1}),
        (3, 2, 9, 0.05, {"self_loops": False}),
        (3, 2, 9, 0.05, {"relation_labels": False}),
        (3, 2, 9, 0.05, {"relation_labels": False, "self_loops": False}),
        (2, 2, 5, 0.0, {}),
    ],
    ids=str,
)
@pytest.mark.parametrize("features", ["own", "others"])
def test_is_the_plain_encoder(
    batch: int, relations: int, nodes: int, share: float, changes: dict, features: str, plainly
) -> None:
    torch.manual_seed(nodes)
    module, known = encoder(relations, **changes), tables(relations, nodes + 3)
    order = None
    if features == "others":
        order = torch.stack([torch.randperm(nodes + 3)[:nodes] for _ in range(batch)])
    else:
        known = known._replace(nodes=known.nodes[:nodes].detach().requires_grad_())
    adjacency = few_edges(batch, relations, nodes, share)
    # Some nodes are part of the graph without edges, and some speak that are no part of it.
    present = torch.rand(batch, nodes) < 0.7
    present[0, 0] = True

    found = graph.encode(module, adjacency, present, known, order)
    slow = copy.deepcopy(module).double()
    slowly_known = Tables(*(table.detach().double().requires_grad_() for table in known))
    right = plainly(slow, adjacency.double(), present, slowly_known, order)

    assert found.mask is present
    assert_near(found.values, right.values)
    assert not found.values[~present].any()
    wanted = torch.randn_like(found.values)
    one = gradients(module, known, found.values, wanted)
    other = gradients(slow, slowly_known, right.values, wanted.double())
    for name, expected in other.items():
        if expected is None or one[name] is None:
            # The plain layers give nothing where ours may give zeros, and the other way round.
            assert not any(x is not None and x.any() for x in (expected, one[name])), name
        else:
            assert_near(one[name], expected, name)


def test_an_edge_is_heard_at_both_ends_by_the_relation_and_by_its_inverse() -> None:
    adjacency = torch.zeros(2, 2, 3, 3)
    adjacency[1, 1, 0, 2] = 0.5
    edges = graph.find(adjacency, torch.tensor([[False, True, False], [False, False, False]]))
    assert edges.listed.tolist() == [1, 3, 5]
    assert edges.ends.tolist() == [[1, 1, 2]]
    assert edges.strengths.tolist() == [0.5]

    said = torch.tensor([[[1.0], [10.0]], [[2.0], [20.0]], [[4.0], [40.0]]])
    by_kind = torch.tensor([[0.0, 3.0, 0.0, 7.0]])
    itself = torch.tensor([[0.0], [100.0], [0.0], [1000.0], [0.25]])
    heard = graph._hear(said, torch.tensor([0, 1, 2]), by_kind, itself, edges)
    first = 0.25 + 10
    row = 0.25 + 20 + 0.5 * (100 + 3 * 4)
    column = 0.25 + 40 + 0.5 * (1000 + 7 * 2)
    assert heard.flatten().tolist() == [first, row, column]


def test_several_nodes_can_say_the_same() -> None:
    edges = graph.find(few_edges(2, 3, 4, 0.4).double(), torch.ones(2, 4, dtype=torch.bool))
    rows = torch.tensor([0, 1, 1, 2, 2, 0, 1, 0])
    floats = (
        torch.randn(shape, dtype=torch.float64, requires_grad=True)
        for shape in ((3, 3, 5), (2, 6), (7, 5))
    )
    assert torch.autograd.gradcheck(
        lambda said, by_kind, itself: graph._hear(said, rows, by_kind, itself, edges),
        tuple(floats),
    )


def test_the_same_batch_gives_the_same_bits() -> None:
    module, known = encoder(3), tables(3, 12)
    adjacency, present = few_edges(5, 3, 12, 0.1), torch.ones(5, 12, dtype=torch.bool)
    first, second = (module(adjacency, present, known).values for _ in range(2))
    assert torch.equal(first, second)
    wanted = torch.randn_like(first)
    one, other = (gradients(module, known, values, wanted) for values in (first, second))
    assert all(torch.equal(one[name], other[name]) for name in one)


@pytest.mark.parametrize(
    ("changes", "needs_gradients", "taken"),
    [
        ({}, False, True),
        ({"self_loops": False}, False, True),
        ({}, True, False),
        ({"graph_kind": "continuous"}, False, False),
        ({"relation_weights": "bottleneck"}, False, False),
    ],
    ids=str,
)
def test_is_taken_by_graphs_of_facts(
    changes: dict, needs_gradients: bool, taken: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    encode = graph.encode
    monkeypatch.setattr(graph, "encode", lambda *given: calls.append(given) or encode(*given))
    module, known = encoder(2, **changes), tables(2, 5)
    adjacency = few_edges(2, 2, 5, 0.2).requires_grad_(needs_gradients)
    module(adjacency, torch.ones(2, 5, dtype=torch.bool), known)
    assert bool(calls) == taken
    monkeypatch.setenv(fused.SWITCH, "off")
    calls.clear()
    module(adjacency, torch.ones(2, 5, dtype=torch.bool), known)
    assert not calls
