"""The kernels of ``gata.nn.fused.norm``."""

import triton
import triton.language as tl

from gata.nn.fused.tiles import (
    any_there,
    linear,
    load_matrix,
    load_rows,
    multiply,
    normalise,
    normalise_gradient,
    relu,
    store_matrix,
    store_rows,
)


@triton.jit
def _there(mask, rows, count):
    """Which rows are there: booleans."""
    return tl.load(mask + rows, mask=rows < count, other=0) != 0


@triton.jit(do_not_specialize=["count"])
def linear_forward(
    residual,
    values,
    mask,
    weight,
    bias,
    gain,
    shift,
    result,
    count,
    eps,
    H: tl.constexpr,
    BLOCK: tl.constexpr,
    PRECISION: tl.constexpr,
):
    """LN(residual + linear(values)) of a block of rows, zeros if none of them is there."""
    column = tl.arange(0, H)
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    numbers = tl.zeros([BLOCK, H], tl.float32)
    if any_there(mask, rows, count):
        added = linear(
            load_rows(values, rows, rows < count, H, H),
            load_matrix(weight, H, H),
            tl.load(bias + column),
            PRECISION,
        )
        normal, _ = normalise(load_rows(residual, rows, rows < count, H, H) + added, eps, H)
        numbers = normal * tl.load(gain + column)[None, :] + tl.load(shift + column)[None, :]
    store_rows(result, rows, rows < count, numbers, H, H)


@triton.jit(do_not_specialize=["count"])
def linear_backward(
    residual,
    values,
    mask,
    weight,
    bias,
    gain,
    d_result,
    d_residual,
    d_values,
    sums,
    count,
    eps,
    H: tl.constexpr,
    BLOCK: tl.constexpr,
    PRECISION: tl.constexpr,
):
    """Gradients of ``linear_forward``; those of the parameters to a row of ``sums``."""
    column = tl.arange(0, H)
    matrix = load_matrix(weight, H, H)
    offset = tl.load(bias + column)
    gains = tl.load(gain + column)[None, :]
    d_weight = tl.zeros([H, H], tl.float32)
    # Of vectors the sum over rows waits until the end.
    d_bias = tl.zeros([BLOCK, H], tl.float32)
    d_gain = tl.zeros([BLOCK, H], tl.float32)
    d_shift = tl.zeros([BLOCK, H], tl.float32)
    for block in range(tl.program_id(0), tl.cdiv(count, BLOCK), tl.num_programs(0)):
        rows = block * BLOCK + tl.arange(0, BLOCK)
        d_sum = tl.zeros([BLOCK, H], tl.float32)
        d_inputs = tl.zeros([BLOCK, H], tl.float32)
        if any_there(mask, rows, count):
            inputs = load_rows(values, rows, rows < count, H, H)
            added = linear(inputs, matrix, offset, PRECISION)
            normal, rate = normalise(load_rows(residual, rows, rows < count, H, H) + added, eps, H)
            # Rows that are not there, or beyond the end, have zeros here: they add nothing.
            d_numbers = load_rows(d_result, rows, _there(mask, rows, count), H, H)
            d_sum = normalise_gradient(normal, rate, d_numbers * gains, H)
            d_inputs = multiply(d_sum, matrix, PRECISION)
            d_weight += multiply(tl.trans(d_sum), inputs, PRECISION)
            d_bias += d_sum
            d_gain += d_numbers * normal
            d_shift += d_numbers
        store_rows(d_residual, rows, rows < count, d_sum, H, H)
        store_rows(d_values, rows, rows < count, d_inputs, H, H)
    sums += tl.program_id(0) * (H + 3) * H
    store_matrix(sums, H, d_weight, H)
    sums += H * H
    tl.store(sums + column, tl.sum(d_bias, 0))
    tl.store(sums + H + column, tl.sum(d_gain, 0))
    tl.store(sums + 2 * H + column, tl.sum(d_shift, 0))


@triton.jit(do_not_specialize=["count"])
def mlp_forward(
    values,
    mask,
    first,
    first_bias,
    second,
    second_bias,
    gain,
    shift,
    result,
    count,
    eps,
    H: tl.constexpr,
    BLOCK: tl.constexpr,
    PRECISION: tl.constexpr,
):
    """LN(values + second(ReLU(first(values)))) of a block of rows, zero where the mask is."""
    column = tl.arange(0, H)
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    numbers = tl.zeros([BLOCK, H], tl.float32)
    if any_there(mask, rows, count):
        inputs = load_rows(values, rows, rows < count, H, H)
        matrix = load_matrix(first, H, H)
        inner = relu(linear(inputs, matrix, tl.load(first_bias + column), PRECISION))
        matrix = load_matrix(second, H, H)
        added = linear(inner, matrix, tl.load(second_bias + column), PRECISION)
        normal, _ = normalise(inputs + added, eps, H)
        numbers = normal * tl.load(gain + column)[None, :] + tl.load(shift + column)[None, :]
        numbers = tl.where(_there(mask, rows, count)[:, None], numbers, 0.0)
    store_rows(result, rows, rows < count, numbers, H, H)


@triton.jit(do_not_specialize=["count"])
def mlp_backward(
    values,
    mask,
    first,
    first_bias,
    second,
    second_bias,
    gain,
    d_result,
    d_values,
    sums,
    count,
    eps,
    H: tl.constexpr,
    BLOCK: tl.constexpr,
    PRECISION: tl.constexpr,
):
    """Gradients of ``mlp_forward``; those of the parameters to a row of ``sums``."""
    column = tl.arange(0, H)
    first_offset = tl.load(first_bias + column)
    second_offset = tl.load(second_bias + column)
    gains = tl.load(gain + column)[None, :]
    d_first = tl.zeros([H, H], tl.float32)
    d_second = tl.zeros([H, H], tl.float32)
    # Of vectors the sum over rows waits until the end.
    d_first_bias = tl.zeros([BLOCK, H], tl.float32)
    d_second_bias = tl.zeros([BLOCK, H], tl.float32)
    d_gain = tl.zeros([BLOCK, H], tl.float32)
    d_shift = tl.zeros([BLOCK, H], tl.float32)
    for block in range(tl.program_id(0), tl.cdiv(count, BLOCK), tl.num_programs(0)):
        rows = block * BLOCK + tl.arange(0, BLOCK)
        d_inputs = tl.zeros([BLOCK, H], tl.float32)
        if any_there(mask, rows, count):
            inputs = load_rows(values, rows, rows < count, H, H)
            # In the loop, lest shared memory hold both matrices in all layouts they are used in.
            first_matrix = load_matrix(first, H, H)
            second_matrix = load_matrix(second, H, H)
            inner = relu(linear(inputs, first_matrix, first_offset, PRECISION))
            added = linear(inner, second_matrix, second_offset, PRECISION)
            normal, rate = normalise(inputs + added, eps, H)
            # Rows that are not there, or beyond the end, have zeros here: they add nothing.
            d_numbers = load_rows(d_result, rows, _there(mask, rows, count), H, H)
            d_sum = normalise_gradient(normal, rate, d_numbers * gains, H)
            d_inner = multiply(d_sum, second_matrix, PRECISION)
            d_inner = tl.where(inner > 0, d_inner, 0.0)
            d_inputs = d_sum + multiply(d_inner, first_matrix, PRECISION)
            d_first += multiply(tl.trans(d_inner), inputs, PRECISION)
            d_second += multiply(tl.trans(d_sum), inner, PRECISION)
            d_first_bias += d_inner
            d_second_bias += d_sum
            d_gain += d_numbers * normal
            d_shift += d_numbers
        store_rows(d_values, rows, rows < count, d_inputs, H, H)
    sums += tl.program_id(0) * (2 * H + 4) * H
    store_matrix(sums, H, d_first, H)
    tl.store(sums + H * H + column, tl.sum(d_first_bias, 0))
    sums += (H + 1) * H
    store_matrix(sums, H, d_second, H)
    sums += H * H
    tl.store(sums + column, tl.sum(d_second_bias, 0))
    tl.store(sums + H + column, tl.sum(d_gain, 0))
    tl.store(sums + 2 * H + column, tl.sum(d_shift, 0))
