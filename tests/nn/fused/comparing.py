"""Fast results against slow ones in float64."""

from collections.abc import Sequence

import pytest
import torch
from torch import Tensor

of_the_paper = pytest.mark.skipif(
    not torch.cuda.is_available(), reason="the interpreter takes a minute for the paper's sizes"
)
NOTHING = 1e-5
"""Found where nothing is expected."""


def assert_near(found: Tensor, expected: Tensor, named: str = "") -> None:
    """Within what float32 can tell, or where a GPU multiplies with TF32, what that can."""
    close = 1e-5 if torch.get_float32_matmul_precision() == "highest" else 5e-3
    assert found.shape == expected.shape, named
    error = (found.detach().double() - expected.detach()).norm()
    # Where nothing is expected, rounding may leave something next to nothing.
    assert error <= close * expected.detach().norm() + NOTHING, named


def assert_near_where(found: Tensor, expected: Tensor, mask: Tensor) -> None:
    """As above of the vectors that are there; the others are numbers at least."""
    assert_near(found[mask], expected[mask])
    assert found.isfinite().all()


def assert_near_gradients(
    found: Tensor,
    expected: Tensor,
    fast: Sequence[Tensor],
    slow: Sequence[Tensor],
    mask: Tensor | None = None,
) -> None:
    """The same random weighting of two results has the same gradients of what they came from.

    With a mask only the vectors count that are there.
    """
    weights = torch.randn_like(found)
    if mask is not None:
        weights[~mask] = 0
    one = torch.autograd.grad(found, fast, weights)
    other = torch.autograd.grad(expected, slow, weights.double())
    for i, (left, right) in enumerate(zip(one, other, strict=True)):
        assert_near(left, right, f"gradient {i}")
