"""The aggregator's attention both ways and its output: two kernels forward, three backward."""

from typing import Any, NamedTuple

import torch
import triton
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from gata.nn.fused import precision
from gata.nn.fused.aggregation_gradients import own_gradient_kernel, seen_gradient_kernel
from gata.nn.fused.aggregation_join import join_gradient_kernel
from gata.nn.fused.aggregation_kernels import answer_kernel, look_kernel

ROWS, OTHERS = 16, 32
"""What a program has of its own side, and what it reads at a time of the other."""
PROGRAMS = 132
"""At most, where each leaves a part of the gradient of the output's weights: an H200 has as many
processors."""


def aggregate(
    first: Tensor,
    first_mask: Tensor,
    second: Tensor,
    second_mask: Tensor,
    similarity: Tensor,
    output: nn.Linear,
) -> tuple[Tensor, Tensor]:
    """What ``Aggregator.aggregate`` says, for two sides of as many states.

    Args:
        first: (states, length, H).
        first_mask: (states, length) booleans.
        second: (states, other length, H).
        second_mask: (states, other length) booleans.
        similarity: (3, H), the weights of first, second and their product; (2, H) if the sides
            share theirs.
        output: from 4H to H.

    Returns:
        h_OG and h_GO, zero where nothing is there.
    """
    joined: tuple[Tensor, Tensor] = _Aggregate.apply(
        first, first_mask, second, second_mask, similarity, output.weight, output.bias
    )
    return joined


class _Sides(NamedTuple):
    first: Tensor
    second: Tensor
    first_mask: Tensor
    second_mask: Tensor

    @property
    def states(self) -> int:
        return len(self.first)

    def blocks(self) -> tuple[int, int]:
        """Of rows of the first and the second side, in each state."""
        return triton.cdiv(self.first.shape[1], ROWS), triton.cdiv(self.second.shape[1], ROWS)

    def counts(self) -> tuple[int, ...]:
        """What the kernels want to know of sizes and strides."""
        lengths = self.first.shape[1], self.second.shape[1]
        strides = (*self.first_mask.stride(), *self.second_mask.stride())
        return (*lengths, self.blocks()[0], *strides)

    def empty(self, *size: int) -> Tensor:
        """Room for something of each row of both sides."""
        rows = self.first.shape[:2].numel() + self.second.shape[:2].numel()
        return self.first.new_empty(rows, *size)

    def split(self, values: Tensor) -> tuple[Tensor, Tensor]:
        """What ``empty`` has made, as both sides have it."""
        rows = self.first.shape[:2].numel()
        return values[:rows].view_as(self.first), values[rows:].view_as(self.second)


class _Aggregate(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        first: Tensor,
        first_mask: Tensor,
        second: Tensor,
        second_mask: Tensor,
        similarity: Tensor,
        weight: Tensor,
        bias: Tensor,
    ) -> tuple[Tensor, Tensor]:
        sides = _Sides(first.contiguous(), second.contiguous(), first_mask, second_mask)
        size = first.shape[-1]
        seen, echo, joined = (sides.empty(size) for _ in range(3))
        logs = sides.empty()
        grid = (sides.states, sum(sides.blocks()))
        options = {
            "ALIKE": len(similarity) == 2,
            "H": size,
            "ROWS": ROWS,
            "OTHERS": OTHERS,
            "WIDTH": triton.next_power_of_2(max(1, first.shape[1], second.shape[1])),
            "PRECISION": precision(),
            # Exact products go through twice the registers.
            "num_warps": 8 if precision() == "ieee" else 4,
            "num_stages": 2,
        }
        look_kernel[grid](*sides, similarity, seen, logs, *sides.counts(), **options)
        answer_kernel[grid](
            *sides, similarity, seen, logs, weight, bias, echo, joined, *sides.counts(), **options
        )
        ctx.save_for_backward(*sides, similarity, weight, seen, echo, logs)
        ctx.options = options
        return sides.split(joined)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        *saved, similarity, weight, seen, echo, logs = ctx.saved_tensors
        sides = _Sides(*saved)
        of_own, of_seen, of_echo = (torch.empty_like(seen) for _ in range(3))
        of_output, of_bias = _join_gradient(
            sides, seen, echo, weight, gradients, (of_own, of_seen, of_echo)
        )
        grid = (sides.states, sum(sides.blocks()))
        products = torch.empty_like(logs)
        seen_gradient_kernel[grid](
            *sides, similarity, seen, echo, logs, of_seen, of_echo, products,
            *sides.counts(), **ctx.options,
        )  # fmt: skip
        partial = similarity.new_empty(grid[0] * grid[1], *similarity.shape)
        own_gradient_kernel[grid](
            *sides, similarity, seen, logs, of_seen, of_echo, products, of_own, partial,
            *sides.counts(), **ctx.options,
        )  # fmt: skip
        of_first, of_second = sides.split(of_own)
        return of_first, None, of_second, None, partial.sum(0), of_output, of_bias


def _join_gradient(
    sides: _Sides,
    seen: Tensor,
    echo: Tensor,
    weight: Tensor,
    gradients: tuple[Tensor, ...],
    found: tuple[Tensor, Tensor, Tensor],
) -> tuple[Tensor, Tensor]:
    first_length, second_length, _, *strides = sides.counts()
    first_blocks = triton.cdiv(sides.states * first_length, ROWS)
    blocks = first_blocks + triton.cdiv(sides.states * second_length, ROWS)
    size, numbers = len(weight), weight.numel()
    partial = weight.new_empty(min(blocks, PROGRAMS), numbers + size)
    join_gradient_kernel[(len(partial),)](
        *sides, seen, echo, weight, *(gradient.contiguous() for gradient in gradients), *found,
        partial, sides.states, blocks, first_length, second_length, first_blocks, *strides,
        H=size, ROWS=ROWS, PRECISION=precision(), num_warps=8, num_stages=1,
    )  # fmt: skip
    total = partial.sum(0)
    return total[:numbers].view_as(weight), total[numbers:]
