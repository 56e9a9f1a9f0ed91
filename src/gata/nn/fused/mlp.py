"""Linear layers from H to H, two with a ReLU between them, for one or two kinds of vectors at once.

One kernel forward, one backward. Each kind has its own weights and any number of vectors.
"""

from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from gata.nn.fused import precision
from gata.nn.fused.tiles import (
    linear,
    load_matrix,
    load_rows,
    multiply,
    relu,
    store_matrix,
    store_rows,
)

ROWS, ROWS_BACK = 32, 16
"""Of a block, forward and backward."""
PROGRAMS = 66
"""At most, for each kind, where each leaves a part of the gradient of the weights."""


def two_layers(values: Tensor, mlp: nn.Sequential) -> Tensor:
    """Vectors through a layer, a ReLU and another layer: (..., H) -> the same."""
    result: Tensor = _TwoLayers.apply(values, *mlp.parameters())[0]
    return result


def two_layers_each(
    first: Tensor, first_mlp: nn.Sequential, second: Tensor, second_mlp: nn.Sequential
) -> tuple[Tensor, Tensor]:
    """Vectors of two kinds, each through layers of its own: (..., H) each -> the same."""
    results: tuple[Tensor, Tensor] = _TwoLayers.apply(
        first, *first_mlp.parameters(), second, *second_mlp.parameters()
    )
    return results


class _TwoLayers(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, *inputs: Tensor) -> tuple[Tensor, ...]:
        """``inputs``: of each kind the vectors, and the weights and biases of both layers."""
        kinds = [(inputs[i].contiguous(), *inputs[i + 1 : i + 5]) for i in range(0, len(inputs), 5)]
        results = tuple(torch.empty_like(kind[0]) for kind in kinds)
        size, counts = _sizes(kinds)
        blocks = [triton.cdiv(count, ROWS) for count in counts]
        _forward_kernel[(sum(blocks),)](
            *kinds[0], *kinds[-1], results[0], results[-1], counts[0], counts[-1], blocks[0],
            H=size, ROWS=ROWS, PRECISION=precision(),
        )  # fmt: skip
        ctx.save_for_backward(*(tensor for kind in kinds for tensor in kind))
        return results

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, ...]:
        saved = ctx.saved_tensors
        kinds = [saved[i : i + 5] for i in range(0, len(saved), 5)]
        size, counts = _sizes(kinds)
        programs = min(PROGRAMS, triton.cdiv(max(counts), ROWS_BACK))
        results = [gradient.contiguous() for gradient in gradients]
        values = [torch.empty_like(kind[0]) for kind in kinds]
        partial = saved[0].new_empty(len(kinds), programs, 2 * size * (size + 1))
        _backward_kernel[(programs, len(kinds))](
            *kinds[0], *kinds[-1], results[0], results[-1], values[0], values[-1], partial,
            counts[0], counts[-1],
            H=size, ROWS=ROWS_BACK, PRECISION=precision(), num_warps=8, num_stages=1,
        )  # fmt: skip
        found: list[Tensor] = []
        for of_values, total in zip(values, partial.sum(1), strict=True):
            first_weight, second_weight, *biases = total.split([size * size] * 2 + [size] * 2)
            weights = first_weight.view(size, size), second_weight.view(size, size)
            found += [of_values, weights[0], biases[0], weights[1], biases[1]]
        return tuple(found)


def _sizes(kinds: list[tuple[Tensor, ...]]) -> tuple[int, list[int]]:
    """H, and the number of vectors of each kind."""
    size = kinds[0][0].shape[-1]
    return size, [kind[0].numel() // size for kind in kinds]


@triton.jit(do_not_specialize=["first_count", "second_count", "first_blocks"])
def _forward_kernel(
    first,
    first_in_weight,
    first_in_bias,
    first_out_weight,
    first_out_bias,
    second,
    second_in_weight,
    second_in_bias,
    second_out_weight,
    second_out_bias,
    first_result,
    second_result,
    first_count,
    second_count,
    first_blocks,
    H: tl.constexpr,
    ROWS: tl.constexpr,
    PRECISION: tl.constexpr,
):
    block = tl.program_id(0)
    if block < first_blocks:
        values, result, count = first, first_result, first_count
        in_weight, in_bias = first_in_weight, first_in_bias
        out_weight, out_bias = first_out_weight, first_out_bias
    else:
        values, result, count = second, second_result, second_count
        in_weight, in_bias = second_in_weight, second_in_bias
        out_weight, out_bias = second_out_weight, second_out_bias
        block -= first_blocks
    columns = tl.arange(0, H)
    rows = block * ROWS + tl.arange(0, ROWS)
    inside = rows < count
    x = load_rows(values, rows, inside, H, H)
    h = relu(linear(x, load_matrix(in_weight, H, H), tl.load(in_bias + columns), PRECISION))
    turned = tl.trans(load_matrix(out_weight, H, H))
    y = multiply(h, turned, PRECISION) + tl.load(out_bias + columns)[None, :]
    store_rows(result, rows, inside, y, H, H)


@triton.jit(do_not_specialize=["first_count", "second_count"])
def _backward_kernel(
    first,
    first_in_weight,
    first_in_bias,
    first_out_weight,
    first_out_bias,
    second,
    second_in_weight,
    second_in_bias,
    second_out_weight,
    second_out_bias,
    first_gradient,
    second_gradient,
    first_found,
    second_found,
    partial,
    first_count,
    second_count,
    H: tl.constexpr,
    ROWS: tl.constexpr,
    PRECISION: tl.constexpr,
):
    """Each program goes through some blocks of one kind, and adds up a part for the weights."""
    program, programs = tl.program_id(0), tl.num_programs(0)
    kind = tl.program_id(1)
    if kind == 0:
        values, gradients, found, count = first, first_gradient, first_found, first_count
        in_weight, in_bias, out_weight = first_in_weight, first_in_bias, first_out_weight
    else:
        values, gradients, found, count = second, second_gradient, second_found, second_count
        in_weight, in_bias, out_weight = second_in_weight, second_in_bias, second_out_weight
    columns = tl.arange(0, H)
    weight, bias = load_matrix(in_weight, H, H), tl.load(in_bias + columns)
    of_in, of_out = tl.zeros([H, H], tl.float32), tl.zeros([H, H], tl.float32)
    of_in_bias, of_out_bias = tl.zeros([H], tl.float32), tl.zeros([H], tl.float32)
    for block in range(program, tl.cdiv(count, ROWS), programs):
        rows = block * ROWS + tl.arange(0, ROWS)
        inside = rows < count
        x = load_rows(values, rows, inside, H, H)
        d_y = load_rows(gradients, rows, inside, H, H)
        h = relu(linear(x, weight, bias, PRECISION))
        of_out += multiply(tl.trans(d_y), h, PRECISION)
        of_out_bias += tl.sum(d_y, 0)
        d_h = multiply(d_y, load_matrix(out_weight, H, H), PRECISION)
        d_h = tl.where(h > 0.0, d_h, 0.0)
        of_in += multiply(tl.trans(d_h), x, PRECISION)
        of_in_bias += tl.sum(d_h, 0)
        store_rows(found, rows, inside, multiply(d_h, weight, PRECISION), H, H)
    partial += (kind * programs + program) * 2 * H * (H + 1)
    store_matrix(partial, H, of_in, H)
    store_matrix(partial + H * H, H, of_out, H)
    tl.store(partial + 2 * H * H + columns, of_in_bias)
    tl.store(partial + 2 * H * H + H + columns, of_out_bias)
