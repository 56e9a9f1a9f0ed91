"""Deep Graph Infomax."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from gata.graph.adjacency import adjacency, node_mask
from gata.nn.discriminators import shuffled_nodes
from gata.nn.models import NodeInfomax
from gata.pretrain.data.corpus import EMPTY_GRAPH, Corpus
from gata.pretrain.order import Ids, Shuffled
from gata.pretrain.settings import Graph
from gata.pretrain.tasks.task import Metrics, Split, Task
from gata.pretrain.tasks.walking import spread
from gata.pretrain.tensors import CorpusTensors
from gata.training.rows import to_device


class InfomaxTask(Task):
    """Tell nodes from shuffled ones."""

    model: NodeInfomax
    measure = "accuracy"

    def __init__(
        self,
        model: NodeInfomax,
        data: Mapping[Split, CorpusTensors],
        *,
        batch: int,
        seed: int,
        graph: Graph,
    ) -> None:
        super().__init__(model, data, batch=batch, seed=seed)
        self.graph = graph

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
        """Some graphs, and random numbers that shuffle their nodes."""
        graphs = self._graphs[self._order.take(self.batch_size)]
        random = np.random.default_rng([self.seed, number])
        return self._look_up(self.train, graphs, random)

    @staticmethod
    def _look_up(
        data: CorpusTensors, graphs: Ids, random: np.random.Generator
    ) -> tuple[Tensor, Tensor]:
        edges = data.graphs.look_up(graphs)
        nodes = adjacency(edges[:1]).shape[-1]
        keys = random.random((len(graphs), nodes), dtype=np.float32)
        return edges, to_device(keys, data.device)

    def loss(self, *batch: Tensor) -> tuple[Tensor, ...]:
        """Binary cross-entropy, the mean over the nodes that are there, true and shuffled."""
        true, false, present = self._logits(*batch)
        losses = functional.softplus(-true) + functional.softplus(false)
        return ((losses * present).sum() / present.sum() / 2,)

    def _logits(self, edges: Tensor, keys: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        graph = adjacency(edges)
        present = node_mask(graph)
        true, false = self.model(graph, present, shuffled_nodes(present, keys))
        return true, false, present

    @torch.no_grad()
    def evaluate(self, split: Split, at_most: int | None = None) -> Metrics:
        """``accuracy`` over true and shuffled nodes, and ``loss``."""
        data = self.data[split]
        graphs = graphs_of(data.corpus, self.graph)
        graphs = graphs[spread(len(graphs), at_most)]
        random = np.random.default_rng(self.seed)
        size = 1024 if self.device.type == "cuda" else 64
        right = loss = nodes = 0.0
        for first in range(0, len(graphs), size):
            batch = self._look_up(data, graphs[first : first + size], random)
            true, false, present = self._logits(*batch)
            right += float(((true > 0) & present).sum() + ((false <= 0) & present).sum())
            loss += float(self.loss(*batch)[0] * present.sum())
            nodes += float(present.sum())
        return {"loss": loss / nodes, "accuracy": right / nodes / 2}

    def position(self) -> dict[str, Any]:
        """Graphs drawn."""
        return {"drawn": self._order.drawn}

    def seek(self, position: dict[str, Any]) -> None:
        """Graphs drawn."""
        self._order.drawn = position["drawn"]


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
