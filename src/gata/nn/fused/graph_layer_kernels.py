"""Kernels of the graph encoder's layers: a program takes some nodes of one graph."""

import triton
import triton.language as tl

from gata.nn.fused.tiles import linear, load_matrix, load_rows, multiply, relu, store_rows


@triton.jit
def _load_edges(matrix, rows, columns, N: tl.constexpr, WIDTH: tl.constexpr):
    """Some rows and columns of a mixed graph, (N, WIDTH); zeros beyond its ends."""
    places = rows[:, None] * WIDTH + columns[None, :]
    return tl.load(matrix + places, (rows < N)[:, None] & (columns < WIDTH)[None, :], 0.0)


@triton.jit
def _store_edges(matrix, rows, columns, content, N: tl.constexpr, WIDTH: tl.constexpr):
    """The opposite of ``_load_edges``."""
    places = rows[:, None] * WIDTH + columns[None, :]
    tl.store(matrix + places, content, (rows < N)[:, None] & (columns < WIDTH)[None, :])


@triton.jit
def layer_kernel(
    nodes,
    told,
    graphs,
    degrees,
    spoken,
    bases,
    gate_weight,
    gate_bias,
    present,
    heard,
    news,
    gates,
    out,
    present_stride,
    present_step,
    N: tl.constexpr,
    WIDTH: tl.constexpr,
    MIXTURES: tl.constexpr,
    H: tl.constexpr,
    KINDS: tl.constexpr,
    BASES: tl.constexpr,
    FIRST: tl.constexpr,
    LAST: tl.constexpr,
    KEEP: tl.constexpr,
    RELU: tl.constexpr,
    ROWS: tl.constexpr,
    OTHERS: tl.constexpr,
    PRECISION: tl.constexpr,
):
    """One layer, from ``nodes`` to ``out``; see ``graph_layer.run_layers``.

    ``told`` (BASES + 1, N, H) is what the first layer's nodes say, the same in all graphs; later
    layers multiply what they heard, (BASES, B, N, H), with ``bases`` (BASES + 1, H, H). ``heard``,
    ``news`` and ``gates`` are written if KEEP says so.
    """
    blocks: tl.constexpr = (N + ROWS - 1) // ROWS
    count = tl.num_programs(0) // blocks
    graph = tl.program_id(0) // blocks
    rows = tl.program_id(0) % blocks * ROWS + tl.arange(0, ROWS)
    columns = tl.arange(0, H)
    own = graph * (N * H)
    kinds = tl.arange(0, KINDS)
    words = tl.load(spoken + kinds[:, None] * H + columns[None, :])
    arriving = load_rows(degrees + graph * (N * KINDS), rows, rows < N, KINDS, KINDS)
    messages = multiply(arriving, words, PRECISION)
    before = load_rows(nodes if FIRST else nodes + own, rows, rows < N, H, H)
    if FIRST:
        messages += load_rows(told + BASES * (N * H), rows, rows < N, H, H)
    else:
        weights = load_matrix(bases + BASES * (H * H), H, H)
        messages += multiply(before, weights, PRECISION)
    mixtures = graphs + graph * (MIXTURES * N * WIDTH)
    if FIRST:
        for basis in range(BASES):
            matrix, speakers = mixtures + basis * (N * WIDTH), told + basis * (N * H)
            for start in range(0, N, OTHERS):
                others = start + tl.arange(0, OTHERS)
                edges = _load_edges(matrix, rows, others, N, WIDTH)
                said = load_rows(speakers, others, others < N, H, H)
                messages += multiply(edges, said, PRECISION)
    else:
        sums: tl.tuple = ()
        for _ in tl.static_range(BASES):
            sums += (tl.zeros((ROWS, H), tl.float32),)
        for start in tl.static_range(0, N, OTHERS):
            # What others say is the same for all bases, so it is read once.
            others = start + tl.arange(0, OTHERS)
            said = load_rows(nodes + own, others, others < N, H, H)
            more: tl.tuple = ()
            for basis in tl.static_range(BASES):
                edges = _load_edges(mixtures + basis * (N * WIDTH), rows, others, N, WIDTH)
                more += (sums[basis] + multiply(edges, said, PRECISION),)
            sums = more
        for basis in tl.static_range(BASES):
            if KEEP:
                place = heard + (basis * count + graph) * (N * H)
                store_rows(place, rows, rows < N, sums[basis], H, H)
            weights = load_matrix(bases + basis * (H * H), H, H)
            messages += multiply(sums[basis], weights, PRECISION)
    new = relu(messages) if RELU else tl.sigmoid(messages)
    weights, bias = load_matrix(gate_weight, H, H), tl.load(gate_bias + columns)
    gate = tl.sigmoid(linear(new, weights, bias, PRECISION))
    if KEEP:
        store_rows(news + own, rows, rows < N, new, H, H)
        store_rows(gates + own, rows, rows < N, gate, H, H)
    after = before + gate * (new - before)
    if LAST:
        there = tl.load(present + graph * present_stride + rows * present_step, rows < N, 0)
        after = tl.where((there != 0)[:, None], after, 0.0)
    store_rows(out + own, rows, rows < N, after, H, H)


@triton.jit
def layer_gradient_kernel(
    d_out,
    present,
    later_graphs,
    later_d_heard,
    later_d_nodes,
    nodes,
    told,
    news,
    gates,
    bases,
    gate_weight,
    d_messages,
    d_gates,
    d_nodes,
    d_heard,
    d_graphs,
    present_stride,
    present_step,
    N: tl.constexpr,
    WIDTH: tl.constexpr,
    MIXTURES: tl.constexpr,
    H: tl.constexpr,
    BASES: tl.constexpr,
    FIRST: tl.constexpr,
    LAST: tl.constexpr,
    RELU: tl.constexpr,
    ROWS: tl.constexpr,
    OTHERS: tl.constexpr,
    PRECISION: tl.constexpr,
):
    """The gradients of one layer, but for those that the later layer's neighbours have to give.

    What this layer's ``nodes`` get by way of their neighbours (``d_heard``) waits for the kernel
    of the layer before, the next to run, since it takes all of a graph's nodes; by then it lies in
    ``later_d_heard``, and what they get otherwise in ``later_d_nodes``.
    """
    blocks: tl.constexpr = (N + ROWS - 1) // ROWS
    graph = tl.program_id(0) // blocks
    rows = tl.program_id(0) % blocks * ROWS + tl.arange(0, ROWS)
    own = graph * (N * H)
    if LAST:
        there = tl.load(present + graph * present_stride + rows * present_step, rows < N, 0)
        d_after = load_rows(d_out + own, rows, rows < N, H, H)
        d_after = tl.where((there != 0)[:, None], d_after, 0.0)
    else:
        d_after = load_rows(later_d_nodes + own, rows, rows < N, H, H)
        for basis in range(BASES):
            matrix = later_graphs + (graph * MIXTURES + basis) * (N * WIDTH)
            given = later_d_heard + (graph * BASES + basis) * (N * H)
            for start in range(0, N, OTHERS):
                others = start + tl.arange(0, OTHERS)
                edges = _load_edges(matrix, others, rows, N, WIDTH)
                theirs = load_rows(given, others, others < N, H, H)
                d_after += multiply(tl.trans(edges), theirs, PRECISION)

    new = load_rows(news + own, rows, rows < N, H, H)
    gate = load_rows(gates + own, rows, rows < N, H, H)
    before = load_rows(nodes if FIRST else nodes + own, rows, rows < N, H, H)
    d_gate = d_after * (new - before) * gate * (1 - gate)
    store_rows(d_gates + own, rows, rows < N, d_gate, H, H)
    d_before = d_after * (1 - gate)
    d_new = d_after * gate + multiply(d_gate, load_matrix(gate_weight, H, H), PRECISION)
    d_message = tl.where(new > 0, d_new, 0.0) if RELU else d_new * new * (1 - new)
    store_rows(d_messages + own, rows, rows < N, d_message, H, H)
    if not FIRST:
        weights = tl.trans(load_matrix(bases + BASES * (H * H), H, H))
        d_before += multiply(d_message, weights, PRECISION)
    store_rows(d_nodes + own, rows, rows < N, d_before, H, H)

    if FIRST:
        for basis in range(BASES):
            matrix = d_graphs + (graph * MIXTURES + basis) * (N * WIDTH)
            for start in range(0, N, OTHERS):
                others = start + tl.arange(0, OTHERS)
                said = load_rows(told + basis * (N * H), others, others < N, H, H)
                d_edges = multiply(d_message, tl.trans(said), PRECISION)
                _store_edges(matrix, rows, others, d_edges, N, WIDTH)
    else:
        d_sums: tl.tuple = ()
        for basis in tl.static_range(BASES):
            weights = tl.trans(load_matrix(bases + basis * (H * H), H, H))
            d_sums += (multiply(d_message, weights, PRECISION),)
            place = d_heard + (graph * BASES + basis) * (N * H)
            store_rows(place, rows, rows < N, d_sums[basis], H, H)
        for start in range(0, N, OTHERS):
            others = start + tl.arange(0, OTHERS)
            said = tl.trans(load_rows(nodes + own, others, others < N, H, H))
            for basis in tl.static_range(BASES):
                matrix = d_graphs + (graph * MIXTURES + basis) * (N * WIDTH)
                d_edges = multiply(d_sums[basis], said, PRECISION)
                _store_edges(matrix, rows, others, d_edges, N, WIDTH)
