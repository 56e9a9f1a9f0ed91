"""What the nodes of a graph tell each other: the sum inside the R-GCN's activation.

For every layer l the paper writes, with A the adjacency and A' its inverses as further relations,

    m_i = sum_r sum_j A_rij W_r [h_j; E_r] + W_0 [h_i; E_0]

Both classes here compute it for graphs given by the forward half of A alone, shape (B, R, N, N):
the inverse relations are its transpose, and nobody hands them around. A label E_r does not depend
on j, so its part of the sum is the node's degree under r times W_r E_r, for all layers at once.
"""

from abc import ABC, abstractmethod
from typing import NamedTuple

import torch
from torch import Tensor, nn


class Prepared(NamedTuple):
    """What the layers need of the graphs, computed for all layers at once."""

    graphs: tuple[Tensor, ...]
    """The adjacency in the form each layer multiplies with."""
    constants: tuple[Tensor, ...]
    """(B, N, ...) for each layer: the labels' part of its messages."""


class Messages(nn.Module, ABC):
    """How a graph encoder computes its messages."""

    @abstractmethod
    def prepare(self, adjacency: Tensor, labels: Tensor) -> Prepared:
        """Look at the graphs once, before the first layer.

        Args:
            adjacency: (B, R, N, N), the strength of each edge from row to column.
            labels: (2R + 1, label size), E of the relations, of their inverses and of self.
        """

    @abstractmethod
    def first(self, features: Tensor, order: Tensor | None, prepared: Prepared) -> Tensor:
        """The messages of the first layer, (B, N, H).

        Args:
            features: (nodes, node size), the same for all graphs.
            order: (B, N), whose features each node gets, if not its own.
            prepared: the graphs.
        """

    @abstractmethod
    def later(self, layer: int, nodes: Tensor, prepared: Prepared) -> Tensor:
        """The messages of layer 1, 2, ... from ``nodes``, (B, N, H) -> (B, N, H)."""


def degrees(adjacency: Tensor) -> Tensor:
    """What arrives at each node by each relation, then by each inverse: (B, N, 2R)."""
    return torch.cat([adjacency.sum(-1), adjacency.sum(-2)], dim=1).mT


def _transposed(adjacency: Tensor) -> Tensor:
    """(B, R, N, N) with rows and columns exchanged, in memory as well.

    A CPU takes the numbers of a matrix from a list of places in half the time in which it walks
    down the columns of many matrices; gradients cannot go back that way as fast.
    """
    if adjacency.device.type != "cpu" or adjacency.requires_grad:
        return adjacency.mT.contiguous()
    nodes = adjacency.shape[-1]
    places = torch.arange(nodes * nodes).view(nodes, nodes).T.flatten()
    return adjacency.reshape(-1, nodes * nodes).index_select(1, places).view_as(adjacency)


class BasisMessages(Messages):
    """W_r = sum_b a_rb V_b: the basis decomposition of the R-GCN; W_0 is a matrix of its own.

    The sum over relations is moved inside: C_b = sum_r a_rb A_r needs one product for all layers
    and bases, and then each layer multiplies with the few C_b instead of 2R adjacencies.
    """

    def __init__(
        self,
        relations: int,
        node_size: int,
        label_size: int,
        hidden: int,
        *,
        layers: int,
        bases: int,
        self_loops: bool,
    ) -> None:
        super().__init__()
        self.layers, self.bases, self.self_loops = layers, bases, self_loops
        terms = bases + self_loops
        self.coefficients = nn.Parameter(torch.empty(layers, bases, 2 * relations))
        self.first_bases = nn.Parameter(torch.empty(terms, node_size, hidden))
        self.later_bases = nn.Parameter(torch.empty(layers - 1, terms, hidden, hidden))
        self.label_bases = nn.Parameter(torch.empty(layers, terms, label_size, hidden))
        self.bias = nn.Parameter(torch.zeros(layers, hidden))
        # a_rb and V_b as matrices of their own sizes; a basis spans a node's part and a label's.
        _xavier(self.coefficients, bases, 2 * relations)
        _xavier(self.first_bases, node_size + label_size, hidden)
        _xavier(self.later_bases, hidden + label_size, hidden)
        _xavier(self.label_bases, hidden + label_size, hidden)

    def prepare(self, adjacency: Tensor, labels: Tensor) -> Prepared:
        """See ``Messages``; a layer's graph is its C_b, (B, bases * N, N)."""
        batch, _, nodes, _ = adjacency.shape
        # Transposing before the product is cheaper than after it: R matrices, not layers * bases.
        both = torch.cat([adjacency.flatten(-2), _transposed(adjacency).flatten(-2)], dim=1)
        mixed = self.coefficients.flatten(0, 1).expand(batch, -1, -1) @ both
        # Unbound, not indexed: the gradients of the layers are put together once.
        graphs = mixed.view(batch, self.layers, self.bases * nodes, nodes).unbind(1)
        by_relation, to_all = self.spoken(labels)
        heard = degrees(adjacency) @ by_relation.flatten(1)
        constant = heard.view(batch, nodes, self.layers, -1) + to_all
        return Prepared(graphs, constant.unbind(2))

    def spoken(self, labels: Tensor) -> tuple[Tensor, Tensor]:
        """What labels say: (2R, layers, H) along edges, (layers, H) to every node."""
        by_relation = torch.einsum(
            "lbr,re,lbeh->rlh",
            self.coefficients,
            labels[:-1],
            self.label_bases[:, : self.bases],
        )
        to_all: Tensor = self.bias
        if self.self_loops:
            to_all = to_all + labels[-1] @ self.label_bases[:, -1]
        return by_relation, to_all

    def first(self, features: Tensor, order: Tensor | None, prepared: Prepared) -> Tensor:
        """See ``Messages``. The features are multiplied with the bases once for all graphs."""
        projected = features @ self.first_bases
        constant = prepared.constants[0]
        batch, nodes = constant.shape[:2]
        graph = prepared.graphs[0].view(batch, self.bases, nodes, nodes)
        if order is None:
            messages = torch.einsum("bkij,kjh->bih", graph, projected[: self.bases])
            own = projected[-1]
        else:
            shuffled = projected[:, order]
            messages = torch.einsum("bkij,kbjh->bih", graph, shuffled[: self.bases])
            own = shuffled[-1]
        return messages + constant + own if self.self_loops else messages + constant

    def later(self, layer: int, nodes: Tensor, prepared: Prepared) -> Tensor:
        """See ``Messages``."""
        terms = list((prepared.graphs[layer] @ nodes).chunk(self.bases, dim=1))
        if self.self_loops:
            terms.append(nodes)
        messages = torch.cat(terms, dim=-1) @ self.later_bases[layer - 1].flatten(0, 1)
        return messages + prepared.constants[layer]


class BottleneckMessages(Messages):
    """W_r = U B_r with the same U for all relations, ``bases`` dimensions wide.

    This is what the authors' code has in place of bases: all relations' neighbours side by side,
    one linear map down to 3 numbers, one up to H. Here the map down comes before the neighbours
    are added up, so that the adjacency multiplies 3 numbers per node. A node's message to itself
    takes the same way.
    """

    def __init__(
        self,
        relations: int,
        node_size: int,
        label_size: int,
        hidden: int,
        *,
        layers: int,
        bases: int,
        self_loops: bool,
    ) -> None:
        super().__init__()
        self.relations, self.self_loops = relations, self_loops
        terms = 2 * relations + self_loops
        self.first_down = nn.Parameter(torch.empty(node_size, terms, bases))
        self.later_down = nn.Parameter(torch.empty(layers - 1, hidden, terms, bases))
        self.label_down = nn.Parameter(torch.empty(layers, terms, label_size, bases))
        self.up = nn.Parameter(torch.empty(layers, bases, hidden))
        self.bias = nn.Parameter(torch.zeros(layers, hidden))
        # One matrix from all relations' nodes and labels side by side.
        _xavier(self.first_down, terms * (node_size + label_size), bases)
        _xavier(self.later_down, terms * (hidden + label_size), bases)
        _xavier(self.label_down, terms * (hidden + label_size), bases)
        _xavier(self.up, bases, hidden)

    def prepare(self, adjacency: Tensor, labels: Tensor) -> Prepared:
        """See ``Messages``; all layers share the adjacency; constants are (B, N, bases)."""
        batch, _, nodes, _ = adjacency.shape
        layers, terms, _, bases = self.label_down.shape
        spoken = torch.einsum("re,lrek->rlk", labels[:terms], self.label_down)
        arriving = degrees(adjacency) @ spoken[: 2 * self.relations].flatten(1)
        constant = arriving.view(batch, nodes, layers, bases)
        if self.self_loops:
            constant = constant + spoken[-1]
        return Prepared((adjacency,) * layers, constant.unbind(2))

    def first(self, features: Tensor, order: Tensor | None, prepared: Prepared) -> Tensor:
        """See ``Messages``."""
        said = (features @ self.first_down.flatten(1)).view(-1, *self.first_down.shape[1:])
        said = said.expand(len(prepared.graphs[0]), -1, -1, -1) if order is None else said[order]
        return self._send(0, said, prepared)

    def later(self, layer: int, nodes: Tensor, prepared: Prepared) -> Tensor:
        """See ``Messages``."""
        weights = self.later_down[layer - 1]
        said = (nodes @ weights.flatten(1)).view(*nodes.shape[:2], *weights.shape[1:])
        return self._send(layer, said, prepared)

    def _send(self, layer: int, said: Tensor, prepared: Prepared) -> Tensor:
        """``said``: (B, N, relations, bases), what each node says by each relation."""
        by_relation = said[:, :, : 2 * self.relations].transpose(1, 2)
        forward, inverse = by_relation.chunk(2, dim=1)
        graph = prepared.graphs[layer]
        heard = (graph @ forward + graph.mT @ inverse).sum(1) + prepared.constants[layer]
        if self.self_loops:
            heard = heard + said[:, :, -1]
        return heard @ self.up[layer] + self.bias[layer]


def _xavier(parameter: nn.Parameter, fan_in: int, fan_out: int) -> None:
    bound = (6 / (fan_in + fan_out)) ** 0.5
    nn.init.uniform_(parameter, -bound, bound)
