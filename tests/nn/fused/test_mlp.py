"""Two layers in one kernel against torch's in float64."""

import copy

import pytest
import torch
from torch import Tensor, nn

from gata.nn.fused import mlp
from tests.nn.fused.comparing import assert_near, assert_near_gradients


def layers(hidden: int, device: torch.device) -> nn.Sequential:
    return nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, hidden)).to(device)


def pair(*shape: int, device: torch.device) -> tuple[Tensor, Tensor]:
    fast = torch.randn(*shape, device=device, requires_grad=True)
    return fast, fast.detach().double().requires_grad_()


# Part of a block, just one, several for some programs, and vectors of several dimensions.
@pytest.mark.parametrize("shape", [(1, 64), (32, 64), (2, 37, 32), (3, 450, 16)])
def test_values_and_gradients_are_those_of_the_layers(
    device: torch.device, shape: tuple[int, ...]
) -> None:
    module = layers(shape[-1], device)
    reference = copy.deepcopy(module).double()
    fast, slow = pair(*shape, device=device)
    found, expected = mlp.two_layers(fast, module), reference(slow)
    assert_near(found, expected)
    assert_near_gradients(
        found, expected, [fast, *module.parameters()], [slow, *reference.parameters()]
    )


# The first more than the second and the other way round: programs of one kind run out of rows.
@pytest.mark.parametrize(("rows", "others"), [(50, 3), (3, 50), (7, 7)])
def test_two_kinds_at_once_have_weights_of_their_own(
    device: torch.device, rows: int, others: int
) -> None:
    modules = layers(16, device), layers(16, device)
    references = [copy.deepcopy(module).double() for module in modules]
    inputs = pair(2, rows, 16, device=device), pair(others, 16, device=device)
    (first, slow_first), (second, slow_second) = inputs
    found = mlp.two_layers_each(first, modules[0], second, modules[1])
    expected = references[0](slow_first), references[1](slow_second)
    for left, right in zip(found, expected, strict=True):
        assert_near(left, right)
    assert_near_gradients(
        torch.cat([result.flatten() for result in found]),
        torch.cat([result.flatten() for result in expected]),
        [first, second, *modules[0].parameters(), *modules[1].parameters()],
        [slow_first, slow_second, *references[0].parameters(), *references[1].parameters()],
    )


def test_two_kinds_may_share_weights(device: torch.device) -> None:
    module = layers(16, device)
    reference = copy.deepcopy(module).double()
    (first, slow_first), (second, slow_second) = (pair(5, 16, device=device) for _ in range(2))
    found = torch.cat(mlp.two_layers_each(first, module, second, module))
    expected = torch.cat([reference(slow_first), reference(slow_second)])
    assert_near_gradients(
        found,
        expected,
        [first, second, *module.parameters()],
        [slow_first, slow_second, *reference.parameters()],
    )


def test_vectors_need_not_lie_side_by_side(device: torch.device) -> None:
    module = layers(16, device)
    fast, slow = pair(6, 5, 16, device=device)
    found = mlp.two_layers(fast.transpose(0, 1), module)
    expected = copy.deepcopy(module).double()(slow.transpose(0, 1))
    assert_near(found, expected)
    # A gradient that is the same for all rows comes as one row.
    one = torch.autograd.grad(found.sum(), fast)[0]
    assert_near(one, torch.autograd.grad(expected.sum(), slow)[0])


def test_no_gradients_where_none_are_wanted(device: torch.device) -> None:
    module = layers(16, device)
    values = torch.randn(9, 16, device=device)
    with torch.no_grad():
        result = mlp.two_layers(values, module)
    assert not result.requires_grad
    assert_near(result, copy.deepcopy(module).double()(values.double()))


def test_products_of_lower_precision_are_near(
    device: torch.device, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = layers(16, device)
    reference = copy.deepcopy(module).double()
    fast, slow = pair(40, 16, device=device)
    exact = mlp.two_layers(fast, module)
    monkeypatch.setattr(mlp, "precision", lambda: "tf32")
    rough, expected = mlp.two_layers(fast, module), reference(slow)
    assert not torch.equal(rough, exact)
    assert (rough - expected).norm() < 2e-3 * expected.norm()
