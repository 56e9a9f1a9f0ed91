"""The kernels of ``gata.nn.fused.attention``."""

import triton
import triton.language as tl

from gata.nn.fused.tiles import end_of, load_rows, multiply, store_rows

LOWEST = tl.constexpr(-1e30)
"""The logit of what is not there: finite, so that two of them have a difference."""


@triton.jit
def _end(mask, mask_step, length, OWN: tl.constexpr, WIDTH: tl.constexpr):
    """How far to look: to the last vector that is there; nowhere, if the own ones are behind it."""
    end = end_of(mask, mask_step, length, WIDTH)
    return tl.where(tl.program_id(1) * OWN < end, end, 0)


@triton.jit(do_not_specialize=["mask_batch", "mask_step", "length"])
def attention_forward(
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
    WIDTH: tl.constexpr,
    PRECISION: tl.constexpr,
):
    """What a block of rows sees, and the logarithms of their sums (``levels``)."""
    row = tl.program_id(0)
    own = tl.program_id(1) * OWN + tl.arange(0, OWN)
    projected += row * length * 3 * H
    mask += row * mask_batch
    end = _end(mask, mask_step, length, OWN, WIDTH)
    queries = load_rows(projected, own, own < length, 3 * H, H) * scale
    highest = tl.full([OWN], LOWEST, tl.float32)
    total = tl.zeros([OWN], tl.float32)
    result = tl.zeros([OWN, H], tl.float32)
    for start in range(0, end, OTHER):
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
    # What sees nothing has zeros already. With this level it gives nobody anything on the way back,
    # however large its logits are there: such rows can stand beside others in a block.
    nothing = total == 0.0
    total = tl.where(nothing, 1.0, total)
    highest = tl.where(nothing, float("inf"), highest)
    store_rows(seen + row * length * H, own, own < length, result / total[:, None], H, H)
    tl.store(levels + row * length + own, highest + tl.log(total), mask=own < length)


@triton.jit(do_not_specialize=["mask_batch", "mask_step", "length"])
def attention_backward(
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
    WIDTH: tl.constexpr,
    PRECISION: tl.constexpr,
):
    """Gradients of a block's queries, keys and values."""
    row = tl.program_id(0)
    own = tl.program_id(1) * OWN + tl.arange(0, OWN)
    projected += row * length * 3 * H
    d_projected += row * length * 3 * H
    mask += row * mask_batch
    seen += row * length * H
    d_seen += row * length * H
    levels += row * length
    end = _end(mask, mask_step, length, OWN, WIDTH)
    d_queries = _of_queries(
        *(projected, mask, seen, levels, d_seen, own, mask_step, length, end, scale),
        *(H, OWN, OTHER, PRECISION),
    )
    store_rows(d_projected, own, own < length, d_queries, 3 * H, H)
    d_keys, d_values = _of_memory(
        *(projected, mask, seen, levels, d_seen, own, mask_step, length, end, scale),
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
    end,
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
    for start in range(0, end, OTHER):
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
    end,
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
    for start in range(0, end, OTHER):
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
