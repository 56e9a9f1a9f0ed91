"""Looking up rows of different lengths on a GPU, as one kernel."""

import torch
import triton
import triton.language as tl
from torch import Tensor

BLOCK = 256
"""Ids per program."""


def take(
    values: Tensor, starts: Tensor, lengths: Tensor, numbers: Tensor, width: int, padding: int
) -> Tensor:
    """Rows side by side.

    Args:
        values: the rows' ids, end to end.
        starts: (rows,) where each begins.
        lengths: (rows,) how many ids it has.
        numbers: (...,) which rows are wanted.
        width: of the result; what is longer is cut off.
        padding: what fills a row that is shorter.

    Returns:
        (..., width) int64.
    """
    numbers = numbers.contiguous()
    out = torch.empty(*numbers.shape, width, dtype=torch.int64, device=values.device)
    grid = (triton.cdiv(out.numel(), BLOCK),)
    _take[grid](values, starts, lengths, numbers, out, out.numel(), width, padding, BLOCK=BLOCK)
    return out


@triton.jit(do_not_specialize=["cells", "width", "padding"])
def _take(values, starts, lengths, numbers, out, cells, width, padding, BLOCK: tl.constexpr):
    cell = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    real = cell < cells
    place = cell % width
    number = tl.load(numbers + cell // width, mask=real, other=0)
    there = real & (place < tl.load(lengths + number, mask=real, other=0))
    start = tl.load(starts + number, mask=real, other=0)
    found = tl.load(values + start + place, mask=there, other=0).to(tl.int64)
    tl.store(out + cell, tl.where(there, found, padding), mask=real)
