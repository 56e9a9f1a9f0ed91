"""LN(x + ReLU(conv(x))) along texts: one kernel forward, two and a sum backward."""

from typing import Any

import torch
import triton
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from gata.nn.fused import precision
from gata.nn.fused.convolution_kernels import (
    convolution_backward,
    convolution_forward,
    norm_backward,
)

BLOCK = 32
"""Tokens per program."""
MOST_SUMS = 128
"""So many programs at most add up gradients of the weights, each its part of the tokens; of the
filters, so many for each tap."""


def convolution_layer(values: Tensor, mask: Tensor, along: nn.Conv1d, norm: nn.LayerNorm) -> Tensor:
    """A layer of the text encoder.

    Args:
        values: (texts, length, H), with anything where the mask is false.
        mask: (texts, length) booleans, which tokens are there; the others read as zeros, as does
            what is beyond a text's ends.
        along: the convolution, H filters.
        norm: what follows the residual connection.

    Returns:
        (texts, length, H). What it has where the mask is false is finite and of no use, and
        gradients there are not looked at: most blocks of padding are left out.
    """
    result: Tensor = _ConvolutionLayer.apply(
        values,
        mask,
        along.weight,
        along.bias,
        norm.weight,
        norm.bias,
        norm.eps,
        torch.is_grad_enabled(),
    )
    return result


class _ConvolutionLayer(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        values: Tensor,
        mask: Tensor,
        weight: Tensor,
        bias: Tensor,
        gain: Tensor,
        shift: Tensor,
        eps: float,
        keep: bool,
    ) -> Tensor:
        values, mask = values.contiguous(), mask.contiguous().view(torch.uint8)
        texts, length, hidden = values.shape
        out, convolved = torch.empty_like(values), torch.empty_like(values) if keep else None
        convolution_forward[(triton.cdiv(texts * length, BLOCK),)](
            *(values, mask, weight, bias, gain, shift, convolved, out),
            *(texts * length, length, eps),
            H=hidden,
            KERNEL=weight.shape[2],
            BLOCK=BLOCK,
            KEEP=keep,
            PRECISION=precision(),
        )
        if keep:
            ctx.save_for_backward(values, mask, convolved, weight, gain)
            ctx.eps = eps
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, d_out: Tensor) -> tuple[Tensor | None, ...]:
        values, mask, convolved, weight, gain = ctx.saved_tensors
        texts, length, hidden = values.shape
        rows, kernel = texts * length, weight.shape[2]
        blocks = triton.cdiv(rows, BLOCK)
        programs = min(blocks, MOST_SUMS)
        sizes = [weight.numel(), hidden, hidden, hidden]
        sums = values.new_empty(programs, sum(sizes))
        d_sum, d_convolved = torch.empty_like(values), torch.empty_like(values)
        d_values = torch.empty_like(values)
        shape = {"H": hidden, "KERNEL": kernel, "BLOCK": BLOCK}
        norm_backward[(programs,)](
            *(values, mask, convolved, gain, d_out.contiguous(), d_sum, d_convolved, sums),
            *(rows, length, ctx.eps),
            **shape,
        )
        convolution_backward[(blocks + programs * kernel,)](
            *(values, mask, weight, d_sum, d_convolved, d_values, sums, rows, length, programs),
            **shape,
            PRECISION=precision(),
        )
        d_weight, d_bias, d_gain, d_shift = torch.split(sums.sum(0), sizes)
        return d_values, None, d_weight.view_as(weight), d_bias, d_gain, d_shift, None, None
