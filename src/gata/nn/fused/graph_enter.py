"""The nodes' features as the graph encoder's first layer takes them: one kernel, two backward."""

from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor
from torch.autograd.function import once_differentiable

from gata.nn.fused import precision
from gata.nn.fused.tiles import load_rows, multiply

BLOCK = 16
"""How many nodes, or backward how many numbers of their features, a program calculates."""
CHUNK = 32
"""How many it adds up at once."""


def enter(features: Tensor, bases: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """Multiply the features with the first layer's bases, and with a linear map.

    Args:
        features: (N, F).
        bases: (terms, F, H).
        weight: (H, F), of the linear map.
        bias: (H), likewise.

    Returns:
        (terms + 1, N, H).
    """
    result: Tensor = _Enter.apply(features, bases, weight, bias)
    return result


class _Enter(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, features: Tensor, bases: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        features = features.contiguous()
        nodes = len(features)
        terms, _, hidden = bases.shape
        entered = features.new_empty(terms + 1, nodes, hidden)
        _forward[(terms + 1, triton.cdiv(nodes, BLOCK))](
            features, bases, weight, bias, entered, **_sizes(features, bases)
        )
        ctx.save_for_backward(features, bases, weight)
        return entered

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, d_entered: Tensor) -> tuple[Tensor | None, ...]:
        features, bases, weight = ctx.saved_tensors
        d_entered = d_entered.contiguous()
        nodes, size = features.shape
        terms, _, hidden = bases.shape
        d_bases, d_weight = torch.empty_like(bases), torch.empty_like(weight)
        d_bias = weight.new_empty(hidden)
        blocks = triton.cdiv(size, BLOCK)
        _weight_gradients[(terms + 1, blocks)](
            features, d_entered, d_bases, d_weight, d_bias, **_sizes(features, bases)
        )
        if not ctx.needs_input_grad[0]:
            return None, d_bases, d_weight, d_bias
        d_features = torch.empty_like(features)
        _feature_gradients[(triton.cdiv(nodes, BLOCK), blocks)](
            d_entered, bases, weight, d_features, **_sizes(features, bases)
        )
        return d_features, d_bases, d_weight, d_bias


def _sizes(features: Tensor, bases: Tensor) -> dict[str, Any]:
    return {
        "N": features.shape[0],
        "F": features.shape[1],
        "H": bases.shape[2],
        "TERMS": bases.shape[0],
        "BLOCK": BLOCK,
        "CHUNK": CHUNK,
        "PRECISION": precision(),
        "num_warps": 4,
    }


@triton.jit
def _weights(bases, weight, term, places, F: tl.constexpr, H: tl.constexpr, TERMS: tl.constexpr):
    """(places, H) of a basis, or of the linear map's weights, which lie the other way round."""
    columns = tl.arange(0, H)
    there = (places < F)[:, None]
    if term < TERMS:
        matrix = tl.load(bases + (term * F + places)[:, None] * H + columns[None, :], there, 0.0)
    else:
        matrix = tl.load(weight + columns[None, :] * F + places[:, None], there, 0.0)
    return matrix


@triton.jit
def _forward(
    features,
    bases,
    weight,
    bias,
    entered,
    N: tl.constexpr,
    F: tl.constexpr,
    H: tl.constexpr,
    TERMS: tl.constexpr,
    BLOCK: tl.constexpr,
    CHUNK: tl.constexpr,
    PRECISION: tl.constexpr,
):
    term = tl.program_id(0)
    rows = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.arange(0, H)
    result = tl.zeros((BLOCK, H), tl.float32)
    # The bases have no bias.
    result += tl.where(term == TERMS, tl.load(bias + columns), 0.0)[None, :]
    for start in range(0, F, CHUNK):
        places = start + tl.arange(0, CHUNK)
        own = tl.load(
            features + rows[:, None] * F + places[None, :],
            (rows < N)[:, None] & (places < F)[None, :],
            0.0,
        )
        matrix = _weights(bases, weight, term, places, F, H, TERMS)
        result += multiply(own, matrix, PRECISION)
    tl.store(
        entered + (term * N + rows)[:, None] * H + columns[None, :], result, (rows < N)[:, None]
    )


@triton.jit
def _weight_gradients(
    features,
    d_entered,
    d_bases,
    d_weight,
    d_bias,
    N: tl.constexpr,
    F: tl.constexpr,
    H: tl.constexpr,
    TERMS: tl.constexpr,
    BLOCK: tl.constexpr,
    CHUNK: tl.constexpr,
    PRECISION: tl.constexpr,
):
    """A program for each term and some numbers of the features."""
    term = tl.program_id(0)
    places = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.arange(0, H)
    result = tl.zeros((BLOCK, H), tl.float32)
    sums = tl.zeros((H,), tl.float32)
    for start in range(0, N, CHUNK):
        rows = start + tl.arange(0, CHUNK)
        own = tl.load(
            features + rows[None, :] * F + places[:, None],
            (rows < N)[None, :] & (places < F)[:, None],
            0.0,
        )
        wanted = load_rows(d_entered + term * (N * H), rows, rows < N, H, H)
        result += multiply(own, wanted, PRECISION)
        sums += tl.sum(wanted, 0)
    there = (places < F)[:, None]
    if term < TERMS:
        tl.store(d_bases + (term * F + places)[:, None] * H + columns[None, :], result, there)
    else:
        tl.store(d_weight + columns[None, :] * F + places[:, None], result, there)
        if tl.program_id(1) == 0:
            tl.store(d_bias + columns, sums)


@triton.jit
def _feature_gradients(
    d_entered,
    bases,
    weight,
    d_features,
    N: tl.constexpr,
    F: tl.constexpr,
    H: tl.constexpr,
    TERMS: tl.constexpr,
    BLOCK: tl.constexpr,
    CHUNK: tl.constexpr,
    PRECISION: tl.constexpr,
):
    """A program for some nodes and some numbers of their features."""
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    places = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    result = tl.zeros((BLOCK, BLOCK), tl.float32)
    for term in range(TERMS + 1):
        wanted = load_rows(d_entered + term * (N * H), rows, rows < N, H, H)
        matrix = _weights(bases, weight, term, places, F, H, TERMS)
        result += multiply(wanted, tl.trans(matrix), PRECISION)
    tl.store(
        d_features + rows[:, None] * F + places[None, :],
        result,
        (rows < N)[:, None] & (places < F)[None, :],
    )
