"""Self-attention of texts or graphs: one kernel forward, one backward.

The weights are nowhere stored: a program takes a block of rows and meets the others block by block,
forward with the running maximum and sum of FlashAttention (Dao et al., 2022), backward with the
logarithm of each row's sum.
"""

import math
from typing import Any

import torch
import triton
from torch import Tensor
from torch.autograd.function import once_differentiable

from gata.nn.fused import precision
from gata.nn.fused.attention_kernels import attention_backward, attention_forward


def attend_to_itself(projected: Tensor, mask: Tensor) -> Tensor:
    """What vectors see of those in the same row, as ``gata.nn.attention.attend`` has it.

    Where blocks of vectors are behind the last one that is there, as padding is, they see nothing;
    gradients of what vectors see that are not there themselves have to be zero.

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
        attention_forward[grid](
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
        attention_backward[grid](
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
        "WIDTH": triton.next_power_of_2(max(1, length)),
        "PRECISION": precision(),
        "num_warps": own // 4,
        "num_stages": 1 if length <= other else 2,
    }
    return (batch, triton.cdiv(length, own)), options
