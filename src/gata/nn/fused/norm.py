"""Linear layers with the residual connection and layer norm after them: one kernel each way.

Backward the layers are calculated again. Each program adds up the gradients of the parameters over
its part of the rows, and one sum over the programs follows.
"""

from typing import Any

import torch
import triton
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from gata.nn.fused import norm_kernels as kernels
from gata.nn.fused import precision

BLOCK = 16
"""Rows that a program takes at a time."""
MOST_SUMS = 132
"""So many programs at most add up gradients of the parameters; an H200 runs as many at once."""


def linear_norm(
    residual: Tensor, values: Tensor, mask: Tensor, linear: nn.Linear, norm: nn.LayerNorm
) -> Tensor:
    """LN(residual + linear(values)).

    Args:
        residual: (..., H).
        values: (..., H).
        mask: (...) booleans, which vectors are there.
        linear: from H to H, with a bias.
        norm: over H.

    Returns:
        (..., H). Where nothing is there it is finite and of no use, and gradients are not looked
        at: most blocks of padding are left out.
    """
    result: Tensor = _LinearNorm.apply(
        residual, values, mask, linear.weight, linear.bias, norm.weight, norm.bias, norm.eps
    )
    return result


def mlp_norm(
    values: Tensor, mask: Tensor, first: nn.Linear, second: nn.Linear, norm: nn.LayerNorm
) -> Tensor:
    """LN(values + second(ReLU(first(values)))), and zeros where nothing is there.

    Args:
        values: (..., H).
        mask: (...) booleans, which vectors are there.
        first: from H to H, with a bias.
        second: likewise.
        norm: over H.

    Returns:
        (..., H).
    """
    result: Tensor = _MlpNorm.apply(
        *(values, mask, first.weight, first.bias, second.weight, second.bias),
        *(norm.weight, norm.bias, norm.eps),
    )
    return result


class _LinearNorm(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        residual: Tensor,
        values: Tensor,
        mask: Tensor,
        weight: Tensor,
        bias: Tensor,
        gain: Tensor,
        shift: Tensor,
        eps: float,
    ) -> Tensor:
        residual, values = residual.contiguous(), values.contiguous()
        mask = mask.contiguous().view(torch.uint8)
        result = torch.empty_like(values)
        rows = mask.numel()
        kernels.linear_forward[(triton.cdiv(rows, BLOCK),)](
            *(residual, values, mask, weight, bias, gain, shift, result, rows, eps),
            **_options(values),
        )
        ctx.save_for_backward(residual, values, mask, weight, bias, gain)
        ctx.eps = eps
        return result

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, d_result: Tensor) -> tuple[Tensor | None, ...]:
        residual, values, mask, weight, bias, gain = ctx.saved_tensors
        d_residual, d_values = torch.empty_like(residual), torch.empty_like(values)
        sums = _sums(values, matrices=1, vectors=3)
        kernels.linear_backward[(len(sums),)](
            *(residual, values, mask, weight, bias, gain, d_result.contiguous()),
            *(d_residual, d_values, sums, mask.numel(), ctx.eps),
            **_options(values),
        )
        return d_residual, d_values, None, *_parameters(sums, weight.shape[0], 1), None


class _MlpNorm(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        values: Tensor,
        mask: Tensor,
        first: Tensor,
        first_bias: Tensor,
        second: Tensor,
        second_bias: Tensor,
        gain: Tensor,
        shift: Tensor,
        eps: float,
    ) -> Tensor:
        values, mask = values.contiguous(), mask.contiguous().view(torch.uint8)
        result = torch.empty_like(values)
        rows = mask.numel()
        kernels.mlp_forward[(triton.cdiv(rows, BLOCK),)](
            *(values, mask, first, first_bias, second, second_bias, gain, shift, result),
            *(rows, eps),
            **_options(values),
        )
        ctx.save_for_backward(values, mask, first, first_bias, second, second_bias, gain)
        ctx.eps = eps
        return result

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, d_result: Tensor) -> tuple[Tensor | None, ...]:
        values, mask, first, first_bias, second, second_bias, gain = ctx.saved_tensors
        d_values = torch.empty_like(values)
        sums = _sums(values, matrices=2, vectors=4)
        kernels.mlp_backward[(len(sums),)](
            *(values, mask, first, first_bias, second, second_bias, gain, d_result.contiguous()),
            *(d_values, sums, mask.numel(), ctx.eps),
            **_options(values),
        )
        return d_values, None, *_parameters(sums, first.shape[0], 2), None


def _options(values: Tensor) -> dict[str, Any]:
    # One stage: with a few blocks to a program there is little to be had from fetching ahead.
    return {
        "H": values.shape[-1],
        "BLOCK": BLOCK,
        "PRECISION": precision(),
        "num_warps": 8,
        "num_stages": 1,
    }


def _sums(values: Tensor, *, matrices: int, vectors: int) -> Tensor:
    """Room for each program's gradients of the parameters: (programs, numbers)."""
    hidden = values.shape[-1]
    programs = min(MOST_SUMS, triton.cdiv(values.numel() // hidden, BLOCK))
    return values.new_empty(programs, matrices * hidden * hidden + vectors * hidden)


def _parameters(sums: Tensor, hidden: int, layers: int) -> list[Tensor]:
    """Gradients in the parameters' order: each layer's weight and bias, the norm's gain, shift."""
    matrix = hidden * hidden
    parts = sums.sum(0).split([*[matrix, hidden] * layers, hidden, hidden])
    return [part.view(hidden, -1) if part.numel() == matrix else part for part in parts]
