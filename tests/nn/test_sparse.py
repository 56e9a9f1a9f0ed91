"""The graph encoder from edge to edge: against the plain layers in float64, and by hand."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from gata.nn import fused
from gata.nn.graph_encoder import GraphEncoder
from gata.nn.masking import Encoded
from gata.nn.sparse import graph
from gata.nn.words import Tables
from tests.nn.encoders import encoder, exact, gradients, tables
from tests.nn.fused.comparing import assert_near


@pytest.fixture(autouse=True)
def single_precision(exact: None) -> None:
    """As in training; what it is compared with is made double by each test."""
    torch.set_default_dtype(torch.float32)


@pytest.fixture
def plainly(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Encoded]:
    """Calls a function while kernels of all kinds are switched off."""

    def call(function: Callable[..., Encoded], *arguments: object) -> Encoded:
        with monkeypatch.context() as patch:
            patch.setenv(fused.SWITCH, "off")
            return function(*arguments)

    return call


def of_facts(relations: int, **changes) -> GraphEncoder:
    return encoder(relations, **({"graph_kind": "discrete"} | changes))


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Gets one more whenever edges are visited."""
    calls: list[object] = []
    encode = graph.encode
    monkeypatch.setattr(graph, "encode", lambda *given: calls.append(given) or encode(*given))
    return calls


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
    batch: int,
    relations: int,
    nodes: int,
    share: float,
    changes: dict,
    features: str,
    plainly: Callable[..., Encoded],
) -> None:
    torch.manual_seed(nodes)
    module, known = of_facts(relations, **changes), tables(relations, nodes + 3)
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
    slow, slowly_known = exact(module, known)
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
    module, known = of_facts(3), tables(3, 12)
    adjacency, present = few_edges(5, 3, 12, 0.1), torch.ones(5, 12, dtype=torch.bool)
    first, second = (module(adjacency, present, known).values for _ in range(2))
    assert torch.equal(first, second)
    wanted = torch.randn_like(first)
    one, other = (gradients(module, known, values, wanted) for values in (first, second))
    assert all(torch.equal(one[name], other[name]) for name in one)


@pytest.mark.parametrize(
    ("changes", "dtype", "taken"),
    [
        ({}, torch.float32, True),
        ({}, torch.float64, True),
        ({"self_loops": False}, torch.float32, True),
        ({}, torch.bfloat16, False),
        ({"graph_kind": "continuous"}, torch.float32, False),
        ({"relation_weights": "bottleneck"}, torch.float32, False),
    ],
    ids=str,
)
def test_is_taken_by_graphs_of_facts(
    changes: dict,
    dtype: torch.dtype,
    taken: bool,
    called: list[object],
    plainly: Callable[..., Encoded],
) -> None:
    module, known = of_facts(2, **changes).to(dtype), tables(2, 5)
    known = Tables(*(table.to(dtype) for table in known))
    adjacency = few_edges(2, 2, 5, 0.2).to(dtype)
    present = torch.ones(2, 5, dtype=torch.bool)
    module(adjacency, present, known)
    assert bool(called) == taken
    called.clear()
    plainly(module, adjacency, present, known)
    assert not called


def test_is_not_taken_where_it_cannot_be(called: list[object]) -> None:
    module, known = of_facts(2), tables(2, 5)
    adjacency, present = few_edges(2, 2, 5, 0.2), torch.ones(2, 5, dtype=torch.bool)
    module(adjacency.clone().requires_grad_(), present, known)
    with torch.autocast("cpu"):
        module(adjacency, present, known)
    torch.compile(module, backend="eager")(adjacency, present, known)
    # The plain layers say what is wrong.
    with pytest.raises(RuntimeError, match="Double but found Float"):
        module(adjacency.double(), present, known)
    assert not called


@pytest.mark.parametrize("relations", [1, 3, 40])
def test_graphs_of_other_relations_are_refused(relations: int) -> None:
    module, known = of_facts(2), tables(2, 5)
    with pytest.raises(ValueError, match=f"graphs of {relations} relations for an encoder of 2"):
        module(few_edges(2, relations, 5, 0.2), torch.ones(2, 5, dtype=torch.bool), known)


def test_graphs_that_do_not_fit_are_refused() -> None:
    module, known = of_facts(2), tables(2, 5)
    with pytest.raises(ValueError, match="an adjacency of 5 by 3 nodes"):
        module(torch.zeros(2, 2, 5, 3), torch.ones(2, 5, dtype=torch.bool), known)
    for nodes in (4, 7):
        present = torch.ones(2, nodes, dtype=torch.bool)
        with pytest.raises(ValueError, match=f"graphs of {nodes} nodes with features of 5"):
            module(torch.zeros(2, 2, nodes, nodes), present, known)


def test_marks_of_nodes_can_be_shared_by_all_graphs() -> None:
    module, known = of_facts(2), tables(2, 5)
    adjacency, present = few_edges(3, 2, 5, 0.2), torch.tensor([[True, True, False, True, False]])
    shared = module(adjacency, present, known).values
    assert torch.equal(shared, module(adjacency, present.expand(3, -1), known).values)


def test_an_order_of_another_size_is_refused() -> None:
    order = torch.zeros(2, 6, dtype=torch.int64)
    with pytest.raises(RuntimeError, match="shape"):
        of_facts(2)(few_edges(2, 2, 5, 0.2), torch.ones(2, 5).bool(), tables(2, 5), order)
