"""The kernels of the aggregator's backward pass, divided as in ``aggregation_sides``.

With A the weights of the own side's softmax, B those of the other side's, P and Q of the own side
and p and q of the other (P = A other, Q = A p), and the gradient of each written with a d:

    dP += B' dq
    dA = dQ p' + dP other',   dB = dq P' + dp own'
    dS = A * (dA - rowsum(A * dA)) + (B * (dB - rowsum(B * dB)))'
    rowsum(A * dA) = rowsum(dQ * Q + dP * P)
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
from gata.nn.fused.tiles import load_rows, multiply, store_rows


@triton.jit(do_not_specialize=COUNTS, do_not_specialize_on_alignment=MASKS)
def seen_gradient_kernel(
    first,
    second,
    first_mask,
    second_mask,
    similarity,
    seen,
    echo,
    logs,
    seen_gradient,
    echo_gradient,
    products,
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
    """What P gets through the other side's Q, added to what it has; and rowsum(A * dA)."""
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
    there = load_mask(own_side, places, inside)
    own = load_rows(own_side.vectors, rows, inside, H, H)
    own_term = tl.sum(own * own_weight[None, :], 1)
    own *= own_factor[None, :]

    d_p = load_rows(seen_gradient, own_side.start + rows, inside, H, H)
    for start in range(0, end, OTHERS):
        others = start + tl.arange(0, OTHERS)
        other_inside = others < other_side.length
        other_rows = state * other_side.length + others
        other = load_rows(other_side.vectors, other_rows, other_inside, H, H)
        log = tl.load(logs + other_side.start + other_rows, mask=other_inside, other=float("inf"))
        s = scores(own, other, own_term, other_weight, other_factor, PRECISION)
        weights = attention(s, log[None, :], there[:, None])
        other_echo = load_rows(echo_gradient, other_side.start + other_rows, other_inside, H, H)
        d_p += multiply(weights, other_echo, PRECISION)
    store_rows(seen_gradient, own_side.start + rows, inside, d_p, H, H)
    product = d_p * load_rows(seen, own_side.start + rows, inside, H, H)
    d_q = load_rows(echo_gradient, own_side.start + rows, inside, H, H)
    product += d_q * load_rows(echo, own_side.start + rows, inside, H, H)
    tl.store(products + own_side.start + rows, tl.sum(product, 1), mask=inside)


@triton.jit(do_not_specialize=COUNTS, do_not_specialize_on_alignment=MASKS)
def own_gradient_kernel(
    first,
    second,
    first_mask,
    second_mask,
    similarity,
    seen,
    logs,
    seen_gradient,
    echo_gradient,
    products,
    own_gradient,
    partial,
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
    """What the sides get through P and S, added to what they have; and the weights of S."""
    state = tl.program_id(0)
    partial += (state * tl.num_programs(1) + tl.program_id(1)) * (2 if ALIKE else 3) * H
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
    own_rows = own_side.start + rows
    there = load_mask(own_side, places, inside)
    own = load_rows(own_side.vectors, rows, inside, H, H)
    own_term = tl.sum(own * own_weight[None, :], 1)
    scaled = own * own_factor[None, :]
    p = load_rows(seen, own_rows, inside, H, H)
    d_p = load_rows(seen_gradient, own_rows, inside, H, H)
    d_q = load_rows(echo_gradient, own_rows, inside, H, H)
    log = tl.load(logs + own_rows, mask=inside, other=float("inf"))
    product = tl.load(products + own_rows, mask=inside, other=0.0)

    through_p = tl.zeros([ROWS, H], tl.float32)
    through_s = tl.zeros([ROWS, H], tl.float32)
    row_sums = tl.zeros([ROWS], tl.float32)
    for start in range(0, end, OTHERS):
        others = start + tl.arange(0, OTHERS)
        other_inside = others < other_side.length
        other_rows = state * other_side.length + others
        other_there = load_mask(other_side, others, other_inside)
        other = load_rows(other_side.vectors, other_rows, other_inside, H, H)
        other_rows += other_side.start
        other_log = tl.load(logs + other_rows, mask=other_inside, other=float("inf"))
        other_product = tl.load(products + other_rows, mask=other_inside, other=0.0)
        s = scores(scaled, other, own_term, other_weight, other_factor, PRECISION)
        # A and its gradient, then B turned and its gradient.
        weights = attention(s, log[:, None], other_there[None, :])
        d_weights = multiply(d_p, tl.trans(other), PRECISION)
        other_seen = load_rows(seen, other_rows, other_inside, H, H)
        d_weights += multiply(d_q, tl.trans(other_seen), PRECISION)
        d_s = weights * (d_weights - product[:, None])
        weights = attention(s, other_log[None, :], there[:, None])
        other_d_p = load_rows(seen_gradient, other_rows, other_inside, H, H)
        d_weights = multiply(own, tl.trans(other_d_p), PRECISION)
        through_p += multiply(weights, other_d_p, PRECISION)
        other_d_q = load_rows(echo_gradient, other_rows, other_inside, H, H)
        d_weights += multiply(p, tl.trans(other_d_q), PRECISION)
        d_s += weights * (d_weights - other_product[None, :])
        through_s += multiply(d_s, other, PRECISION)
        row_sums += tl.sum(d_s, 1)

    columns = tl.arange(0, H)
    of_both = tl.load(similarity + (H if ALIKE else 2 * H) + columns)
    d_own = load_rows(own_gradient, own_rows, inside, H, H) + through_p
    d_own += through_s * of_both[None, :] + row_sums[:, None] * own_weight[None, :]
    store_rows(own_gradient, own_rows, inside, d_own, H, H)

    of_own = tl.sum(row_sums[:, None] * own, 0)
    nothing = tl.zeros([H], tl.float32)
    # Both sides have found the same sum for the product of theirs.
    product_sum = tl.where(is_first, tl.sum(through_s * own, 0), nothing)
    if ALIKE:
        tl.store(partial + columns, of_own)
        tl.store(partial + H + columns, product_sum)
    else:
        tl.store(partial + columns, tl.where(is_first, of_own, nothing))
        tl.store(partial + H + columns, tl.where(is_first, nothing, of_own))
        tl.store(partial + 2 * H + columns, product_sum)
