"""The kernels of the aggregator's forward pass; ``aggregation`` puts them together.

How they divide the work is said in ``aggregation_sides``.
"""

import triton
import triton.language as tl

from gata.nn.fused.aggregation_sides import (
    COUNTS,
    MASKS,
    attention,
    end_of_others,
    load_mask,
    scores,
    sides_of_program,
    similarity_rows,
)
from gata.nn.fused.tiles import load_matrix, load_rows, multiply, store_rows


@triton.jit(do_not_specialize=COUNTS, do_not_specialize_on_alignment=MASKS)
def look_kernel(
    first,
    second,
    first_mask,
    second_mask,
    similarity,
    seen,
    logs,
    first_length,
    second_length,
    first_blocks,
    first_state,
    first_place,
    second_state,
    second_place,
    ALIKE: tl.constexpr,
    H: tl.constexpr,
    ROWS: tl.constexpr,
    OTHERS: tl.constexpr,
    WIDTH: tl.constexpr,
    PRECISION: tl.constexpr,
):
    """P of both sides, and the logarithms of the sums of their softmax."""
    state = tl.program_id(0)
    block, is_first, own_side, other_side = sides_of_program(
        *(first, second, first_mask, second_mask, first_length, second_length, first_blocks),
        *(first_state, first_place, second_state, second_place),
    )
    own_weight, other_weight, own_factor, other_factor = similarity_rows(
        similarity, is_first, ALIKE, H
    )
    end = end_of_others(own_side, other_side, block * ROWS, WIDTH)
    places = block * ROWS + tl.arange(0, ROWS)
    inside = places < own_side.length
    rows = state * own_side.length + places
    own = load_rows(own_side.vectors, rows, inside, H, H)
    own_term = tl.sum(own * own_weight[None, :], 1)
    own *= own_factor[None, :]

    highest = tl.full([ROWS], float("-inf"), tl.float32)
    total = tl.zeros([ROWS], tl.float32)
    sums = tl.zeros([ROWS, H], tl.float32)
    for start in range(0, end, OTHERS):
        others = start + tl.arange(0, OTHERS)
        other_inside = others < other_side.length
        there = load_mask(other_side, others, other_inside)
        other = load_rows(
            other_side.vectors, state * other_side.length + others, other_inside, H, H
        )
        s = scores(own, other, own_term, other_weight, other_factor, PRECISION)
        s = tl.where(there[None, :], s, float("-inf"))
        now = tl.maximum(highest, tl.max(s, 1))
        # Of a row that has seen nothing yet: minus infinity less itself would be no number.
        level = tl.where(now == float("-inf"), 0.0, now)
        weights = tl.exp(s - level[:, None])
        fading = tl.exp(highest - level)
        total = total * fading + tl.sum(weights, 1)
        sums = sums * fading[:, None] + multiply(weights, other, PRECISION)
        highest = now
    nothing = total == 0.0
    total = tl.where(nothing, 1.0, total)
    store_rows(seen, own_side.start + rows, inside, sums / total[:, None], H, H)
    # As behind the end: whatever the score, this row's softmax gives nobody anything.
    log = tl.where(nothing, float("inf"), highest + tl.log(total))
    tl.store(logs + own_side.start + rows, log, mask=inside)


@triton.jit(do_not_specialize=COUNTS, do_not_specialize_on_alignment=MASKS)
def answer_kernel(
    first,
    second,
    first_mask,
    second_mask,
    similarity,
    seen,
    logs,
    weight,
    bias,
    echo,
    joined,
    first_length,
    second_length,
    first_blocks,
    first_state,
    first_place,
    second_state,
    second_place,
    ALIKE: tl.constexpr,
    H: tl.constexpr,
    ROWS: tl.constexpr,
    OTHERS: tl.constexpr,
    WIDTH: tl.constexpr,
    PRECISION: tl.constexpr,
):
    """Q of both sides, and all of it joined: L [own; P; own * P; own * Q], hidden."""
    state = tl.program_id(0)
    block, is_first, own_side, other_side = sides_of_program(
        *(first, second, first_mask, second_mask, first_length, second_length, first_blocks),
        *(first_state, first_place, second_state, second_place),
    )
    own_weight, other_weight, own_factor, other_factor = similarity_rows(
        similarity, is_first, ALIKE, H
    )
    end = end_of_others(own_side, other_side, block * ROWS, WIDTH)
    places = block * ROWS + tl.arange(0, ROWS)
    inside = places < own_side.length
    rows = state * own_side.length + places
    own = load_rows(own_side.vectors, rows, inside, H, H)
    own_term = tl.sum(own * own_weight[None, :], 1)
    scaled = own * own_factor[None, :]
    log = tl.load(logs + own_side.start + rows, mask=inside, other=float("inf"))

    q = tl.zeros([ROWS, H], tl.float32)
    for start in range(0, end, OTHERS):
        others = start + tl.arange(0, OTHERS)
        other_inside = others < other_side.length
        other_rows = state * other_side.length + others
        there = load_mask(other_side, others, other_inside)
        other = load_rows(other_side.vectors, other_rows, other_inside, H, H)
        s = scores(scaled, other, own_term, other_weight, other_factor, PRECISION)
        weights = attention(s, log[:, None], there[None, :])
        other_seen = load_rows(seen, other_side.start + other_rows, other_inside, H, H)
        q += multiply(weights, other_seen, PRECISION)
    store_rows(echo, own_side.start + rows, inside, q, H, H)

    p = load_rows(seen, own_side.start + rows, inside, H, H)
    out = multiply(own, tl.trans(load_matrix(weight, 4 * H, H)), PRECISION)
    out += multiply(p, tl.trans(load_matrix(weight + H, 4 * H, H)), PRECISION)
    turned = tl.trans(load_matrix(weight + 2 * H, 4 * H, H))
    out += multiply(own * p, turned, PRECISION)
    turned = tl.trans(load_matrix(weight + 3 * H, 4 * H, H))
    out += multiply(own * q, turned, PRECISION)
    out += tl.load(bias + tl.arange(0, H))[None, :]
    there = load_mask(own_side, places, inside)
    store_rows(joined, own_side.start + rows, inside, tl.where(there[:, None], out, 0.0), H, H)
