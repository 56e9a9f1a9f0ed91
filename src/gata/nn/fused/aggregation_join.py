"""The kernel that goes back through what the aggregator does last: L [own; P; own * P; own * Q]."""

import triton
import triton.language as tl

from gata.nn.fused.aggregation_sides import COUNTS, MASKS
from gata.nn.fused.tiles import load_matrix, load_rows, multiply, store_matrix, store_rows


@triton.jit(do_not_specialize=[*COUNTS, "states", "blocks"], do_not_specialize_on_alignment=MASKS)
def join_gradient_kernel(
    first,
    second,
    first_mask,
    second_mask,
    seen,
    echo,
    weight,
    first_gradient,
    second_gradient,
    own_gradient,
    seen_gradient,
    echo_gradient,
    partial,
    states,
    blocks,
    first_length,
    second_length,
    first_blocks,
    first_state,
    first_place,
    second_state,
    second_place,
    H: tl.constexpr,
    ROWS: tl.constexpr,
    PRECISION: tl.constexpr,
):
    """From the gradient of what is joined to those of its parts, and of the weights.

    Each program goes through some blocks of rows and leaves 4 H H + H numbers: its part of the
    gradient of weights and bias.
    """
    program, programs = tl.program_id(0), tl.num_programs(0)
    of_own = tl.zeros([H, H], tl.float32)
    of_seen = tl.zeros([H, H], tl.float32)
    of_both = tl.zeros([H, H], tl.float32)
    of_echo = tl.zeros([H, H], tl.float32)
    bias = tl.zeros([H], tl.float32)
    for block in range(program, blocks, programs):
        if block < first_blocks:
            own_values, length, own_start = first, first_length, 0
            gradients, mask = first_gradient, first_mask
            state_step, place_step = first_state, first_place
            start = block * ROWS
        else:
            own_values, length, own_start = second, second_length, states * first_length
            gradients, mask = second_gradient, second_mask
            state_step, place_step = second_state, second_place
            start = (block - first_blocks) * ROWS
        rows = start + tl.arange(0, ROWS)
        inside = rows < states * length
        steps = rows // length * state_step + rows % length * place_step
        there = tl.load(mask + steps, mask=inside, other=0)
        d_own = tl.zeros([ROWS, H], tl.float32)
        d_p = tl.zeros([ROWS, H], tl.float32)
        d_q = tl.zeros([ROWS, H], tl.float32)
        if tl.max(there.to(tl.int32), 0) != 0:
            out = load_rows(gradients, rows, there, H, H)
            own = load_rows(own_values, rows, inside, H, H)
            p = load_rows(seen, own_start + rows, inside, H, H)
            q = load_rows(echo, own_start + rows, inside, H, H)

            turned = tl.trans(out)
            of_own += multiply(turned, own, PRECISION)
            of_seen += multiply(turned, p, PRECISION)
            of_both += multiply(turned, own * p, PRECISION)
            of_echo += multiply(turned, own * q, PRECISION)
            bias += tl.sum(out, 0)

            through = multiply(out, load_matrix(weight + 2 * H, 4 * H, H), PRECISION)
            d_own += through * p
            d_p += through * own + multiply(out, load_matrix(weight + H, 4 * H, H), PRECISION)
            through = multiply(out, load_matrix(weight + 3 * H, 4 * H, H), PRECISION)
            d_q += through * own
            d_own += through * q + multiply(out, load_matrix(weight, 4 * H, H), PRECISION)
        store_rows(seen_gradient, own_start + rows, inside, d_p, H, H)
        store_rows(echo_gradient, own_start + rows, inside, d_q, H, H)
        store_rows(own_gradient, own_start + rows, inside, d_own, H, H)
    partial += program * (4 * H * H + H)
    store_matrix(partial, 4 * H, of_own, H)
    store_matrix(partial + H, 4 * H, of_seen, H)
    store_matrix(partial + 2 * H, 4 * H, of_both, H)
    store_matrix(partial + 3 * H, 4 * H, of_echo, H)
    tl.store(partial + 4 * H * H + tl.arange(0, H), bias)
