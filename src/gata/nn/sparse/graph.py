"""The graph encoder with basis decomposition, from edge to edge."""

from typing import TYPE_CHECKING, Any, NamedTuple, cast

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from gata.nn.masking import Encoded
from gata.nn.sparse import kernels

if TYPE_CHECKING:
    from gata.nn.graph_encoder import GraphEncoder
    from gata.nn.messages import BasisMessages
    from gata.nn.words import Tables


class Edges(NamedTuple):
    """Graphs as lists."""

    listed: Tensor
    """(M,) where each node that counts stands among the B * N of the batch."""
    ends: Tensor
    """(edges, 3): relation, and the places of two nodes among the M."""
    strengths: Tensor
    """(edges,)."""


def find(adjacency: Tensor, present: Tensor) -> Edges:
    """(B, R, N, N), (B, N): the edges, and the nodes that have one or are present."""
    found = kernels.find_edges(adjacency.contiguous().numpy(), present.contiguous().numpy())
    return Edges(*map(torch.from_numpy, found))


def encode(
    encoder: "GraphEncoder",
    adjacency: Tensor,
    present: Tensor,
    tables: "Tables",
    order: Tensor | None,
) -> Encoded:
    """What ``GraphEncoder.forward`` does, with gradients to all but the adjacency.

    Args:
        encoder: one with ``BasisMessages``.
        adjacency: (B, R, N, N), without inverses.
        present: (B, N) booleans.
        tables: node and relation vectors.
        order: (B, N), whose features each node gets, if not its own.
    """
    messages = cast("BasisMessages", encoder.messages)
    batch, relations, width, across = adjacency.shape
    # The loops look at no bounds.
    if 2 * relations != messages.coefficients.shape[-1]:
        known = messages.coefficients.shape[-1] // 2
        raise ValueError(f"graphs of {relations} relations for an encoder of {known}")
    if width != across:
        raise ValueError(f"an adjacency of {width} by {across} nodes")
    if order is None and width != len(tables.nodes):
        raise ValueError(f"graphs of {width} nodes with features of {len(tables.nodes)}")
    edges = find(adjacency, present.expand(batch, width))
    features = edges.listed % width if order is None else order.reshape(batch * width)[edges.listed]
    own = torch.arange(len(features), device=features.device)
    by_relation, to_all = messages.spoken(encoder.labels(tables))
    spoken = torch.cat([by_relation, to_all.unsqueeze(0)])
    nodes = encoder.enter(tables.nodes)[features]
    for layer in range(messages.layers):
        # Of the first layer the features are multiplied once for all graphs.
        before = nodes if layer else tables.nodes
        bases = messages.later_bases[layer - 1] if layer else messages.first_bases
        said = (before @ bases.transpose(0, 1).flatten(1)).view(-1, *bases.shape[::2])
        rows = own if layer else features
        heard = _hear(said, rows, messages.coefficients[layer], spoken[:, layer], edges)
        nodes = encoder.renewed(layer, nodes, heard)
    is_there = present.expand(batch, width).flatten()[edges.listed]
    values = nodes.new_zeros(batch * width, nodes.shape[-1])
    values = values.index_copy(0, edges.listed[is_there], nodes[is_there])
    return Encoded(values.view(batch, width, -1), present)


class _Hearing(torch.autograd.Function):
    """``kernels.add_messages`` with its gradients."""

    @staticmethod
    def forward(
        ctx: Any,
        sources: Tensor,
        rows: Tensor,
        coefficients: Tensor,
        spoken: Tensor,
        edges: Edges,
    ) -> Tensor:
        sources, coefficients = sources.contiguous(), coefficients.contiguous()
        ctx.edges = edges
        ctx.save_for_backward(sources, rows, coefficients)
        messages = sources.new_empty(len(rows), sources.shape[-1])
        kernels.add_messages(
            edges.ends.numpy(),
            edges.strengths.numpy(),
            sources.detach().numpy(),
            rows.numpy(),
            coefficients.detach().numpy(),
            spoken.detach().contiguous().numpy(),
            messages.numpy(),
        )
        return messages

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, wanted: Tensor) -> tuple[Tensor | None, ...]:
        sources, rows, coefficients = ctx.saved_tensors
        edges: Edges = ctx.edges
        of_sources = torch.zeros_like(sources)
        # A few numbers to which all edges add, one after the other: float32 would lose digits.
        of_coefficients = torch.zeros_like(coefficients, dtype=torch.float64)
        of_spoken = wanted.new_zeros(coefficients.shape[1] + 1, wanted.shape[1])
        kernels.add_gradients(
            edges.ends.numpy(),
            edges.strengths.numpy(),
            sources.numpy(),
            rows.numpy(),
            coefficients.numpy(),
            wanted.contiguous().numpy(),
            of_sources.numpy(),
            of_coefficients.numpy(),
            of_spoken.numpy(),
        )
        return of_sources, None, of_coefficients.to(sources.dtype), of_spoken, None


def _hear(
    sources: Tensor, rows: Tensor, coefficients: Tensor, spoken: Tensor, edges: Edges
) -> Tensor:
    """See ``kernels.add_messages``; all floats with gradients but those of the edges. (M, H)."""
    result: Tensor = _Hearing.apply(sources, rows, coefficients, spoken, edges)  # type: ignore[no-untyped-call]
    return result
