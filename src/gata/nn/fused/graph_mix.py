"""The graphs of all layers of the graph encoder, mixed from the adjacency in one kernel.

A layer multiplies with C_k = sum_r a_kr A_r + a_k(R+r) A_r^T. The kernel reads a piece of A_r and
the piece opposite the diagonal, so that nobody writes the transposed adjacency down; what it has
read it also adds up to the nodes' degrees.
"""

from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor

from gata.nn.fused import precision

TILE_ROWS, TILE_COLUMNS = 8, 32
"""Of the piece of all relations' matrices that a program holds at once."""
BACK_ROWS = 32
"""How many rows a program walks through backward, for fewer partial sums."""


def mix(adjacency: Tensor, coefficients: Tensor) -> tuple[Tensor, Tensor]:
    """Mix relations and their inverses, with gradients to the coefficients only.

    Args:
        adjacency: (B, R, N, N).
        coefficients: (layers, bases, 2R): of the relations, then of their inverses.

    Returns:
        (B, layers * bases, N, P), the mixed graphs, P being N rounded up to a multiple of 4 for
        the sake of aligned rows (zeros there); and (B, N, D), each node's degree by each relation,
        then by each inverse, then a one and zeros: D is the next power of two.
    """
    mixed, degrees = _Mix.apply(adjacency, coefficients)
    return mixed, degrees


class _Mix(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, adjacency: Tensor, coefficients: Tensor) -> tuple[Tensor, Tensor]:
        batch, relations, nodes, _ = adjacency.shape
        graphs = adjacency if adjacency[:1].is_contiguous() else adjacency.contiguous()
        width, kinds = -(-nodes // 4) * 4, max(16, triton.next_power_of_2(2 * relations + 1))
        count = coefficients.shape[0] * coefficients.shape[1]
        mixed = adjacency.new_empty(batch, count, nodes, width)
        degrees = adjacency.new_empty(batch, nodes, kinds)
        _forward[(batch * triton.cdiv(nodes, TILE_ROWS),)](
            graphs,
            coefficients,
            mixed,
            degrees,
            graphs.stride(0),
            KINDS=kinds,
            TILE_ROWS=TILE_ROWS,
            TILE_COLUMNS=TILE_COLUMNS,
            num_warps=8,
            num_stages=3,
            **_sizes(relations, count, nodes, width),
        )
        ctx.save_for_backward(graphs)
        ctx.shape = coefficients.shape
        ctx.mark_non_differentiable(degrees)
        ctx.set_materialize_grads(False)
        return mixed, degrees

    @staticmethod
    def backward(ctx: Any, gradient: Tensor, of_degrees: None) -> tuple[None, Tensor]:
        (graphs,) = ctx.saved_tensors
        batch, relations, nodes, _ = graphs.shape
        count, width = gradient.shape[1], gradient.shape[3]
        programs = batch * triton.cdiv(nodes, BACK_ROWS)
        sizes = _sizes(relations, count, nodes, width)
        partial = gradient.new_empty(programs, *ctx.shape)
        _backward[(programs,)](
            graphs,
            gradient.contiguous(),
            partial,
            graphs.stride(0),
            STRIP=BACK_ROWS,
            TILE_ROWS=TILE_ROWS,
            TILE_COLUMNS=TILE_COLUMNS,
            num_warps=8,
            # Without tensor cores, loads ahead of their use are kept in registers that are short.
            num_stages=1 if sizes["PRECISION"] == "ieee" else 2,
            **sizes,
        )
        return None, partial.sum(0)


def _sizes(relations: int, count: int, nodes: int, width: int) -> dict[str, int | str]:
    return {
        "R": relations,
        "MIXTURES": count,
        "N": nodes,
        "WIDTH": width,
        "SOME_RELATIONS": max(16, triton.next_power_of_2(relations)),
        "SOME_MIXTURES": max(16, triton.next_power_of_2(count)),
        "PRECISION": precision(),
    }


@triton.jit
def _pieces(graph, relation, rows, columns, R: tl.constexpr, N: tl.constexpr):
    """A[r, i, j] and A[r, j, i] as (R, rows, columns) each."""
    of_relation = graph + relation[:, None, None] * (N * N)
    there = (relation < R)[:, None, None]
    straight = tl.load(
        of_relation + rows[None, :, None] * N + columns[None, None, :],
        there & (rows < N)[None, :, None] & (columns < N)[None, None, :],
        0.0,
    )
    # Read along the rows of memory, then turned.
    turned = tl.load(
        of_relation + columns[None, :, None] * N + rows[None, None, :],
        there & (columns < N)[None, :, None] & (rows < N)[None, None, :],
        0.0,
    )
    return straight, tl.permute(turned, (0, 2, 1))


@triton.jit(do_not_specialize=["batch_stride"])
def _forward(
    adjacency,
    coefficients,
    mixed,
    degrees,
    batch_stride,
    R: tl.constexpr,
    MIXTURES: tl.constexpr,
    N: tl.constexpr,
    WIDTH: tl.constexpr,
    KINDS: tl.constexpr,
    SOME_RELATIONS: tl.constexpr,
    SOME_MIXTURES: tl.constexpr,
    TILE_ROWS: tl.constexpr,
    TILE_COLUMNS: tl.constexpr,
    PRECISION: tl.constexpr,
):
    strips: tl.constexpr = (N + TILE_ROWS - 1) // TILE_ROWS
    places: tl.constexpr = TILE_ROWS * TILE_COLUMNS
    batch = tl.program_id(0) // strips
    top = tl.program_id(0) % strips * TILE_ROWS
    rows = top + tl.arange(0, TILE_ROWS)
    relation = tl.arange(0, SOME_RELATIONS)
    mixture = tl.arange(0, SOME_MIXTURES)
    place = tl.arange(0, places)
    of_mixture = coefficients + mixture[:, None] * (2 * R) + relation[None, :]
    there = (mixture < MIXTURES)[:, None] & (relation < R)[None, :]
    along = tl.load(of_mixture, there, 0.0)
    against = tl.load(of_mixture + R, there, 0.0)
    leaving = tl.zeros((SOME_RELATIONS, TILE_ROWS), tl.float32)
    arriving = tl.zeros((SOME_RELATIONS, TILE_ROWS), tl.float32)
    for left in range(0, N, TILE_COLUMNS):
        columns = left + tl.arange(0, TILE_COLUMNS)
        straight, turned = _pieces(adjacency + batch * batch_stride, relation, rows, columns, R, N)
        leaving += tl.sum(straight, 2)
        arriving += tl.sum(turned, 2)
        straight = tl.reshape(straight, (SOME_RELATIONS, places))
        turned = tl.reshape(turned, (SOME_RELATIONS, places))
        result = tl.dot(along, straight, input_precision=PRECISION)
        result = tl.dot(against, turned, result, input_precision=PRECISION)
        row, column = top + place // TILE_COLUMNS, left + place % TILE_COLUMNS
        tl.store(
            mixed
            + (batch * MIXTURES + mixture)[:, None] * (N * WIDTH)
            + (row * WIDTH + column)[None, :],
            result,
            (mixture < MIXTURES)[:, None] & ((row < N) & (column < WIDTH))[None, :],
        )
    of_row = degrees + (batch * N + rows)[None, :] * KINDS
    there = (relation < R)[:, None] & (rows < N)[None, :]
    tl.store(of_row + relation[:, None], leaving, there)
    tl.store(of_row + R + relation[:, None], arriving, there)
    kind = tl.arange(0, KINDS)[:, None]
    tl.store(
        of_row + kind,
        tl.where(kind == 2 * R, 1.0, 0.0),
        (kind >= 2 * R) & (rows < N)[None, :],
    )


@triton.jit(do_not_specialize=["batch_stride"])
def _backward(
    adjacency,
    gradient,
    partial,
    batch_stride,
    R: tl.constexpr,
    MIXTURES: tl.constexpr,
    N: tl.constexpr,
    WIDTH: tl.constexpr,
    SOME_RELATIONS: tl.constexpr,
    SOME_MIXTURES: tl.constexpr,
    STRIP: tl.constexpr,
    TILE_ROWS: tl.constexpr,
    TILE_COLUMNS: tl.constexpr,
    PRECISION: tl.constexpr,
):
    strips: tl.constexpr = (N + STRIP - 1) // STRIP
    places: tl.constexpr = TILE_ROWS * TILE_COLUMNS
    across: tl.constexpr = (N + TILE_COLUMNS - 1) // TILE_COLUMNS
    batch = tl.program_id(0) // strips
    relation = tl.arange(0, SOME_RELATIONS)
    mixture = tl.arange(0, SOME_MIXTURES)
    place = tl.arange(0, places)
    along = tl.zeros((SOME_MIXTURES, SOME_RELATIONS), tl.float32)
    against = tl.zeros((SOME_MIXTURES, SOME_RELATIONS), tl.float32)
    for tile in range(STRIP // TILE_ROWS * across):
        top = tl.program_id(0) % strips * STRIP + tile // across * TILE_ROWS
        left = tile % across * TILE_COLUMNS
        straight, turned = _pieces(
            adjacency + batch * batch_stride,
            relation,
            top + tl.arange(0, TILE_ROWS),
            left + tl.arange(0, TILE_COLUMNS),
            R,
            N,
        )
        row, column = top + place // TILE_COLUMNS, left + place % TILE_COLUMNS
        wanted = tl.load(
            gradient
            + (batch * MIXTURES + mixture)[:, None] * (N * WIDTH)
            + (row * WIDTH + column)[None, :],
            (mixture < MIXTURES)[:, None] & ((row < N) & (column < WIDTH))[None, :],
            0.0,
        )
        straight = tl.trans(tl.reshape(straight, (SOME_RELATIONS, places)))
        turned = tl.trans(tl.reshape(turned, (SOME_RELATIONS, places)))
        along = tl.dot(wanted, straight, along, input_precision=PRECISION)
        against = tl.dot(wanted, turned, against, input_precision=PRECISION)
    of_mixture = (
        partial + (tl.program_id(0) * MIXTURES + mixture)[:, None] * (2 * R) + relation[None, :]
    )
    there = (mixture < MIXTURES)[:, None] & (relation < R)[None, :]
    tl.store(of_mixture, along, there)
    tl.store(of_mixture + R, against, there)
