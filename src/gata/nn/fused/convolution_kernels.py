"""The kernels of ``gata.nn.fused.convolution``."""

import triton
import triton.language as tl

from gata.nn.fused.tiles import (
    any_there,
    load_rows,
    multiply,
    normalise,
    normalise_gradient,
    relu,
    store_rows,
)


@triton.jit
def _present(mask, row, offset, rows, length):
    """Whether there is a token ``offset`` places after some, in the same text."""
    place = row % length + offset
    inside = (row < rows) & (place >= 0) & (place < length)
    return inside & (tl.load(mask + row + offset, mask=inside, other=0) != 0)


@triton.jit
def _neighbours(values, mask, row, offset, rows, length, H: tl.constexpr):
    """The tokens ``offset`` places after some, zeros where there are none: (BLOCK, H)."""
    there = _present(mask, row, offset, rows, length)
    return load_rows(values, row + offset, there, H, H)


@triton.jit(do_not_specialize=["rows", "length"])
def convolution_forward(
    values,
    mask,
    weight,
    bias,
    gain,
    shift,
    convolved,
    out,
    rows,
    length,
    eps,
    H: tl.constexpr,
    KERNEL: tl.constexpr,
    BLOCK: tl.constexpr,
    KEEP: tl.constexpr,
    PRECISION: tl.constexpr,
):
    """LN(x + ReLU(conv(x))) of a block of tokens; conv(x) is written if KEEP says so."""
    row = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    column = tl.arange(0, H)
    if any_there(mask, row, rows):
        own = _neighbours(values, mask, row, 0, rows, length, H)
        sums = tl.zeros_like(own) + tl.load(bias + column)[None, :]
        for tap in tl.range(0, KERNEL, num_stages=1):
            near = _neighbours(values, mask, row, tap - KERNEL // 2, rows, length, H)
            # In memory filters are (out, in, tap), all of which is read in time. Threads next to
            # each other read what is next but for the taps, and so few lines of memory at once.
            filters = tl.load(weight + (column[:, None] * H + column[None, :]) * KERNEL + tap)
            sums += multiply(near, tl.trans(filters), PRECISION)
        if KEEP:
            store_rows(convolved, row, row < rows, sums, H, H)
        normed, _ = normalise(own + relu(sums), eps, H)
        result = normed * tl.load(gain + column)[None, :] + tl.load(shift + column)[None, :]
        store_rows(out, row, row < rows, result, H, H)
    else:
        store_rows(out, row, row < rows, tl.zeros((BLOCK, H), tl.float32), H, H)


@triton.jit(do_not_specialize=["rows", "length"])
def norm_backward(
    values,
    mask,
    convolved,
    gain,
    d_out,
    d_sum,
    d_convolved,
    sums,
    rows,
    length,
    eps,
    H: tl.constexpr,
    KERNEL: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """Back through layer norm and ReLU; each program takes every so manieth block of tokens."""
    column = tl.arange(0, H)
    scaling = tl.load(gain + column)[None, :]
    d_bias = tl.zeros((H,), tl.float32)
    d_gain = tl.zeros((H,), tl.float32)
    d_shift = tl.zeros((H,), tl.float32)
    for block in range(tl.program_id(0), tl.cdiv(rows, BLOCK), tl.num_programs(0)):
        row = block * BLOCK + tl.arange(0, BLOCK)
        if any_there(mask, row, rows):
            own = _neighbours(values, mask, row, 0, rows, length, H)
            active = load_rows(convolved, row, row < rows, H, H)
            given = _neighbours(d_out, mask, row, 0, rows, length, H)
            normed, rate = normalise(own + relu(active), eps, H)
            d_gain += tl.sum(given * normed, 0)
            d_shift += tl.sum(given, 0)
            d_summed = normalise_gradient(normed, rate, given * scaling, H)
            d_active = tl.where(active > 0, d_summed, 0.0)
            d_bias += tl.sum(d_active, 0)
            store_rows(d_sum, row, row < rows, d_summed, H, H)
            store_rows(d_convolved, row, row < rows, d_active, H, H)
    mine = sums + tl.program_id(0) * (H * H * KERNEL + 3 * H) + H * H * KERNEL + column
    tl.store(mine, d_bias)
    tl.store(mine + H, d_gain)
    tl.store(mine + 2 * H, d_shift)


@triton.jit(do_not_specialize=["rows", "length", "programs"])
def convolution_backward(
    values,
    mask,
    weight,
    d_sum,
    d_convolved,
    d_values,
    sums,
    rows,
    length,
    programs,
    H: tl.constexpr,
    KERNEL: tl.constexpr,
    BLOCK: tl.constexpr,
    PRECISION: tl.constexpr,
):
    """Two works in one launch: blocks of tokens, then the taps of the filters.

    ``d_sum`` and ``d_convolved`` are read where tokens are there: elsewhere nothing may be written.
    """
    number = tl.program_id(0)
    column = tl.arange(0, H)
    blocks = tl.cdiv(rows, BLOCK)
    if number < blocks:
        row = number * BLOCK + tl.arange(0, BLOCK)
        result = _neighbours(d_sum, mask, row, 0, rows, length, H)
        if any_there(mask, row, rows):
            for tap in tl.range(0, KERNEL, num_stages=1):
                near = _neighbours(d_convolved, mask, row, KERNEL // 2 - tap, rows, length, H)
                filters = tl.load(weight + (column[:, None] * H + column[None, :]) * KERNEL + tap)
                result += multiply(near, filters, PRECISION)
            there = _present(mask, row, 0, rows, length)
            result = tl.where(there[:, None], result, 0.0)
        store_rows(d_values, row, row < rows, result, H, H)
    else:
        tap = (number - blocks) % KERNEL
        share = (number - blocks) // KERNEL
        d_filters = tl.zeros((H, H), tl.float32)
        for block in tl.range(share, blocks, programs, num_stages=1):
            row = block * BLOCK + tl.arange(0, BLOCK)
            if any_there(mask, row, rows):
                given = _neighbours(d_convolved, mask, row, 0, rows, length, H)
                near = _neighbours(values, mask, row, tap - KERNEL // 2, rows, length, H)
                d_filters += multiply(tl.trans(given), near, PRECISION)
        mine = sums + share * (H * H * KERNEL + 3 * H) + tap
        tl.store(mine + (column[:, None] * H + column[None, :]) * KERNEL, d_filters)
