"""Kernels that mix relations and their inverses, and that find the gradients of the mixing."""

import triton
import triton.language as tl

from gata.nn.fused.tiles import multiply


@triton.jit(do_not_specialize=["batch_stride", "mixed_stride"])
def mix_kernel(
    adjacency,
    coefficients,
    mixed,
    degrees,
    batch_stride,
    mixed_stride,
    R: tl.constexpr,
    MIXTURES: tl.constexpr,
    N: tl.constexpr,
    WIDTH: tl.constexpr,
    KINDS: tl.constexpr,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
    SUM_ROWS: tl.constexpr,
    SUM_COLUMNS: tl.constexpr,
):
    """A piece of all mixtures of one graph, or the degrees by one relation."""
    across: tl.constexpr = (N + COLUMNS - 1) // COLUMNS
    pieces: tl.constexpr = (N + ROWS - 1) // ROWS * across
    batch, part = tl.program_id(0) // (pieces + R), tl.program_id(0) % (pieces + R)
    graph, degrees = adjacency + batch * batch_stride, degrees + batch * (N * KINDS)
    if part < pieces:
        rows = part // across * ROWS + tl.arange(0, ROWS)
        columns = part % across * COLUMNS + tl.arange(0, COLUMNS)
        _mix_piece(
            *(graph, coefficients, mixed + batch * MIXTURES * mixed_stride, mixed_stride),
            *(rows, columns, R, MIXTURES, N, WIDTH, ROWS, COLUMNS),
        )
    else:
        relation = part - pieces
        _add_up(
            *(graph + relation * (N * N), degrees + relation, degrees + R + relation),
            *(N, KINDS, SUM_ROWS, SUM_COLUMNS),
        )
        if relation == 0:
            nodes = tl.arange(0, SUM_ROWS)
            for kind in range(2 * R, KINDS):
                one = tl.where(nodes < N, kind == 2 * R, False).to(tl.float32)
                tl.store(degrees + nodes * KINDS + kind, one, nodes < N)


@triton.jit
def _mix_piece(
    graph,
    coefficients,
    mixed,
    mixed_stride,
    rows,
    columns,
    R: tl.constexpr,
    MIXTURES: tl.constexpr,
    N: tl.constexpr,
    WIDTH: tl.constexpr,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
):
    """Write ``rows`` and ``columns`` of all mixtures.

    All that is read stays in registers. Numbers are multiplied one by one, in float32: with so few
    relations, getting them into the shape that tensor cores want takes longer than that.
    """
    there = (rows < N)[:, None] & (columns < N)[None, :]
    # Read along the rows of memory too, and turned when all is on its way.
    places = columns[:, None] * N + rows[None, :]
    turned: tl.tuple = ()
    for r in tl.static_range(R):
        turned += (tl.load(graph + r * (N * N) + places, tl.trans(there), 0.0),)
    places = rows[:, None] * N + columns[None, :]
    straight: tl.tuple = ()
    for r in tl.static_range(R):
        straight += (tl.load(graph + r * (N * N) + places, there, 0.0),)
    inverse: tl.tuple = ()
    for r in tl.static_range(R):
        # Both are zero where nothing is there. Named together, they are brought to the threads of
        # the second, once; else the compiler would do so for each mixture.
        inverse += (tl.where(there, tl.trans(turned[r]), straight[r]),)
    places = rows[:, None] * WIDTH + columns[None, :]
    there = (rows < N)[:, None] & (columns < WIDTH)[None, :]
    for k in range(MIXTURES):
        factors = coefficients + k * (2 * R)
        total = tl.zeros((ROWS, COLUMNS), tl.float32)
        for r in tl.static_range(R):
            total += tl.load(factors + r) * straight[r]
            total += tl.load(factors + R + r) * inverse[r]
        # The stride is an argument lest the compiler know that rows are aligned: it would have
        # threads write four numbers each, and first move all totals from those that have them.
        tl.store(mixed + k * mixed_stride + places, total, there)


@triton.jit
def _add_up(
    matrix,
    by_row,
    by_column,
    N: tl.constexpr,
    STEP: tl.constexpr,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
):
    """Write the sums over rows and over columns, STEP apart."""
    rows = tl.arange(0, ROWS)
    total = tl.zeros((ROWS, COLUMNS), tl.float32)
    for left in range(0, N, COLUMNS):
        columns = left + tl.arange(0, COLUMNS)
        values = tl.load(
            matrix + rows[:, None] * N + columns[None, :],
            (rows < N)[:, None] & (columns < N)[None, :],
            0.0,
        )
        tl.store(by_column + columns * STEP, tl.sum(values, 0), columns < N)
        total += values
    tl.store(by_row + rows * STEP, tl.sum(total, 1), rows < N)


@triton.jit(do_not_specialize=["batch_stride", "pieces"])
def mix_gradient_kernel(
    adjacency,
    gradient,
    partial,
    batch_stride,
    pieces,
    R: tl.constexpr,
    MIXTURES: tl.constexpr,
    N: tl.constexpr,
    WIDTH: tl.constexpr,
    SOME_RELATIONS: tl.constexpr,
    SOME_MIXTURES: tl.constexpr,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
    PRECISION: tl.constexpr,
):
    """The coefficients' gradients, as far as the pieces of this program give them."""
    across: tl.constexpr = (N + COLUMNS - 1) // COLUMNS
    each: tl.constexpr = (N + ROWS - 1) // ROWS * across
    size: tl.constexpr = ROWS * COLUMNS
    relation = tl.arange(0, SOME_RELATIONS)
    mixture = tl.arange(0, SOME_MIXTURES)
    place = tl.arange(0, size)
    along = tl.zeros((SOME_MIXTURES, SOME_RELATIONS), tl.float32)
    against = tl.zeros((SOME_MIXTURES, SOME_RELATIONS), tl.float32)
    for piece in range(tl.program_id(0), pieces, tl.num_programs(0)):
        batch = piece // each
        top, left = piece % each // across * ROWS, piece % across * COLUMNS
        source = adjacency + batch * batch_stride + relation[:, None] * (N * N)
        # Both read along the rows of memory: in the first, rows of the piece are what is close.
        row, column = top + place % ROWS, left + place // ROWS
        turned = tl.load(
            source + (column * N + row)[None, :],
            (relation < R)[:, None] & ((row < N) & (column < N))[None, :],
            0.0,
        )
        row, column = top + place // COLUMNS, left + place % COLUMNS
        straight = tl.load(
            source + (row * N + column)[None, :],
            (relation < R)[:, None] & ((row < N) & (column < N))[None, :],
            0.0,
        )
        wanted = tl.load(
            gradient
            + (batch * MIXTURES + mixture)[:, None] * (N * WIDTH)
            + (row * WIDTH + column)[None, :],
            (mixture < MIXTURES)[:, None] & ((row < N) & (column < WIDTH))[None, :],
            0.0,
        )
        # All that these choose of the other is zeros. But named together, they are used only when
        # all is on its way, and are brought to the same threads.
        real = (relation < R)[:, None]
        turned = tl.where(real, turned, straight)
        turned = tl.permute(tl.reshape(turned, (SOME_RELATIONS, COLUMNS, ROWS)), (0, 2, 1))
        turned = tl.reshape(turned, (SOME_RELATIONS, size))
        straight, turned = tl.where(real, straight, turned), tl.where(real, turned, straight)
        along += multiply(wanted, tl.trans(straight), PRECISION)
        against += multiply(wanted, tl.trans(turned), PRECISION)
    of_mixture = (
        partial + (tl.program_id(0) * MIXTURES + mixture)[:, None] * (2 * R) + relation[None, :]
    )
    there = (mixture < MIXTURES)[:, None] & (relation < R)[None, :]
    tl.store(of_mixture, along, there)
    tl.store(of_mixture + R, against, there)
