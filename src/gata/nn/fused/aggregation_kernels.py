"""The kernels of the aggregator's forward pass; ``aggregation`` puts them together.

Both sides do the same with each other, so one launch serves both: a program has a state and a block
of rows of one side, its own, and walks along the rows of the other side of that state. What is
calculated for both sides lies in one tensor, all rows of the first side before those of the second.
"""

import triton
import triton.language as tl

from gata.nn.fused.tiles import load_matrix, load_rows, multiply, store_rows

COUNTS = [
    "first_length",
    "second_length",
    "first_blocks",
    "first_state",
    "first_place",
    "second_state",
    "second_place",
]
"""What changes from batch to batch: lengths, blocks, and the strides of the masks, from one state
and one place to the next. Kernels are not compiled anew for it."""
MASKS = ["first_mask", "second_mask"]
"""They may begin anywhere; likewise."""


@triton.jit
def similarity_rows(similarity, is_first, ALIKE: tl.constexpr, H: tl.constexpr):
    """The weights of the own and the other side, and what to multiply them with for the product.

    It is always the first side that is multiplied: S is the same number from both sides.
    """
    columns = tl.arange(0, H)
    of_first = tl.load(similarity + columns)
    of_second = tl.load(similarity + (0 if ALIKE else H) + columns)
    of_both = tl.load(similarity + (H if ALIKE else 2 * H) + columns)
    own = tl.where(is_first, of_first, of_second)
    other = tl.where(is_first, of_second, of_first)
    return own, other, tl.where(is_first, of_both, 1.0), tl.where(is_first, 1.0, of_both)


@triton.jit
def scores(own, other, own_term, other_weight, other_factor, PRECISION: tl.constexpr):
    """S of a block of one side, multiplied already, and some rows of the other."""
    product = multiply(own, tl.trans(other * other_factor[None, :]), PRECISION)
    other_term = tl.sum(other * other_weight[None, :], 1)
    return product + own_term[:, None] + other_term[None, :]


@triton.jit
def attention(s, log, there):
    """The weights of a softmax of which the sums are known."""
    return tl.exp(tl.where(there, s - log, float("-inf")))


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
    PRECISION: tl.constexpr,
):
    """P of both sides, and the logarithms of the sums of their softmax."""
    state, block = tl.program_id(0), tl.program_id(1)
    is_first = block < first_blocks
    first_rows = tl.num_programs(0) * first_length
    if is_first:
        own_values, own_length, own_start = first, first_length, 0
        other_values, other_length = second, second_length
        other_mask = second_mask + state * second_state
        step = second_place
    else:
        own_values, own_length, own_start = second, second_length, first_rows
        other_values, other_length = first, first_length
        other_mask = first_mask + state * first_state
        step = first_place
        block -= first_blocks
    own_weight, other_weight, own_factor, other_factor = similarity_rows(
        similarity, is_first, ALIKE, H
    )
    places = block * ROWS + tl.arange(0, ROWS)
    inside = places < own_length
    rows = state * own_length + places
    own = load_rows(own_values, rows, inside, H, H)
    own_term = tl.sum(own * own_weight[None, :], 1)
    own *= own_factor[None, :]

    highest = tl.full([ROWS], float("-inf"), tl.float32)
    total = tl.zeros([ROWS], tl.float32)
    sums = tl.zeros([ROWS, H], tl.float32)
    for start in range(0, other_length, OTHERS):
        others = start + tl.arange(0, OTHERS)
        other_inside = others < other_length
        there = tl.load(other_mask + others * step, mask=other_inside, other=0)
        other = load_rows(other_values, state * other_length + others, other_inside, H, H)
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
    store_rows(seen, own_start + rows, inside, sums / total[:, None], H, H)
    log = tl.where(nothing, 0.0, highest + tl.log(total))
    tl.store(logs + own_start + rows, log, mask=inside)


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
    PRECISION: tl.constexpr,
):
    """Q of both sides, and all of it joined: L [own; P; own * P; own * Q], hidden."""
    state, block = tl.program_id(0), tl.program_id(1)
    is_first = block < first_blocks
    first_rows = tl.num_programs(0) * first_length
    if is_first:
        own_values, own_length, own_start = first, first_length, 0
        other_values, other_length, other_start = second, second_length, first_rows
        own_mask, own_step = first_mask + state * first_state, first_place
        other_mask, other_step = second_mask + state * second_state, second_place
    else:
        own_values, own_length, own_start = second, second_length, first_rows
        other_values, other_length, other_start = first, first_length, 0
        own_mask, own_step = second_mask + state * second_state, second_place
        other_mask, other_step = first_mask + state * first_state, first_place
        block -= first_blocks
    own_weight, other_weight, own_factor, other_factor = similarity_rows(
        similarity, is_first, ALIKE, H
    )
    places = block * ROWS + tl.arange(0, ROWS)
    inside = places < own_length
    rows = state * own_length + places
    own = load_rows(own_values, rows, inside, H, H)
    own_term = tl.sum(own * own_weight[None, :], 1)
    scaled = own * own_factor[None, :]
    log = tl.load(logs + own_start + rows, mask=inside, other=float("inf"))

    q = tl.zeros([ROWS, H], tl.float32)
    for start in range(0, other_length, OTHERS):
        others = start + tl.arange(0, OTHERS)
        other_inside = others < other_length
        other_rows = state * other_length + others
        there = tl.load(other_mask + others * other_step, mask=other_inside, other=0)
        other = load_rows(other_values, other_rows, other_inside, H, H)
        s = scores(scaled, other, own_term, other_weight, other_factor, PRECISION)
        weights = attention(s, log[:, None], there[None, :])
        other_seen = load_rows(seen, other_start + other_rows, other_inside, H, H)
        q += multiply(weights, other_seen, PRECISION)
    store_rows(echo, own_start + rows, inside, q, H, H)

    p = load_rows(seen, own_start + rows, inside, H, H)
    out = multiply(own, tl.trans(load_matrix(weight, 4 * H, H)), PRECISION)
    out += multiply(p, tl.trans(load_matrix(weight + H, 4 * H, H)), PRECISION)
    turned = tl.trans(load_matrix(weight + 2 * H, 4 * H, H))
    out += multiply(own * p, turned, PRECISION)
    turned = tl.trans(load_matrix(weight + 3 * H, 4 * H, H))
    out += multiply(own * q, turned, PRECISION)
    out += tl.load(bias + tl.arange(0, H))[None, :]
    there = tl.load(own_mask + places * own_step, mask=inside, other=0)
    store_rows(joined, own_start + rows, inside, tl.where(there[:, None], out, 0.0), H, H)
