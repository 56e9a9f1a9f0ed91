"""Graphs as tensors: from edge ids to adjacency, for whole batches, on any device.

The only file of this room that needs torch.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from gata.errors import UsageError
from gata.graph.vocabulary import PAPER, GraphVocabulary

PADDING = -1
"""Fills the rows of graphs that have fewer edges than the largest of their batch."""


EDGE_DTYPE = torch.int32
"""Edge ids in tensors."""


def pad_edges(
    graphs: Sequence[Collection[int]],
    width: int | None = None,
    device: torch.device | None = None,
) -> Tensor:
    """Put graphs, each the ids of its edges, into one tensor (graphs, width), ids ascending.

    Args:
        graphs: the ids of each graph's edges.
        width: room for the edges of one graph; by default, as many as the largest has.
        device: of the result.
    """
    most = max(map(len, graphs), default=0)
    width = most if width is None else width
    if most > width:
        raise UsageError(f"a graph of {most} edges does not fit into a row of {width}")
    rows = np.full((len(graphs), width), PADDING, dtype=np.int32)
    for row, edges in zip(rows, graphs, strict=True):
        row[: len(edges)] = sorted(edges)
    return torch.from_numpy(rows).to(device)


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
    _check(edges, size)
    cells = edge_cells(edges, size)
    flat = torch.zeros(batch * size + 1, dtype=dtype, device=edges.device)
    flat.index_fill_(0, cells.flatten(), 1)
    nodes = len(vocabulary.nodes)
    return flat[:-1].view(batch, len(vocabulary.relations), nodes, nodes)


class Narrow(NamedTuple):
    """Graphs without the nodes that are in none of their edges."""

    adjacency: Tensor
    """(batch, relations, width, width), the width being that of the graph with the most nodes."""
    present: Tensor
    """(batch, width) booleans: where there is a node."""
    nodes: Tensor
    """(batch, width) which node it is."""


def narrow_adjacency(edges: Tensor, vocabulary: GraphVocabulary = PAPER) -> Narrow:
    """The same graphs as those of ``adjacency``, a few dozen nodes wide.

    How wide depends on the edges, so nothing of this can be captured.

    Args:
        edges: edge ids, (batch, edges) integers; entries below 0 are padding.
        vocabulary: which the ids belong to.
    """
    count, batch = len(vocabulary.nodes), len(edges)
    _check(edges, vocabulary.edge_count)
    row, column = (edges >= 0).nonzero(as_tuple=True)
    edge = edges[row, column].long()
    relation, source, target = edge // count**2, edge // count % count, edge % count
    there = torch.zeros(batch, count, dtype=torch.bool, device=edges.device)
    there[row, source] = True
    there[row, target] = True
    place = there.cumsum(1) - 1
    counts = there.sum(1, keepdim=True)
    width = max(1, int(counts.max())) if batch else 1
    present = torch.arange(width, device=edges.device) < counts
    nodes = torch.zeros(batch, width, dtype=torch.int64, device=edges.device)
    nodes[present] = there.nonzero()[:, 1]
    graph = torch.zeros(batch, len(vocabulary.relations), width, width, device=edges.device)
    graph[row, relation, place[row, source], place[row, target]] = 1
    return Narrow(graph, present, nodes)


def _check(edges: Tensor, size: int) -> None:
    """On a GPU the check would wait for the device; there such edges are left out."""
    if edges.device.type == "cpu" and bool((edges >= size).any()):
        raise UsageError(f"edge id {int(edges.max())} is not in 0..{size - 1}")


def edge_cells(edges: Tensor, size: int) -> Tensor:
    """The cells of edges in the flat adjacency of all graphs, ``size`` cells each.

    What is not an edge, padding or an id too large, goes to one cell more than there are, which
    is then left out: shapes stay fixed, and no graph gets an edge of its neighbour's.
    """
    batch = edges.shape[0]
    first = torch.arange(batch, device=edges.device).unsqueeze(1) * size
    return torch.where((edges < 0) | (edges >= size), batch * size, first + edges)


def node_mask(graph: Tensor) -> Tensor:
    """Which nodes have an edge, in or out: (..., R, N, N) -> (..., N) booleans."""
    present = (graph != 0).any(dim=-3)
    return present.any(dim=-1) | present.any(dim=-2)
