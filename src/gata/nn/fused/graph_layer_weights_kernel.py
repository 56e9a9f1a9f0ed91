"""The kernel of ``gata.nn.fused.graph_layer_weights``."""

import triton
import triton.language as tl

from gata.nn.fused.tiles import load_rows, multiply


@triton.jit
def _write(result, content, limit, SIZE: tl.constexpr, H: tl.constexpr):
    rows = tl.arange(0, SIZE)
    places = rows[:, None] * H + tl.arange(0, H)[None, :]
    tl.store(result + places, content, (rows < limit)[:, None])


@triton.jit
def _product(
    left,
    right,
    begin,
    end,
    result,
    there,
    limit,
    sums,
    N: tl.constexpr,
    H: tl.constexpr,
    SIZE: tl.constexpr,
    STEP: tl.constexpr,
    GRAPH: tl.constexpr,
    ROWS: tl.constexpr,
    PRECISION: tl.constexpr,
):
    """Write left^T right over rows ``begin`` to ``end``, and the sum of left if that is wanted.

    Rows of ``left`` lie STEP apart within a graph, graphs GRAPH apart; of its SIZE columns the
    first ``there`` can be read, and of those ``limit`` are wanted.
    """
    columns = tl.arange(0, SIZE)
    product = tl.zeros((SIZE, H), tl.float32)
    total = tl.zeros((SIZE,), tl.float32)
    for start in range(begin, end, ROWS):
        rows = start + tl.arange(0, ROWS)
        one = tl.load(
            left + (rows // N * GRAPH + rows % N * STEP)[:, None] + columns[None, :],
            (rows < end)[:, None] & (columns < there)[None, :],
            0.0,
        )
        other = load_rows(right, rows, rows < end, H, H)
        if SIZE == H:
            # All that this chooses of the other is zeros. But named together, neither is used
            # before both are on their way.
            one = tl.where((rows < end)[:, None], one, other)
        product += multiply(tl.trans(one), other, PRECISION)
        if sums is not None:
            total += tl.sum(one, 0)
    _write(result, product, limit, SIZE, H)
    if sums is not None:
        tl.store(sums + columns, total)


@triton.jit(do_not_specialize=["count"])
def shared_kernel(
    mixed,
    degrees,
    heard,
    between,
    news,
    d_messages,
    d_gates,
    d_first,
    partial,
    count,
    N: tl.constexpr,
    WIDTH: tl.constexpr,
    MIXTURES: tl.constexpr,
    H: tl.constexpr,
    KINDS: tl.constexpr,
    BASES: tl.constexpr,
    LAYERS: tl.constexpr,
    ROWS: tl.constexpr,
    PRECISION: tl.constexpr,
):
    """One matrix, named by the first grid axis, for one share, the second axis."""
    terms: tl.constexpr = BASES + 1
    later: tl.constexpr = (LAYERS - 1) * terms
    blocks: tl.constexpr = (N + H - 1) // H
    biases: tl.constexpr = (later + LAYERS) * H * H
    spoken: tl.constexpr = biases + LAYERS * H
    entered: tl.constexpr = spoken + LAYERS * KINDS * H
    numbers: tl.constexpr = entered + (BASES + 2) * N * H
    share = tl.program_id(1)
    result = partial + share * numbers
    size = count * (N * H)
    # Of this share, in nodes of all graphs.
    length = tl.cdiv(count * N, tl.num_programs(1) * ROWS) * ROWS
    begin = share * length
    end = tl.minimum(begin + length, count * N)
    matrix = tl.program_id(0)
    if matrix < later:
        layer, term = matrix // terms, matrix % terms
        left = heard + (layer * BASES + term) * size
        if term == BASES:
            left = between + layer * size
        _product(
            *(left, d_messages + (layer + 1) * size, begin, end, result + matrix * (H * H)),
            *(H, H, None, N, H, H, H, N * H, ROWS, PRECISION),
        )
    elif matrix < later + LAYERS:
        layer = matrix - later
        _product(
            *(d_gates + layer * size, news + layer * size, begin, end),
            *(result + matrix * (H * H), H, H, result + biases + layer * H),
            *(N, H, H, H, N * H, ROWS, PRECISION),
        )
    elif matrix < later + 2 * LAYERS:
        layer = matrix - later - LAYERS
        _product(
            *(degrees, d_messages + layer * size, begin, end),
            *(result + spoken + layer * (KINDS * H), KINDS, KINDS, None),
            *(N, H, KINDS, KINDS, N * KINDS, ROWS, PRECISION),
        )
    else:
        term = (matrix - later - 2 * LAYERS) // blocks
        block = (matrix - later - 2 * LAYERS) % blocks * H
        result += entered + (term * N + block) * H
        if term < BASES:
            left = mixed + term * (N * WIDTH) + block
            _product(
                # Rows are read to their aligned end.
                *(left, d_messages, begin, end, result, WIDTH - block, N - block, None),
                *(N, H, H, WIDTH, MIXTURES * N * WIDTH, ROWS, PRECISION),
            )
        else:
            source = d_messages
            if term > BASES:
                source = d_first
            total = tl.zeros((H, H), tl.float32)
            rows = block + tl.arange(0, H)
            for graph in range(share, count, tl.num_programs(1)):
                total += load_rows(source + graph * (N * H), rows, rows < N, H, H)
            _write(result, total, N - block, H, H)
