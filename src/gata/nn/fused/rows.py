"""Rows of vectors, read and written by kernels a block at a time."""

import triton
import triton.language as tl


@triton.jit
def load_rows(pointer, rows, count, STRIDE: tl.constexpr, H: tl.constexpr):
    """(rows, H) numbers; rows lie STRIDE apart, and from row ``count`` on all are zeros."""
    places = rows[:, None] * STRIDE + tl.arange(0, H)[None, :]
    return tl.load(pointer + places, mask=(rows < count)[:, None], other=0.0)


@triton.jit
def store_rows(pointer, rows, count, numbers, STRIDE: tl.constexpr, H: tl.constexpr):
    """Write what ``load_rows`` reads; rows from ``count`` on are left out."""
    places = rows[:, None] * STRIDE + tl.arange(0, H)[None, :]
    tl.store(pointer + places, numbers, mask=(rows < count)[:, None])
