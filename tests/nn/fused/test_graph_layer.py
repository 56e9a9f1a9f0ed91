"""The layers of the graph encoder against their formula in float64."""

import pytest
import torch
from torch import Tensor

from gata.nn.fused import graph_layer_weights
from gata.nn.fused.graph_layer import run_layers
from tests.nn.fused.comparing import assert_near


def inputs(
    device: torch.device, batch: int, nodes: int, hidden: int, layers: int, bases: int
) -> dict[str, Tensor]:
    def normal(*shape: int) -> Tensor:
        # Sums of as many terms as the last axis or the neighbours have stay about as large.
        scale = max(shape[-1], nodes if len(shape) == 4 else 1) ** -0.5
        return (torch.randn(shape, device=device) * scale).requires_grad_()

    width = -(-nodes // 4) * 4
    mixed = normal(batch, layers * bases, nodes, width)
    with torch.no_grad():
        mixed[..., nodes:] = 0
    return {
        "entered": normal(bases + 2, nodes, hidden),
        "mixed": mixed,
        "degrees": torch.rand(batch, nodes, 16, device=device),
        "spoken": normal(layers, 16, hidden),
        "later_bases": normal(layers - 1, bases + 1, hidden, hidden),
        **{f"weight{layer}": normal(hidden, hidden) for layer in range(layers)},
        **{f"bias{layer}": normal(hidden) for layer in range(layers)},
    }


def gates(given: dict[str, Tensor]) -> list[tuple[Tensor, Tensor]]:
    layers = len(given["spoken"])
    return [(given[f"weight{layer}"], given[f"bias{layer}"]) for layer in range(layers)]


def fast(given: dict[str, Tensor], present: Tensor, relu: bool) -> Tensor:
    shared = [given[name] for name in ("entered", "mixed", "degrees", "spoken", "later_bases")]
    return run_layers(*shared, gates(given), present, relu=relu)


def formula(given: dict[str, Tensor], present: Tensor, relu: bool) -> Tensor:
    entered, mixed = given["entered"], given["mixed"]
    bases, nodes = len(entered) - 2, entered.shape[1]
    before = entered[-1].expand(len(mixed), -1, -1)
    for layer, (weight, bias) in enumerate(gates(given)):
        if layer == 0:
            told = entered[:-1].unsqueeze(1)
        else:
            told = torch.stack([before @ basis for basis in given["later_bases"][layer - 1]])
        messages = told[-1] + given["degrees"] @ given["spoken"][layer]
        for basis in range(bases):
            messages = messages + mixed[:, layer * bases + basis, :, :nodes] @ told[basis]
        new = torch.relu(messages) if relu else torch.sigmoid(messages)
        gate = torch.sigmoid(new @ weight.T + bias)
        before = gate * new + (1 - gate) * before
    return before * present.unsqueeze(-1)


@pytest.mark.parametrize("relu", [False, True])
@pytest.mark.parametrize(
    ("batch", "nodes", "hidden", "layers", "bases"),
    [(1, 5, 16, 1, 3), (2, 33, 32, 2, 2), (10, 7, 16, 3, 1), (1, 128, 16, 2, 1)],
)
def test_follows_the_formula(
    batch: int,
    nodes: int,
    hidden: int,
    layers: int,
    bases: int,
    relu: bool,
    device: torch.device,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # So few that the largest cases have several graphs and blocks of nodes for each.
    monkeypatch.setattr(graph_layer_weights, "SHARES", 2)
    torch.manual_seed(nodes)
    given = inputs(device, batch, nodes, hidden, layers, bases)
    exact = {name: value.detach().double() for name, value in given.items()}
    present = torch.rand(batch, nodes, device=device) < 0.7
    present[0, 0] = True
    sources = [name for name in given if name != "degrees" and given[name].numel()]
    for name in sources:
        exact[name].requires_grad_()

    found, right = fast(given, present, relu), formula(exact, present, relu)

    assert_near(found, right)
    wanted = torch.randn_like(found)
    one = torch.autograd.grad(found, [given[name] for name in sources], wanted)
    other = torch.autograd.grad(right, [exact[name] for name in sources], wanted.double())
    for name, mine, theirs in zip(sources, one, other, strict=True):
        # Nobody looks at what fills a row up.
        kept = slice(nodes) if name == "mixed" else slice(None)
        assert_near(mine[..., kept], theirs[..., kept], name)


def test_what_is_not_there_is_zero_and_gives_no_gradient(device: torch.device) -> None:
    torch.manual_seed(4)
    given = inputs(device, 2, 6, 16, 2, 2)
    nobody = torch.zeros(2, 6, dtype=torch.bool, device=device)
    found = fast(given, nobody, relu=False)
    assert not found.any()
    found.backward(torch.randn_like(found))
    for value in given.values():
        assert value.grad is None or not value.grad.any()


def test_without_gradients_gives_the_same(device: torch.device) -> None:
    torch.manual_seed(5)
    given = inputs(device, 2, 6, 16, 3, 2)
    present = torch.ones(1, 6, dtype=torch.bool, device=device).expand(2, -1)
    with torch.no_grad():
        found = fast(given, present, relu=False)
    assert torch.equal(found, fast(given, present, relu=False))
