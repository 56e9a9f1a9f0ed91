"""Deep Graph Infomax."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from gata.graph.adjacency import adjacency, node_mask
from gata.graph.vocabulary import PAPER
from gata.nn.discriminators import shuffled_nodes
from gata.nn.models import NodeInfomax
from gata.pretrain.data.corpus import EMPTY_GRAPH, Corpus
from gata.pretrain.order import Ids, Shuffled, spread
from gata.pretrain.settings import Graph
from gata.pretrain.tasks.task import Metrics, Split, Task
from gata.pretrain.tensors import CorpusTensors
from gata.training.rows import to_device
from gata.training.together import ALONE, Together


class InfomaxTask(Task):
    """Tell nodes from shuffled ones."""

    model: NodeInfomax
    measure = "accuracy"
    evaluation_sizes = (64, 1024)  # graphs

    def __init__(
        self,
        model: NodeInfomax,
        data: Mapping[Split, CorpusTensors],
        *,
        batch: int,
        seed: int,
        graph: Graph,
        unknown_nodes: float,
        together: Together = ALONE,
    ) -> None:
        super().__init__(model, data, batch=batch, seed=seed, together=together)
        self.graph = graph
        self.unknown_nodes = unknown_nodes

    @cached_property
    def _graphs(self) -> Ids:
        return graphs_of(self.train.corpus, self.graph)

    @cached_property
    def _order(self) -> Shuffled:
        return Shuffled(len(self._graphs), self.seed)

    @property
    def drawn(self) -> int:
        """Graphs drawn."""
        return self._order.drawn

    def batch(self, number: int) -> tuple[Tensor, ...]:
        """Edges of some graphs, numbers that shuffle nodes, how many there are, which are known."""
        graphs = self._graphs[self._order.take(self.batch_size)]
        keys = random_keys(np.random.default_rng([self.seed, number]), len(graphs))
        nodes = np.array(count_nodes(self.train.corpus, graphs), np.float32)
        part = self.together.share(self.batch_size)
        return (
            self.train.graphs.look_up(graphs[part]),
            to_device(keys[part], self.device),
            to_device(nodes, self.device),
            self.known_nodes(number, len(PAPER.nodes), self.unknown_nodes),
        )

    def loss(self, *batch: Tensor) -> tuple[Tensor, ...]:
        """Binary cross-entropy, the mean over the nodes that are there, true and shuffled."""
        edges, keys, nodes, known = batch
        return (self._loss_sum(*self._logits(edges, keys, known)) / nodes / 2,)

    @staticmethod
    def _loss_sum(true: Tensor, false: Tensor, present: Tensor) -> Tensor:
        losses = functional.softplus(-true) + functional.softplus(false)
        return (losses * present).sum()

    def _logits(
        self, edges: Tensor, keys: Tensor, known: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        graph = adjacency(edges)
        present = node_mask(graph)
        true, false = self.model(graph, present, shuffled_nodes(present, keys), known)
        return true, false, present

    @torch.no_grad()
    def evaluate(self, split: Split, at_most: int | None = None) -> Metrics:
        """``accuracy`` over true and shuffled nodes, and ``loss``."""
        data = self.data[split]
        graphs = graphs_of(data.corpus, self.graph)
        graphs = graphs[spread(len(graphs), at_most)]
        random = np.random.default_rng(self.seed)
        size = self.evaluation_batch
        right = loss = nodes = 0.0
        for first in range(0, len(graphs), size):
            edges = data.graphs.look_up(graphs[first : first + size])
            keys = to_device(random_keys(random, len(edges)), self.device)
            true, false, present = self._logits(edges, keys)
            right += float(((true > 0) & present).sum() + ((false <= 0) & present).sum())
            loss += float(self._loss_sum(true, false, present))
            nodes += float(present.sum())
        return {"loss": loss / nodes / 2, "accuracy": right / nodes / 2}

    def position(self) -> dict[str, Any]:
        """Graphs drawn."""
        return {"drawn": self._order.drawn}

    def seek(self, position: dict[str, Any]) -> None:
        """Graphs drawn."""
        self._order.drawn = position["drawn"]


def random_keys(random: np.random.Generator, graphs: int) -> npt.NDArray[np.float32]:
    """What decides the order of nodes: (graphs, nodes) from 0 to 1."""
    return random.random((graphs, len(PAPER.nodes)), dtype=np.float32)


def count_nodes(corpus: Corpus, graphs: Ids) -> int:
    """How many nodes, those with an edge, some graphs have together."""
    nodes = len(PAPER.nodes)
    rows = [corpus.graphs.row(int(graph)) for graph in graphs]
    edges = np.concatenate(rows).astype(np.int64)
    own = np.repeat(np.arange(len(rows)), [len(row) for row in rows]) * nodes
    # As PAPER.edge_id puts an edge's source and target into its id.
    return len(np.unique([own + edges // nodes % nodes, own + edges % nodes]))


def graphs_of(corpus: Corpus, graph: Graph) -> Ids:
    """The distinct graphs that occur, without the empty one."""
    records, options = (
        (corpus.record_full, corpus.option_full)
        if graph == "full"
        else (corpus.record_seen, corpus.option_seen)
    )
    found = np.union1d(records, options).astype(np.int64)
    graphs: Ids = found[found != EMPTY_GRAPH]
    return graphs
