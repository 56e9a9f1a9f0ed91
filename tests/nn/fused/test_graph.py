"""The graph encoder's kernels, all of them, against the plain layers in float64."""

import pytest
import torch

from gata.nn import fused
from gata.nn.fused import graph
from gata.nn.fused.graph import encode
from tests.nn.encoders import encoder, exact, gradients, tables
from tests.nn.fused.comparing import assert_near, of_the_paper


@pytest.mark.parametrize(
    ("batch", "relations", "nodes", "changes"),
    [
        pytest.param(2, 10, 99, {}, marks=of_the_paper),
        (1, 4, 99, {"graph_layers": 2}),
        (1, 2, 5, {"hidden": 16, "graph_kind": "discrete"}),
        (3, 4, 33, {"hidden": 32, "graph_layers": 3, "bases": 2, "graph_kind": "discrete"}),
        (9, 3, 16, {"hidden": 16, "graph_layers": 2, "bases": 1}),
        (2, 3, 40, {"hidden": 16, "graph_layers": 1}),
        (2, 3, 6, {"hidden": 16, "graph_layers": 2, "relation_labels": False}),
    ],
    ids=str,
)
def test_is_the_plain_encoder(
    batch: int, relations: int, nodes: int, changes: dict, device: torch.device
) -> None:
    torch.manual_seed(nodes)
    module, known = encoder(relations, device, **changes), tables(relations, nodes, device)
    adjacency = torch.rand(batch, relations, nodes, nodes, device=device) * 2 - 1
    adjacency /= nodes**0.5
    doubled = adjacency.double().requires_grad_()
    adjacency.requires_grad_()
    present = torch.rand(batch, nodes, device=device) < 0.7
    present[0, 0] = True
    present[-1, 1:] = False

    found = encode(module, adjacency, present, known)
    slow, slowly_known = exact(module, known)
    right = slow(doubled, present, slowly_known)

    assert found.mask is present
    assert_near(found.values, right.values)
    assert not found.values[~present].any()
    wanted = torch.randn_like(found.values)
    (of_graphs,) = torch.autograd.grad(found.values, adjacency, wanted, retain_graph=True)
    (slowly,) = torch.autograd.grad(right.values, doubled, wanted.double(), retain_graph=True)
    assert_near(of_graphs, slowly)
    one = gradients(module, known, found.values, wanted)
    other = gradients(slow, slowly_known, right.values, wanted.double())
    for name, expected in other.items():
        if expected is not None:
            assert_near(one[name], expected, name)


def test_without_gradients_gives_the_same(device: torch.device) -> None:
    torch.manual_seed(1)
    module, known = encoder(2, device, hidden=16, graph_layers=3), tables(2, 7, device)
    adjacency = torch.randn(2, 2, 7, 7, device=device)
    present = torch.ones(1, 7, dtype=torch.bool, device=device).expand(2, -1)
    with torch.no_grad():
        found = encode(module, adjacency, present, known).values
    assert not found.requires_grad
    assert_near(found, encode(module, adjacency, present, known).values.double())


def test_a_part_of_a_batch_is_encoded_like_the_whole(device: torch.device) -> None:
    torch.manual_seed(2)
    module, known = encoder(2, device, hidden=16, graph_layers=2), tables(2, 7, device)
    adjacency = torch.randn(6, 2, 7, 7, device=device)
    present = torch.rand(6, 7, device=device) < 0.5
    whole = encode(module, adjacency, present, known).values
    part = encode(module, adjacency[1::2], present[1::2], known).values
    assert_near(part, whole[1::2].double())


def test_graphs_that_need_no_gradients_change_no_others(device: torch.device) -> None:
    torch.manual_seed(4)
    module, known = encoder(2, device, hidden=16, graph_layers=2), tables(2, 7, device)
    adjacency = torch.randn(3, 2, 7, 7, device=device)
    present = torch.rand(3, 7, device=device) < 0.6
    wanted = torch.randn(3, 7, 16, device=device)
    alone, beside = (
        gradients(module, known, encode(module, graphs, present, known).values, wanted)
        for graphs in (adjacency, adjacency.clone().requires_grad_())
    )
    for name, gradient in alone.items():
        other = beside[name]
        assert (gradient is None) == (other is None)
        if gradient is not None and other is not None:
            assert torch.equal(gradient, other), name


def test_gradients_can_be_asked_for_twice_and_are_the_same(device: torch.device) -> None:
    torch.manual_seed(3)
    module, known = encoder(2, device, hidden=16, graph_layers=2), tables(2, 7, device)
    adjacency = torch.randn(1, 2, 7, 7, device=device)
    present = torch.ones(1, 7, dtype=torch.bool, device=device)
    values = encode(module, adjacency, present, known).values
    of = list(module.parameters())
    first, second = (torch.autograd.grad(values.sum(), of, retain_graph=True) for _ in range(2))
    for one, other in zip(first, second, strict=True):
        assert torch.equal(one, other)


@pytest.mark.parametrize(
    ("nodes", "way", "expected"),
    [
        (7, {}, True),
        (128, {}, True),
        (129, {}, False),
        (7, {"self_loops": False}, False),
        (7, {"relation_weights": "bottleneck"}, False),
        (7, {"bases": 4}, True),
        (7, {"bases": 5}, False),
    ],
    ids=str,
)
def test_kernels_encode_what_they_were_made_for(
    nodes: int, way: dict, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    called = []
    monkeypatch.setattr(fused, "usable", lambda values: True)
    monkeypatch.setattr(graph, "encode", lambda *given: called.append(given))
    device = torch.device("cpu")
    module, known = encoder(1, device, hidden=16, **way), tables(1, nodes, device)
    adjacency, present = torch.zeros(1, 1, nodes, nodes), torch.ones(1, nodes, dtype=torch.bool)
    module(adjacency, present, known)
    assert bool(called) == expected

    called.clear()
    module(adjacency, present, known, torch.arange(nodes).expand(1, -1))
    assert not called
