"""The mean of the vectors that are there: one kernel each way."""

from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor
from torch.autograd.function import once_differentiable

from gata.nn.fused.tiles import load_rows, store_rows

BLOCK = 32
"""Vectors at a time."""


def masked_mean(values: Tensor, mask: Tensor) -> Tensor:
    """The mean over each row of what the mask says is there, zero where nothing is.

    Args:
        values: (rows, length, H).
        mask: (rows, length) booleans.

    Returns:
        (rows, H).
    """
    result: Tensor = _MaskedMean.apply(values, mask)
    return result


class _MaskedMean(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, values: Tensor, mask: Tensor) -> Tensor:
        values, mask = values.contiguous(), mask.contiguous().view(torch.uint8)
        rows, length, hidden = values.shape
        out = values.new_empty(rows, hidden)
        _forward[(rows,)](values, mask, out, length, H=hidden, BLOCK=BLOCK)
        ctx.save_for_backward(mask)
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, d_out: Tensor) -> tuple[Tensor | None, ...]:
        (mask,) = ctx.saved_tensors
        rows, length = mask.shape
        d_values = d_out.new_empty(rows, length, d_out.shape[1])
        _backward[(rows,)](
            mask, d_out.contiguous(), d_values, length, H=d_out.shape[1], BLOCK=BLOCK
        )
        return d_values, None


@triton.jit(do_not_specialize=["length"])
def _forward(values, mask, out, length, H: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, H)
    total = tl.zeros((H,), tl.float32)
    count = 0.0
    for start in tl.range(0, length, BLOCK, num_stages=1):
        place = start + tl.arange(0, BLOCK)
        there = tl.load(mask + row * length + place, mask=place < length, other=0) != 0
        total += tl.sum(load_rows(values, row * length + place, there, H, H), 0)
        count += tl.sum(there.to(tl.float32), 0)
    tl.store(out + row * H + column, total / tl.maximum(count, 1.0))


@triton.jit(do_not_specialize=["length"])
def _backward(mask, d_out, d_values, length, H: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, H)
    count = 0.0
    for start in tl.range(0, length, BLOCK, num_stages=1):
        place = start + tl.arange(0, BLOCK)
        there = tl.load(mask + row * length + place, mask=place < length, other=0) != 0
        count += tl.sum(there.to(tl.float32), 0)
    share = tl.load(d_out + row * H + column) / tl.maximum(count, 1.0)
    for start in tl.range(0, length, BLOCK, num_stages=1):
        place = start + tl.arange(0, BLOCK)
        there = tl.load(mask + row * length + place, mask=place < length, other=0) != 0
        given = tl.where(there[:, None], share[None, :], 0.0)
        store_rows(d_values, row * length + place, place < length, given, H, H)
