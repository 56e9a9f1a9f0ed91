"""The graph encoder: a relational graph convolution with highway connections."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from gata.nn import fused, sparse
from gata.nn.masking import Encoded, hide
from gata.nn.messages import BasisMessages, BottleneckMessages, Messages
from gata.nn.settings import NetworkSettings
from gata.nn.words import Tables

LARGEST_FUSED = 128
"""The most nodes of graphs that ``gata.nn.fused`` has kernels for."""
MOST_BASES = 4
"""Likewise of bases: a program there holds a block of vectors for each."""


class GraphEncoder(nn.Module):
    """From graphs to vectors of their nodes.

    Each layer turns messages m into h~ = f(m), f the sigmoid (continuous graphs) or ReLU (discrete
    ones), and lets a highway gate mix it with what was: g = sigmoid(L(h~)),
    h' = g * h~ + (1 - g) * h. Before the first layer h is a linear map of the node features, since
    those have another size.

    Args:
        relations: R.
        node_size: size of the node features h^0.
        label_size: size of the relation vectors E_r.
        settings: sizes and switches.
    """

    def __init__(
        self, relations: int, node_size: int, label_size: int, settings: NetworkSettings
    ) -> None:
        super().__init__()
        ways: dict[str, type[BasisMessages | BottleneckMessages]]
        ways = {"basis": BasisMessages, "bottleneck": BottleneckMessages}
        self.relation_labels = settings.relation_labels
        self.messages: Messages = ways[settings.relation_weights](
            relations,
            node_size,
            label_size if settings.relation_labels else 0,
            settings.hidden,
            layers=settings.graph_layers,
            bases=settings.bases,
            self_loops=settings.self_loops,
        )
        self.discrete = settings.graph_kind == "discrete"
        self.activation = functional.relu if self.discrete else torch.sigmoid
        self.enter = nn.Linear(node_size, settings.hidden)
        self.gates = nn.ModuleList(
            nn.Linear(settings.hidden, settings.hidden) for _ in range(settings.graph_layers)
        )

    def forward(
        self, adjacency: Tensor, present: Tensor, tables: Tables, order: Tensor | None = None
    ) -> Encoded:
        """Encode graphs.

        Args:
            adjacency: (B, R, N, N), without inverses.
            present: (B, N) booleans, the nodes that are part of each graph: all, or those with an
                edge if the graph is discrete.
            tables: node and relation vectors.
            order: (B, N), whose features each node gets; its own if not given. (Deep Graph Infomax
                shuffles them, and graphs can be without nodes that are no part of them: N is then
                less than the number of features.)

        Returns:
            (B, N, H).
        """
        if order is None and self._has_kernels(adjacency):
            from gata.nn.fused import graph

            return graph.encode(self, adjacency, present, tables)
        if self._has_few_edges(adjacency):
            from gata.nn.sparse import graph as edges

            return edges.encode(self, adjacency, present, tables, order)
        prepared = self.messages.prepare(adjacency, self.labels(tables))
        nodes = self.enter(tables.nodes)
        if order is not None:
            nodes = nodes[order]
        for layer in range(len(self.gates)):
            if layer == 0:
                messages = self.messages.first(tables.nodes, order, prepared)
            else:
                messages = self.messages.later(layer, nodes, prepared)
            nodes = self.renewed(layer, nodes, messages)
        return hide(nodes, present)

    def renewed(self, layer: int, nodes: Tensor, messages: Tensor) -> Tensor:
        """What nodes become in a layer that told them this: (..., H), all three."""
        new = self.activation(messages)
        return nodes + torch.sigmoid(self.gates[layer](new)) * (new - nodes)

    def labels(self, tables: Tables) -> Tensor:
        """(2R + 1, label size), what the relations' names say; nothing if they do not speak."""
        return tables.relations if self.relation_labels else tables.relations[:, :0]

    def _has_kernels(self, adjacency: Tensor) -> bool:
        """Whether ``gata.nn.fused`` can calculate it."""
        return (
            isinstance(self.messages, BasisMessages)
            and self.messages.self_loops
            and self.messages.bases <= MOST_BASES
            and adjacency.dtype == torch.float32
            and adjacency.shape[-1] <= LARGEST_FUSED
            and fused.usable(self.enter.bias)
        )

    def _has_few_edges(self, adjacency: Tensor) -> bool:
        """Whether ``gata.nn.sparse`` shall calculate it: graphs of facts, on a CPU."""
        return (
            self.discrete
            and isinstance(self.messages, BasisMessages)
            and sparse.usable(adjacency, self.enter.weight)
        )
