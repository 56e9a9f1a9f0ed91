"""The kernels of linear layers with layer norm against the plain modules in float64."""

import copy

import pytest
import torch
from torch import Tensor, nn

from gata.nn.fused import norm
from gata.nn.fused.norm import linear_norm, mlp_norm
from tests.nn.fused.comparing import assert_near, assert_near_gradients, assert_near_where
from tests.nn.samples import shaken


class LinearNorm(nn.Module):
    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.linear = nn.Linear(hidden, hidden)
        self.norm = nn.LayerNorm(hidden, eps=1e-3)

    def forward(self, residual: Tensor, values: Tensor) -> Tensor:
        return self.norm(residual + self.linear(values))

    def fast(self, residual: Tensor, values: Tensor, mask: Tensor) -> Tensor:
        return linear_norm(residual, values, mask, self.linear, self.norm)


class MlpNorm(nn.Module):
    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.first = nn.Linear(hidden, hidden)
        self.second = nn.Linear(hidden, hidden)
        self.norm = nn.LayerNorm(hidden, eps=1e-3)

    def forward(self, values: Tensor, mask: Tensor) -> Tensor:
        inner = torch.relu(self.first(values))
        return self.norm(values + self.second(inner)) * mask.unsqueeze(-1)

    def fast(self, values: Tensor, mask: Tensor) -> Tensor:
        return mlp_norm(values, mask, self.first, self.second, self.norm)


def assert_linear(residual: Tensor, values: Tensor, mask: Tensor) -> None:
    module = shaken(LinearNorm(values.shape[-1])).to(values.device)
    slow = copy.deepcopy(module).double()
    given = [x.detach().requires_grad_() for x in (residual, values)]
    slow_given = [x.detach().double().requires_grad_() for x in (residual, values)]
    found, expected = module.fast(*given, mask), slow(*slow_given)
    assert_near_where(found, expected, mask)
    assert_near_gradients(
        found, expected, [*given, *module.parameters()], [*slow_given, *slow.parameters()], mask
    )


def assert_mlp(values: Tensor, mask: Tensor) -> None:
    module = shaken(MlpNorm(values.shape[-1])).to(values.device)
    slow = copy.deepcopy(module).double()
    given, slow_given = values.detach().requires_grad_(), values.double().requires_grad_()
    found, expected = module.fast(given, mask), slow(slow_given, mask)
    assert_near(found, expected)
    assert not found[~mask].any()
    assert_near_gradients(
        found, expected, [given, *module.parameters()], [slow_given, *slow.parameters()]
    )


SHAPES = [(1, 1), (5, 3), (16,), (2, 99), (3, 1, 7)]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_linear_layer_gives_what_the_modules_give(
    device: torch.device, shape: tuple[int, ...]
) -> None:
    torch.manual_seed(sum(shape))
    residual, values = (torch.randn(*shape, 64, device=device) for _ in range(2))
    assert_linear(residual, values, torch.rand(shape, device=device) < 0.7)


@pytest.mark.parametrize("shape", SHAPES)
def test_an_mlp_gives_what_the_modules_give(device: torch.device, shape: tuple[int, ...]) -> None:
    torch.manual_seed(sum(shape))
    mask = torch.rand(shape, device=device) < 0.7
    assert_mlp(torch.randn(*shape, 64, device=device), mask)


@pytest.mark.parametrize("hidden", [16, 64])
def test_vectors_may_be_of_other_sizes(device: torch.device, hidden: int) -> None:
    torch.manual_seed(hidden)
    residual, values = (torch.randn(3, 9, hidden, device=device) for _ in range(2))
    mask = torch.rand(3, 9, device=device) < 0.7
    assert_linear(residual, values, mask)
    assert_mlp(values, mask)


def test_programs_that_take_several_blocks_add_them_up(
    device: torch.device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(norm, "MOST_SUMS", 4)
    torch.manual_seed(1)
    residual, values = (torch.randn(130, 16, device=device) for _ in range(2))
    mask = torch.rand(130, device=device) < 0.7
    # Whole blocks are left out, of some programs all.
    mask[:20], mask[48:64], mask[112:128] = False, False, False
    assert_linear(residual, values, mask)
    assert_mlp(values, mask)


def test_with_nothing_there_all_is_zero(device: torch.device) -> None:
    torch.manual_seed(2)
    residual, values = (torch.randn(2, 9, 16, device=device) for _ in range(2))
    mask = torch.zeros(2, 9, dtype=torch.bool, device=device)
    assert_mlp(values, mask)
    assert_linear(residual, values, mask)


def test_gradients_of_what_is_not_there_are_not_looked_at(device: torch.device) -> None:
    torch.manual_seed(5)
    module = shaken(LinearNorm(16)).to(device)
    sources = [torch.randn(2, 9, 16, device=device, requires_grad=True) for _ in range(2)]
    mask = torch.rand(2, 9, device=device) < 0.7
    given = torch.randn(2, 9, 16, device=device)
    found = []
    for wanted in (given, given * mask.unsqueeze(-1)):
        result = module.fast(*sources, mask)
        found.append(torch.autograd.grad(result, [*sources, *module.parameters()], wanted))
    assert all(torch.equal(one, other) for one, other in zip(*found, strict=True))


def test_views_are_read_rightly(device: torch.device) -> None:
    torch.manual_seed(3)
    residual, values = (torch.randn(7, 5, 16, device=device).transpose(0, 1) for _ in range(2))
    mask = (torch.rand(7, 5, device=device) < 0.7).T
    assert_linear(residual, values, mask)
    assert_mlp(values, mask)


def test_without_gradients_the_values_are_the_same(device: torch.device) -> None:
    torch.manual_seed(4)
    residual, values = (torch.randn(2, 9, 16, device=device) for _ in range(2))
    mask = torch.rand(2, 9, device=device) < 0.7
    linear, mlp = shaken(LinearNorm(16)).to(device), shaken(MlpNorm(16)).to(device)
    with torch.no_grad():
        found = linear.fast(residual, values, mask), mlp.fast(values, mask)
    linear, mlp = linear.double(), mlp.double()
    assert not any(f.requires_grad for f in found)
    assert_near_where(found[0], linear(residual.double(), values.double()), mask)
    assert_near(found[1], mlp(values.double(), mask))
