"""The kernels of self-attention against the plain formula in float64."""

import pytest
import torch
from torch import Tensor

from gata.nn.attention import KeysValues, attend
from gata.nn.fused.attention import attend_to_itself
from tests.nn.fused.comparing import assert_near_gradients, assert_near_where


def plain(projected: Tensor, mask: Tensor) -> Tensor:
    queries, keys, values = projected.chunk(3, -1)
    return attend(queries, KeysValues(keys, values), mask.unsqueeze(-2))[0]


def assert_as_plain(projected: Tensor, mask: Tensor) -> Tensor:
    fast, slow = projected.clone().requires_grad_(), projected.double().requires_grad_()
    found, expected = attend_to_itself(fast, mask), plain(slow, mask)
    assert_near_where(found, expected, mask)
    assert_near_gradients(found, expected, [fast], [slow], mask)
    return found


# Around the sizes of blocks: one, part of one, one just full, one and a bit, several.
@pytest.mark.parametrize("length", [1, 8, 16, 17, 32, 33, 64, 99, 150])
def test_values_and_gradients_are_those_of_the_formula(device: torch.device, length: int) -> None:
    torch.manual_seed(length)
    projected = torch.randn(3, length, 3 * 64, device=device)
    assert_as_plain(projected, torch.rand(3, length, device=device) < 0.7)


@pytest.mark.parametrize("hidden", [16, 64])
def test_vectors_may_be_of_other_sizes(device: torch.device, hidden: int) -> None:
    torch.manual_seed(hidden)
    projected = torch.randn(2, 70, 3 * hidden, device=device)
    assert_as_plain(projected, torch.rand(2, 70, device=device) < 0.5)


def test_a_text_with_nothing_there_sees_nothing(device: torch.device) -> None:
    torch.manual_seed(1)
    mask = torch.arange(40, device=device) < torch.tensor([[40], [0], [3]], device=device)
    found = assert_as_plain(torch.randn(3, 40, 3 * 32, device=device), mask)
    assert not found[1].any()


def test_blocks_of_padding_see_nothing(device: torch.device) -> None:
    torch.manual_seed(6)
    mask = torch.arange(150, device=device) < torch.tensor([[150], [33], [3]], device=device)
    found = assert_as_plain(torch.randn(3, 150, 3 * 16, device=device), mask)
    # Blocks are of 32 vectors here.
    assert not found[1, 64:].any()
    assert not found[2, 32:].any()


def test_whole_blocks_may_be_missing_before_what_is_there(device: torch.device) -> None:
    torch.manual_seed(2)
    mask = torch.arange(140, device=device).expand(1, -1) >= 130
    assert_as_plain(torch.randn(1, 140, 3 * 16, device=device), mask)


def test_large_logits_neither_overflow_nor_vanish(device: torch.device) -> None:
    torch.manual_seed(3)
    projected = torch.randn(2, 70, 3 * 16, device=device)
    projected[..., :16] *= 100
    fast, slow = projected.clone().requires_grad_(), projected.double().requires_grad_()
    mask = torch.ones(2, 70, dtype=torch.bool, device=device)
    found, expected = attend_to_itself(fast, mask), plain(slow, mask)
    # Logits of hundreds have lost digits before any exponential is taken.
    torch.testing.assert_close(found.double(), expected, rtol=0, atol=0.5)
    (gradient,) = torch.autograd.grad(found.sum(), fast)
    assert gradient.isfinite().all()


@pytest.mark.parametrize("hidden", [16, 64])
def test_padding_gives_nothing_on_the_way_back_however_large_it_is(
    device: torch.device, hidden: int
) -> None:
    torch.manual_seed(7)
    projected = torch.randn(1, 64, 3 * hidden, device=device)
    # Of two blocks that are read at once, the second is left out.
    mask = torch.arange(64, device=device).unsqueeze(0) < 10
    projected[:, 10:] *= 1_000
    assert_as_plain(projected, mask)


def test_a_mask_shared_by_all_or_laid_out_otherwise_is_read_rightly(device: torch.device) -> None:
    torch.manual_seed(4)
    projected = torch.randn(3, 20, 3 * 16, device=device)
    assert_as_plain(projected, (torch.rand(20, device=device) < 0.5).expand(3, -1))
    assert_as_plain(projected, (torch.rand(20, 3, device=device) < 0.5).T)
    projected = torch.randn(3, 80, 3 * 16, device=device)
    starts = torch.tensor([75, 40, 78], device=device)
    assert_as_plain(projected, (torch.arange(80, device=device).unsqueeze(1) >= starts).T)


def test_without_gradients_the_values_are_the_same(device: torch.device) -> None:
    torch.manual_seed(5)
    projected = torch.randn(2, 40, 3 * 16, device=device)
    mask = torch.rand(2, 40, device=device) < 0.5
    with torch.no_grad():
        found = attend_to_itself(projected, mask)
    assert not found.requires_grad
    assert_near_where(found, plain(projected.double(), mask), mask)
