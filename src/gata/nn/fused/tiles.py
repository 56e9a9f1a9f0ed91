"""Rows of vectors: how kernels of several layers read and write them, and what all do with them."""

import triton
import triton.language as tl


@triton.jit
def load_rows(values, rows, there, STRIDE: tl.constexpr, H: tl.constexpr):
    """H numbers of each of some rows, which lie STRIDE apart; zeros where ``there`` is false."""
    places = rows[:, None] * STRIDE + tl.arange(0, H)[None, :]
    return tl.load(values + places, mask=there[:, None], other=0.0)


@triton.jit
def store_rows(values, rows, there, content, STRIDE: tl.constexpr, H: tl.constexpr):
    """The opposite of ``load_rows``."""
    places = rows[:, None] * STRIDE + tl.arange(0, H)[None, :]
    tl.store(values + places, content, mask=there[:, None])


@triton.jit
def any_there(mask, rows, count):
    """Whether any of some rows is there. Where none is, a program has nothing to do."""
    return tl.max(tl.load(mask + rows, mask=rows < count, other=0), 0) != 0


@triton.jit
def end_of(mask, step, length, WIDTH: tl.constexpr):
    """How many places there are up to the last one that is there; WIDTH is no less than all."""
    places = tl.arange(0, WIDTH)
    there = tl.load(mask + places * step, mask=places < length, other=0)
    return tl.max(tl.where(there != 0, places + 1, 0), 0)


@triton.jit
def load_matrix(weights, stride, H: tl.constexpr):
    """H rows of H numbers, with a step of ``stride`` from one row to the next."""
    numbers = tl.arange(0, H)
    return tl.load(weights + numbers[:, None] * stride + numbers[None, :])


@triton.jit
def store_matrix(weights, stride, content, H: tl.constexpr):
    """The opposite of ``load_matrix``."""
    numbers = tl.arange(0, H)
    tl.store(weights + numbers[:, None] * stride + numbers[None, :], content)


@triton.jit
def relu(values):
    """What is above zero. What is no number stays none, so that nobody learns on unnoticed."""
    return tl.maximum(values, 0.0, propagate_nan=tl.PropagateNan.ALL)


@triton.jit
def multiply(left, right, PRECISION: tl.constexpr):
    """The product of two matrices.

    With tf32 a GPU cuts the last 13 bits off the numbers, which makes all of them smaller. They are
    rounded here before, as torch does it: the errors are a fifth.
    """
    if PRECISION == "tf32":
        left = _rounded(left)
        right = _rounded(right)
    return tl.dot(left, right, input_precision=PRECISION)


@triton.jit
def _rounded(values):
    """Numbers with zeros in their last 13 bits; what is no number stays as it is."""
    bits = values.to(tl.int32, bitcast=True)
    is_number = (bits & 0x7F800000) != 0x7F800000
    return tl.where(is_number, (bits + 4096) & -8192, bits).to(tl.float32, bitcast=True)


@triton.jit
def linear(rows, weight, bias, PRECISION: tl.constexpr):
    """A linear layer."""
    return multiply(rows, tl.trans(weight), PRECISION) + bias[None, :]


@triton.jit
def normalise(rows, eps, H: tl.constexpr):
    """Rows with mean 0 and variance 1, and what they were multiplied with for it."""
    rows -= (tl.sum(rows, 1) / H)[:, None]
    rate = tl.rsqrt(tl.sum(rows * rows, 1) / H + eps)
    return rows * rate[:, None], rate


@triton.jit
def normalise_gradient(normal, rate, d_normal, H: tl.constexpr):
    """Gradients of what ``normalise`` was given."""
    mean = tl.sum(d_normal, 1) / H
    along = tl.sum(d_normal * normal, 1) / H
    return (d_normal - mean[:, None] - normal * along[:, None]) * rate[:, None]
