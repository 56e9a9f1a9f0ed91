"""The graphs of all layers of the graph encoder, mixed from the adjacency in one kernel.

A layer multiplies with C_k = sum_r a_kr A_r + a_k(R+r) A_r^T. The kernel reads a piece of A_r and
the piece opposite the diagonal, so that nobody writes the transposed adjacency down; other programs
of it add up the nodes' degrees.
"""

from typing import Any, NamedTuple

import torch
import triton
from torch import Tensor
from torch.autograd.function import once_differentiable

from gata.nn.fused import precision
from gata.nn.fused.graph_mix_kernels import mix_gradient_kernel, mix_kernel


class Piece(NamedTuple):
    """What a program takes of a graph's matrices at once."""

    rows: int
    columns: int
    warps: int
    stages: int


FORWARD = Piece(16, 32, 4, 1)
"""Each thread keeps its share of all relations and inverses in registers, so there should be four
numbers to a thread, not more."""
SUM_COLUMNS = 32
"""How many columns at once are added up to degrees."""
BACKWARD = Piece(16, 16, 2, 1)
"""More warps would do the same products twice. Of more stages, the first would copy rows, which are
not aligned, number by number to shared memory: slow. Others' pieces fill the time instead that a
program waits for its own."""
EXACT = Piece(8, 8, 4, 1)
"""Backward without tensor cores, when all factors lie in registers."""
PROGRAMS = 528
"""Backward: as many divide all pieces among themselves, four for each processor of an H200."""


def mix(adjacency: Tensor, coefficients: Tensor) -> tuple[Tensor, Tensor]:
    """Mix relations and their inverses.

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
        pieces = triton.cdiv(nodes, FORWARD.rows) * triton.cdiv(nodes, FORWARD.columns)
        mix_kernel[(batch * (pieces + relations),)](
            *(graphs, coefficients.contiguous(), mixed, degrees, graphs.stride(0), nodes * width),
            R=relations,
            MIXTURES=count,
            N=nodes,
            WIDTH=width,
            KINDS=kinds,
            ROWS=FORWARD.rows,
            COLUMNS=FORWARD.columns,
            SUM_ROWS=triton.next_power_of_2(nodes),
            SUM_COLUMNS=SUM_COLUMNS,
            num_warps=FORWARD.warps,
            num_stages=FORWARD.stages,
        )
        ctx.save_for_backward(graphs, coefficients)
        if not ctx.needs_input_grad[0]:
            ctx.mark_non_differentiable(degrees)
        ctx.set_materialize_grads(False)
        return mixed, degrees

    @staticmethod
    @once_differentiable
    def backward(
        ctx: Any, gradient: Tensor, of_degrees: Tensor | None
    ) -> tuple[Tensor | None, Tensor]:
        graphs, coefficients = ctx.saved_tensors
        batch, relations, nodes, _ = graphs.shape
        count, width = gradient.shape[1], gradient.shape[3]
        piece = BACKWARD if precision() == "tf32" else EXACT
        pieces = batch * triton.cdiv(nodes, piece.rows) * triton.cdiv(nodes, piece.columns)
        programs = min(pieces, PROGRAMS)
        partial = gradient.new_empty(programs, *coefficients.shape)
        mix_gradient_kernel[(programs,)](
            *(graphs, gradient.contiguous(), partial, graphs.stride(0), pieces),
            R=relations,
            MIXTURES=count,
            N=nodes,
            WIDTH=width,
            SOME_RELATIONS=max(16, triton.next_power_of_2(relations)),
            SOME_MIXTURES=max(16, triton.next_power_of_2(count)),
            ROWS=piece.rows,
            COLUMNS=piece.columns,
            PRECISION=precision(),
            num_warps=piece.warps,
            num_stages=piece.stages,
        )
        of_graphs = None
        if ctx.needs_input_grad[0]:
            assert of_degrees is not None
            of_graphs = _gradient_of_graphs(gradient, of_degrees, coefficients)
        return of_graphs, partial.sum(0)


def _gradient_of_graphs(gradient: Tensor, of_degrees: Tensor, coefficients: Tensor) -> Tensor:
    """(B, R, N, N), given the gradients of what ``mix`` returns."""
    batch, _, nodes, width = gradient.shape
    kinds = coefficients.shape[-1]
    # Mixtures back to relations and inverses: a product of small matrices for each graph.
    back = coefficients.flatten(0, 1).T.expand(batch, -1, -1)
    mixed = (back @ gradient.flatten(2)).view(batch, kinds, nodes, width)[..., :nodes]
    along, against = mixed.chunk(2, dim=1)
    by_row, by_column = of_degrees[..., :kinds].mT.chunk(2, dim=1)
    return along + against.mT + by_row.unsqueeze(-1) + by_column.unsqueeze(-2)
