"""What the aggregator's kernels share: whose rows a program has, and how much those attend to whom.

Both sides do the same with each other, so one launch serves both: a program has a state and a block
of rows of one side, its own, and walks along the rows of the other side of that state. What is
calculated for both sides lies in one tensor, all rows of the first side before those of the second.
"""

from typing import Any, NamedTuple

import triton
import triton.language as tl

from gata.nn.fused.tiles import end_of, multiply

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
and one place to the next. Kernels are not compiled anew for it, but where the longer side passes a
power of two."""
MASKS = ["first_mask", "second_mask"]
"""They may begin anywhere; likewise."""


class Side(NamedTuple):
    """One of both, as a program sees it: numbers and pointers of Triton's language."""

    length: Any
    """Rows of a state."""
    mask: Any
    """Of the program's state."""
    start: Any
    """The row where this side begins in what is calculated for both."""
    step: Any
    """From one place of the mask to the next."""
    vectors: Any
    """Of all states."""


@triton.jit
def sides_of_program(
    first,
    second,
    first_mask,
    second_mask,
    first_length,
    second_length,
    first_blocks,
    first_state,
    first_place,
    second_state,
    second_place,
):
    """The number of the program's block, whether it is of the first side, its own and the other."""
    state, block = tl.program_id(0), tl.program_id(1)
    is_first = block < first_blocks
    first_rows = tl.num_programs(0) * first_length
    if is_first:
        own = Side(first_length, first_mask + state * first_state, 0, first_place, first)
        other = Side(
            second_length, second_mask + state * second_state, first_rows, second_place, second
        )
    else:
        own = Side(
            second_length, second_mask + state * second_state, first_rows, second_place, second
        )
        other = Side(first_length, first_mask + state * first_state, 0, first_place, first)
        block -= first_blocks
    return block, is_first, own, other


@triton.jit
def load_mask(side, places, inside):
    """Which of some places of a side are there; those that are not ``inside`` are not."""
    return tl.load(side.mask + places * side.step, mask=inside, other=0)


@triton.jit
def end_of_others(own_side, other_side, start, WIDTH: tl.constexpr):
    """How far to walk along the other side: to its last row that is there.

    Nowhere, if the own rows, from ``start`` on, are behind the last one of their side: most of a
    text can be padding, which nobody looks at and which looks at nobody.
    """
    own_end = end_of(own_side.mask, own_side.step, own_side.length, WIDTH)
    other_end = end_of(other_side.mask, other_side.step, other_side.length, WIDTH)
    return tl.where(start < own_end, other_end, 0)


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
