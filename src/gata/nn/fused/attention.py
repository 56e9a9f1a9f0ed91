"""Self-attention of texts or graphs: one kernel forward, one backward.

The weights are nowhere stored: a program takes a block of rows and meets the others block by block,
forward with the running maximum and sum of FlashAttention (Dao et al., 2022), backward with the
logarithm of each row's sum.
"""

import math
from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor
from torch.autograd.function import once_differentiable

from gata.nn.fused import precision
from gata.nn.fused.tiles import load_rows, multiply, store_rows

LOWEST = tl.constexpr(-1e30)
"""The logit of what is not there: finite, so that two of them have a difference."""


def attend_to_itself(projected: Tensor, mask: Tensor) -> Tensor:
    """What vectors see of those in the same row, as ``gata.nn.attention.attend`` has it.

    Args:
        projected: (batch, length, 3 H), each vector's query, key and value.
        mask: (batch, length) booleans, which of them are there to be seen.

    Returns:
        (batch, length, H), zero where nothing is there to be seen.
    """
    result: Tensor = _AttendToItself.apply(projected, mask)
    return result


class _AttendToItself(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, projected: Tensor, mask: Tensor) -> Tensor:
        projected, mask = projected.contiguous(), mask.view(torch.uint8)
        batch, length, width = projected.shape
        seen = projected.new_empty(batch, length, width // 3)
        levels = projected.new_empty(batch, length)
        grid, options = _launch(projected)
        _forward[grid](
            *(projected, mask, seen, levels, *mask.stride(), length, _scale(projected)), **options
        )
        ctx.save_for_backward(projected, mask, seen, levels)
        return seen

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, d_seen: Tensor) -> tuple[Tensor | None, ...]:
        projected, mask, seen, levels = ctx.saved_tensors
        d_projected = torch.empty_like(projected)
        grid, options = _launch(projected)
        _backward[grid](
            *(projected, mask, seen, levels, d_seen.contiguous(), d_projected, *mask.stride()),
            *(projected.shape[1], _scale(projected)),
            **options,
        )
        return d_projected, None


def _scale(projected: Tensor) -> float:
    return 1 / math.sqrt(projected.shape[-1] // 3)


def _launch(projected: Tensor) -> tuple[tuple[int, int], dict[str, Any]]:
    """The grid, and what the kernels are compiled for: short texts get small blocks."""
    batch, length, width = projected.shape
    hidden = width // 3
    own = 16 if length <= 32 else 32
    # As many as shared memory has room for.
    other = min(max(16, triton.next_power_of_2(length)), 64, 4096 // hidden)
    options = {
        "H": hidden,
        "OWN": own,
        "OTHER": other,
        "PRECISION": precision(),
        "num_warps": own // 4,
        "num_stages": 1 if length <= other else 2,
    }
    return (batch, triton.cdiv(length, own)), options


@triton.jit(do_not_specialize=["mask_batch", "mask_step", "length"])
def _forward(
    projected,
    mask,
    seen,
    levels,
    mask_batch,
    mask_step,
    length,
    scale,
    H: tl.constexpr,
    OWN: tl.constexpr,
    OTHER: tl.constexpr,
    PRECISION: tl.constexpr,
):
    row = tl.program_id(0)
    own = tl.program_id(1) * OWN + tl.arange(0, OWN)
    projected += row * length * 3 * H
    mask += row * mask_batch
    queries = load_rows(projected, own, own < length, 3 * H, H) * scale
    highest = tl.full([OWN], LOWEST, tl.float32)
    total = tl.zeros([OWN], tl.float32)
    result = tl.zeros([OWN, H], tl.float32)
    for start in range(0, length, OTHER):
        other = start + tl.arange(0, OTHER)
        there = tl.load(mask + other * mask_step, mask=other < length, other=0)[None, :] != 0
        keys = load_rows(projected + H, other, other < length, 3 * H, H)
        values = load_rows(projected + 2 * H, other, other < length, 3 * H, H)
        logits = multiply(queries, tl.trans(keys), PRECISION)
        logits = tl.where(there, logits, LOWEST)
        higher = tl.maximum(highest, tl.max(logits, 1))
        weights = tl.where(there, tl.exp(logits - higher[:, None]), 0.0)
        shrink = tl.exp(highest - higher)
        total = total * shrink + tl.sum(weights, 1)
        result = result * shrink[:, None] + multiply(weights, values, PRECISION)
        highest = higher
    # Where nothing is there the result is zero already, and the level is of no use.
    total = tl.where(total > 0, total, 1.0)
    highest = tl.where(highest > LOWEST, highest, 0.0)
    store_rows(seen + row * length * H, own, own < length, result / total[:, None], H, H)
    tl.store(levels + row * length + own, highest + tl.log(total), mask=own < length)


@triton.jit(do_not_specialize=["mask_batch", "mask_step", "length"])
def _backward(
    projected,
    mask,
    seen,
    levels,
    d_seen,
    d_projected,
    mask_batch,
    mask_step,
    length,
    scale,
    H: tl.constexpr,
    OWN: tl.constexpr,
    OTHER: tl.constexpr,
    PRECISION: tl.constexpr,
):
    row = tl.program_id(0)
    own = tl.program_id(1) * OWN + tl.arange(0, OWN)
    projected += row * length * 3 * H
    d_projected += row * length * 3 * H
    mask += row * mask_batch
    seen += row * length * H
    d_seen += row * length * H
    levels += row * length
    d_queries = _of_queries(
        *(projected, mask, seen, levels, d_seen, own, mask_step, length, scale),
        *(H, OWN, OTHER, PRECISION),
    )
    store_rows(d_projected, own, own < length, d_queries, 3 * H, H)
    d_keys, d_values = _of_memory(
        *(projected, mask, seen, levels, d_seen, own, mask_step, length, scale),
        *(H, OWN, OTHER, PRECISION),
    )
    store_rows(d_projected + H, own, own < length, d_keys, 3 * H, H)
    store_rows(d_projected + 2 * H, own, own < length, d_values, 3 * H, H)


@triton.jit
def _of_queries(
    projected,
    mask,
    seen,
    levels,
    d_seen,
    own,
    mask_step,
    length,
    scale,
    H: tl.constexpr,
    OWN: tl.constexpr,
    OTHER: tl.constexpr,
    PRECISION: tl.constexpr,
):
    """Gradients of a block's queries, which meet all keys and values."""
    queries = load_rows(projected, own, own < length, 3 * H, H) * scale
    d_own = load_rows(d_seen, own, own < length, H, H)
    mean = tl.sum(d_own * load_rows(seen, own, own < length, H, H), 1)
    level = tl.load(levels + own, mask=own < length, other=0.0)
    d_queries = tl.zeros([OWN, H], tl.float32)
    for start in range(0, length, OTHER):
        other = start + tl.arange(0, OTHER)
        there = tl.load(mask + other * mask_step, mask=other < length, other=0)[None, :] != 0
        keys = load_rows(projected + H, other, other < length, 3 * H, H)
        values = load_rows(projected + 2 * H, other, other < length, 3 * H, H)
        logits = multiply(queries, tl.trans(keys), PRECISION)
        weights = tl.where(there, tl.exp(logits - level[:, None]), 0.0)
        d_weights = multiply(d_own, tl.trans(values), PRECISION)
        d_logits = weights * (d_weights - mean[:, None])
        d_queries += multiply(d_logits, keys, PRECISION)
    return d_queries * scale


@triton.jit
def _of_memory(
    projected,
    mask,
    seen,
    levels,
    d_seen,
    own,
    mask_step,
    length,
    scale,
    H: tl.constexpr,
    OWN: tl.constexpr,
    OTHER: tl.constexpr,
    PRECISION: tl.constexpr,
):
    """Gradients of a block's keys and values, which meet all queries."""
    there = tl.load(mask + own * mask_step, mask=own < length, other=0)[:, None] != 0
    keys = load_rows(projected + H, own, own < length, 3 * H, H) * scale
    values = load_rows(projected + 2 * H, own, own < length, 3 * H, H)
    d_keys = tl.zeros([OWN, H], tl.float32)
    d_values = tl.zeros([OWN, H], tl.float32)
    for start in range(0, length, OTHER):
        other = start + tl.arange(0, OTHER)
        queries = load_rows(projected, other, other < length, 3 * H, H)
        d_other = load_rows(d_seen, other, other < length, H, H)
        mean = tl.sum(d_other * load_rows(seen, other, other < length, H, H), 1)
        level = tl.load(levels + other, mask=other < length, other=0.0)
        logits = multiply(keys, tl.trans(queries), PRECISION)
        weights = tl.where(there, tl.exp(logits - level[None, :]), 0.0)
        d_weights = multiply(values, tl.trans(d_other), PRECISION)
        # Queries beyond the end have a d_other and a mean of zero, and so add nothing.
        d_logits = weights * (d_weights - mean[None, :])
        d_values += multiply(weights, d_other, PRECISION)
        d_keys += multiply(d_logits, queries, PRECISION)
    return d_keys * scale, d_values
