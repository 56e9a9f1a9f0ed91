"""Graphs as tensors: from edge ids to adjacency, for whole batches, on any device.

The only file of this room that needs torch.
"""

from collections.abc import Iterable, Sequence

import torch
from torch import Tensor

from gata.errors import UsageError
from gata.graph.vocabulary import PAPER, GraphVocabulary

PADDING = -1
"""Fills the rows of graphs that have fewer edges than the largest of their batch."""


def pad_edges(graphs: Sequence[Iterable[int]], device: torch.device | None = None) -> Tensor:
    """Put graphs, each the ids of its edges, into one tensor (graphs, most edges) of int64."""
    rows = [torch.as_tensor(list(edges), dtype=torch.int64) for edges in graphs]
    if not rows:
        return torch.empty((0, 0), dtype=torch.int64, device=device)
    padded = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=PADDING)
    return padded.to(device)


def adjacency(
    edges: Tensor, vocabulary: GraphVocabulary = PAPER, dtype: torch.dtype = torch.float32
) -> Tensor:
    """The adjacency of a batch of graphs.

    Args:
        edges: edge ids, (batch, edges) integers; entries below 0 are padding.
        vocabulary: which the ids belong to.
        dtype: of the result.

    Returns:
        (batch, relations, nodes, nodes): 1 at [b, r, i, j] if graph b has the edge (i, j, r).
    """
    batch, size = edges.shape[0], vocabulary.edge_count
    # On a GPU the check would wait for the device.
    if edges.device.type == "cpu" and bool((edges >= size).any()):
        raise UsageError(f"edge id {int(edges.max())} is not in 0..{size - 1}")
    first = torch.arange(batch, device=edges.device).unsqueeze(1) * size
    # Padding goes to one cell more than there are, which is then left out: shapes stay fixed.
    cells = torch.where(edges < 0, batch * size, first + edges)
    flat = torch.zeros(batch * size + 1, dtype=dtype, device=edges.device)
    flat.index_fill_(0, cells.flatten(), 1)
    nodes = len(vocabulary.nodes)
    return flat[:-1].view(batch, len(vocabulary.relations), nodes, nodes)


def with_inverses(graph: Tensor) -> Tensor:
    """Add the inverse of each relation: (..., R, N, N) -> (..., 2R, N, N)."""
    return torch.cat([graph, graph.transpose(-1, -2)], dim=-3)


def with_self(graph: Tensor) -> Tensor:
    """Add a last relation that ties each node of the graph to itself: R -> R + 1.

    Nodes without any edge are no part of a discrete graph and get none.
    """
    loops = torch.diag_embed(node_mask(graph).to(graph.dtype))
    return torch.cat([graph, loops.unsqueeze(-3)], dim=-3)


def node_mask(graph: Tensor) -> Tensor:
    """Which nodes have an edge, in or out: (..., R, N, N) -> (..., N) booleans."""
    present = (graph != 0).any(dim=-3)
    return present.any(dim=-1) | present.any(dim=-2)
