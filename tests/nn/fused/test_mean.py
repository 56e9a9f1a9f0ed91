"""The mean's kernels against the plain mean in float64."""

import pytest
import torch

from gata.nn.fused import mean
from gata.nn.masking import Encoded, masked_mean


@pytest.mark.parametrize(("rows", "length"), [(4, 99), (1, 1), (5, 32)])
def test_values_and_gradients_are_those_of_the_mean(
    device: torch.device, rows: int, length: int
) -> None:
    torch.manual_seed(rows)
    values = torch.randn(rows, length, 32, device=device)
    mask = torch.rand(rows, length, device=device) < 0.5
    mask[0] = False
    given = torch.randn(rows, 32, device=device)
    fast, slow = values.clone().requires_grad_(), values.double().requires_grad_()

    result = mean.masked_mean(fast, mask)
    expected = masked_mean(Encoded(slow, mask))

    assert torch.allclose(result.double(), expected, atol=1e-6)
    assert not result[0].any()
    result.backward(given)
    expected.backward(given.double())
    assert fast.grad is not None
    assert slow.grad is not None
    assert torch.allclose(fast.grad.double(), slow.grad, atol=1e-6)
