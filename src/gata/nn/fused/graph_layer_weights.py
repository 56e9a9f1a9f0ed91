"""The gradients of everything that the graph encoder's layers share between graphs.

All of them are sums over all nodes of all graphs, of products of vectors or of vectors
themselves, so one kernel does them for all layers. Each program takes a share of the nodes, and the
shares are added up in the end.
"""

from dataclasses import dataclass

import triton
from torch import Tensor

from gata.nn.fused.graph_layer_weights_kernel import shared_kernel

SHARES = 12
"""How many programs divide the nodes of all graphs among themselves for one matrix. With the
encoder's 42 matrices, about four programs for each processor of an H200."""
ROWS = 32
WARPS, STAGES = 2, 1
"""With four warps the compiler takes Hopper's own products, and with several stages it copies to
shared memory piece by piece, both of which want columns of what is here read by rows: slow."""


@dataclass(frozen=True)
class Shared:
    """Gradients of what is the same for all graphs."""

    later_bases: Tensor
    """(layers - 1, bases + 1, H, H)."""
    gate_weights: Tensor
    """(layers, H, H)."""
    gate_biases: Tensor
    """(layers, H)."""
    spoken: Tensor
    """(layers, kinds, H)."""
    entered: Tensor
    """(bases + 2, N, H)."""


def shared_gradients(
    mixed: Tensor,
    degrees: Tensor,
    heard: Tensor,
    between: Tensor,
    news: Tensor,
    d_messages: Tensor,
    d_gates: Tensor,
    d_first: Tensor,
    precision: str,
) -> Shared:
    """Sum over graphs and nodes.

    Args:
        mixed: (B, layers * bases, N, P), the mixed graphs.
        degrees: (B, N, kinds).
        heard: (layers - 1, bases, B, N, H), what the neighbours said by each basis.
        between: (layers - 1, B, N, H), the results of all layers but the last.
        news: (layers, B, N, H), what the activations gave.
        d_messages: (layers, B, N, H), gradients of what the activations got.
        d_gates: (layers, B, N, H), gradients of what the gates' sigmoids got.
        d_first: (B, N, H), gradients of the nodes before the first layer, without the messages'.
        precision: of products.
    """
    layers, batch, nodes, hidden = news.shape
    bases, kinds = heard.shape[1], degrees.shape[-1]
    square = hidden * hidden
    lengths = [
        (layers - 1) * (bases + 1) * square,
        layers * square,
        layers * hidden,
        layers * kinds * hidden,
        (bases + 2) * nodes * hidden,
    ]
    partial = news.new_empty(SHARES, sum(lengths))
    blocks = triton.cdiv(nodes, hidden)
    matrices = (layers - 1) * (bases + 1) + 2 * layers + (bases + 2) * blocks
    shared_kernel[(matrices, SHARES)](
        *(mixed, degrees, heard, between, news, d_messages, d_gates, d_first, partial, batch),
        N=nodes,
        WIDTH=mixed.shape[-1],
        MIXTURES=mixed.shape[1],
        H=hidden,
        KINDS=kinds,
        BASES=bases,
        LAYERS=layers,
        ROWS=ROWS,
        PRECISION=precision,
        num_warps=WARPS,
        num_stages=STAGES,
    )
    later, gate_weights, gate_biases, spoken, entered = partial.sum(0).split(lengths)
    return Shared(
        later.view(layers - 1, bases + 1, hidden, hidden),
        gate_weights.view(layers, hidden, hidden),
        gate_biases.view(layers, hidden),
        spoken.view(layers, kinds, hidden),
        entered.view(bases + 2, nodes, hidden),
    )
