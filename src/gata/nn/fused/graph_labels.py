"""What the relations' names add to the messages of the graph encoder, for all layers at once."""

from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor
from torch.autograd.function import once_differentiable

from gata.nn.fused import precision
from gata.nn.fused.tiles import multiply

CHUNK = 32
"""How many numbers of a label are multiplied at once."""
COLUMNS = 16
"""How many numbers of the result a program calculates, of each kind."""


def speak(
    labels: Tensor, label_bases: Tensor, coefficients: Tensor, bias: Tensor, kinds: int
) -> Tensor:
    """What each relation says to a node per degree, and what a node says to itself.

    Args:
        labels: (2R + 1, E): of the relations, of their inverses and of self.
        label_bases: (layers, bases + 1, E, H), the last of them for self.
        coefficients: (layers, bases, 2R).
        bias: (layers, H), added to what a node says to itself.
        kinds: at least 2R + 1, a power of two.

    Returns:
        (layers, kinds, H), zeros from 2R + 1 on.
    """
    result: Tensor = _Speak.apply(labels, label_bases, coefficients, bias, kinds)
    return result


class _Speak(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        labels: Tensor,
        label_bases: Tensor,
        coefficients: Tensor,
        bias: Tensor,
        kinds: int,
    ) -> Tensor:
        labels = labels.contiguous()
        layers, _, _, hidden = label_bases.shape
        spoken = label_bases.new_empty(layers, kinds, hidden)
        _forward[(layers, hidden // COLUMNS)](
            labels,
            label_bases,
            coefficients,
            bias,
            spoken,
            COLUMNS=COLUMNS,
            **_sizes(label_bases, coefficients, kinds),
        )
        ctx.save_for_backward(labels, label_bases, coefficients)
        return spoken

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, d_spoken: Tensor) -> tuple[Tensor | None, ...]:
        labels, label_bases, coefficients = ctx.saved_tensors
        d_spoken = d_spoken.contiguous()
        layers, kinds, _ = d_spoken.shape
        terms = label_bases.shape[1]
        d_bases, d_coefficients = torch.empty_like(label_bases), torch.empty_like(coefficients)
        d_bias = d_spoken.new_empty(layers, d_spoken.shape[-1])
        partial = labels.new_empty(layers * terms, *labels.shape)
        _backward[(layers, terms)](
            labels,
            label_bases,
            coefficients,
            d_spoken,
            partial,
            d_bases,
            d_coefficients,
            d_bias,
            **_sizes(label_bases, coefficients, kinds),
        )
        return partial.sum(0), d_bases, d_coefficients, d_bias, None


def _sizes(label_bases: Tensor, coefficients: Tensor, kinds: int) -> dict[str, Any]:
    _, bases, own = coefficients.shape
    return {
        "OWN": own,
        "E": label_bases.shape[2],
        "H": label_bases.shape[3],
        "KINDS": kinds,
        "BASES": bases,
        "CHUNK": CHUNK,
        "PRECISION": precision(),
        "num_warps": 4,
    }


@triton.jit
def _weights(coefficients, layer, term, kind, OWN: tl.constexpr, BASES: tl.constexpr):
    """How much of a term each kind has: a relation some of each basis, self all of the last."""
    has_some = kind < tl.where(term < BASES, OWN, 0)
    some = tl.load(coefficients + (layer * BASES + term) * OWN + kind, has_some, 0.0)
    return tl.where(kind == tl.where(term < BASES, -1, OWN), 1.0, some)


@triton.jit
def _forward(
    labels,
    label_bases,
    coefficients,
    bias,
    spoken,
    OWN: tl.constexpr,
    E: tl.constexpr,
    H: tl.constexpr,
    KINDS: tl.constexpr,
    BASES: tl.constexpr,
    CHUNK: tl.constexpr,
    COLUMNS: tl.constexpr,
    PRECISION: tl.constexpr,
):
    layer = tl.program_id(0)
    columns = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    kind = tl.arange(0, KINDS)
    result = tl.zeros((KINDS, COLUMNS), tl.float32)
    for term in range(BASES + 1):
        weights = _weights(coefficients, layer, term, kind, OWN, BASES)
        for start in range(0, E, CHUNK):
            places = start + tl.arange(0, CHUNK)
            label = tl.load(
                labels + kind[:, None] * E + places[None, :],
                (kind <= OWN)[:, None] & (places < E)[None, :],
                0.0,
            )
            basis = tl.load(
                label_bases
                + (layer * (BASES + 1) + term) * (E * H)
                + (places[:, None] * H + columns[None, :]),
                (places < E)[:, None],
                0.0,
            )
            result += multiply(weights[:, None] * label, basis, PRECISION)
    alone = tl.load(bias + layer * H + columns)
    result += tl.where(kind == OWN, 1.0, 0.0)[:, None] * alone[None, :]
    tl.store(spoken + (layer * KINDS + kind)[:, None] * H + columns[None, :], result)


@triton.jit
def _backward(
    labels,
    label_bases,
    coefficients,
    d_spoken,
    partial,
    d_bases,
    d_coefficients,
    d_bias,
    OWN: tl.constexpr,
    E: tl.constexpr,
    H: tl.constexpr,
    KINDS: tl.constexpr,
    BASES: tl.constexpr,
    CHUNK: tl.constexpr,
    PRECISION: tl.constexpr,
):
    layer, term = tl.program_id(0), tl.program_id(1)
    program = layer * (BASES + 1) + term
    kind = tl.arange(0, KINDS)
    columns = tl.arange(0, H)
    weights = _weights(coefficients, layer, term, kind, OWN, BASES)
    wanted = tl.load(d_spoken + (layer * KINDS + kind)[:, None] * H + columns[None, :])
    sums = tl.zeros((KINDS,), tl.float32)
    for start in range(0, E, CHUNK):
        places = start + tl.arange(0, CHUNK)
        of_label = kind[:, None] * E + places[None, :]
        there = (kind <= OWN)[:, None] & (places < E)[None, :]
        label = tl.load(labels + of_label, there, 0.0)
        of_basis = program * (E * H) + places[:, None] * H + columns[None, :]
        basis = tl.load(label_bases + of_basis, (places < E)[:, None], 0.0)
        d_label = multiply(wanted, tl.trans(basis), PRECISION)
        sums += tl.sum(label * d_label, 1)
        tl.store(partial + program * ((OWN + 1) * E) + of_label, weights[:, None] * d_label, there)
        d_basis = multiply(tl.trans(weights[:, None] * label), wanted, PRECISION)
        tl.store(d_bases + of_basis, d_basis, (places < E)[:, None])
    tl.store(
        d_coefficients + (layer * BASES + term) * OWN + kind,
        sums,
        kind < tl.where(term < BASES, OWN, 0),
    )
    own = tl.sum(tl.where((kind == OWN)[:, None], wanted, 0.0), 0)
    tl.store(d_bias + layer * H + columns, own, columns < tl.where(term < BASES, 0, H))
