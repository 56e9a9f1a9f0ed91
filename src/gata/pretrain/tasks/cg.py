"""Command generation: write the commands that update the graph of what was seen."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from gata.belief.discrete import MAX_COMMAND_WORDS
from gata.graph.adjacency import adjacency, node_mask
from gata.graph.vocabulary import PAPER
from gata.language.vocabulary import BOS, EOS, PAD, SEP
from gata.nn.command_generator import CommandGenerator
from gata.nn.tokens import join
from gata.pretrain.data.corpus import EMPTY_GRAPH
from gata.pretrain.marks import teacher_forcing, text_loss
from gata.pretrain.order import Ids, Shuffled, spread
from gata.pretrain.scores import set_f1
from gata.pretrain.tasks.task import Metrics, Split, Task
from gata.pretrain.tensors import CorpusTensors
from gata.training.together import ALONE, Together

POOL = 16
"""Batches are drawn together, sorted by length and cut: texts of similar length stay together."""


class CommandTask(Task):
    """From O_t, A_{t-1} and the seen graph before them to the commands that update it."""

    model: CommandGenerator
    measure = "f1"
    evaluation_sizes = (64, 1024)  # records

    def __init__(
        self,
        model: CommandGenerator,
        data: Mapping[Split, CorpusTensors],
        *,
        batch: int,
        seed: int,
        unknown_nodes: float,
        together: Together = ALONE,
    ) -> None:
        super().__init__(model, data, batch=batch, seed=seed, together=together)
        self.unknown_nodes = unknown_nodes
        self._pool: list[Ids] = []
        self._pool_start = 0

    @cached_property
    def _order(self) -> Shuffled:
        return Shuffled(len(self.train.corpus.record_game), self.seed)

    @property
    def drawn(self) -> int:
        """Records drawn."""
        return self._order.drawn - len(self._pool) * self.batch_size

    def batch(self, number: int) -> tuple[Tensor, ...]:
        """Texts, edges before, and true commands of some records, and the nodes that are known."""
        if not self._pool:
            self._fill()
        known = self.known_nodes(number, len(PAPER.nodes), self.unknown_nodes)
        mine = self._pool.pop()[self.together.share(self.batch_size)]
        return *self.look_up(self.train, mine), known

    def _fill(self) -> None:
        self._pool_start = self._order.drawn
        records = self._order.take(POOL * self.batch_size)
        records = records[np.argsort(self._lengths(self.train, records), kind="stable")]
        batches = records.reshape(POOL, self.batch_size)
        random = np.random.default_rng([self.seed, self._pool_start])
        self._pool = list(batches[random.permutation(POOL)])

    @staticmethod
    def _lengths(data: CorpusTensors, records: Ids) -> Ids:
        corpus = data.corpus
        of_text = data.texts.lengths[corpus.record_text[records]]
        return of_text + 2 * data.updates.lengths[corpus.record_update[records]]

    @staticmethod
    def look_up(data: CorpusTensors, records: Ids) -> tuple[Tensor, Tensor, Tensor]:
        """Texts with actions, edges before, and true commands: (records, ...) ids each."""
        corpus = data.corpus
        parents = corpus.record_parent[records]
        before = np.where(parents < 0, EMPTY_GRAPH, corpus.record_seen[parents]).astype(np.int64)
        texts = data.texts.look_up(corpus.record_text[records].astype(np.int64))
        actions = data.commands.look_up(corpus.record_command[records].astype(np.int64))
        return (
            join(texts, SEP, actions),
            data.graphs.look_up(before),
            data.updates.look_up(corpus.record_update[records].astype(np.int64)),
        )

    def loss(self, *batch: Tensor) -> tuple[Tensor, ...]:
        """Minus the log-likelihood of the true commands, the mean over records."""
        return (self._losses(*batch).sum() / self.batch_size,)

    def _losses(self, texts: Tensor, edges: Tensor, commands: Tensor, *known: Tensor) -> Tensor:
        """(records,)."""
        graph = adjacency(edges)
        read, said = teacher_forcing(commands)
        odds = self.model(texts, graph, node_mask(graph), read, *known)
        return text_loss(odds, said)

    @torch.no_grad()
    def evaluate(self, split: Split, at_most: int | None = None) -> Metrics:
        """``loss``, and ``f1``: exact commands in freely written texts, the mean over records."""
        data = self.data[split]
        loss = score = 0.0
        records = spread(len(data.corpus.record_game), at_most)
        for batch in self._batches(data, records):
            texts, edges, commands = self.look_up(data, batch)
            loss += float(self._losses(texts, edges, commands).sum())
            written = self.write(texts, edges)
            score += sum(
                set_f1(written_commands(ours), true_commands(theirs))
                for ours, theirs in zip(written.tolist(), commands.tolist(), strict=True)
            )
        return {"loss": loss / len(records), "f1": score / len(records)}

    def _batches(self, data: CorpusTensors, records: Ids) -> Iterator[Ids]:
        size = self.evaluation_batch
        records = records[np.argsort(self._lengths(data, records), kind="stable")]
        for first in range(0, len(records), size):
            yield records[first : first + size]

    def write(self, texts: Tensor, edges: Tensor) -> Tensor:
        """Write commands greedily: (records, length) ids."""
        graph = adjacency(edges)
        return self.model.write(
            texts, graph, node_mask(graph), begin=BOS, end=EOS, max_length=MAX_COMMAND_WORDS
        )

    def position(self) -> dict[str, Any]:
        """Where the pool began and how much of it is left."""
        return {"pool": self._pool_start, "left": len(self._pool), "drawn": self._order.drawn}

    def seek(self, position: dict[str, Any]) -> None:
        """Fill the same pool again."""
        self._order.drawn = position["pool"]
        self._pool = []
        if position["drawn"]:
            self._fill()
            del self._pool[position["left"] :]


def written_commands(ids: list[int]) -> frozenset[tuple[int, ...]]:
    """The commands of a written text, each as its words; one that was not ended does not count."""
    if EOS in ids:
        return true_commands(ids[: ids.index(EOS)])
    return true_commands(ids[: len(ids) - ids[::-1].index(SEP)]) if SEP in ids else frozenset()


def true_commands(ids: list[int]) -> frozenset[tuple[int, ...]]:
    """The commands of a text, each as its words."""
    commands: list[list[int]] = [[]]
    for word in ids:
        if word == SEP:
            commands.append([])
        elif word != PAD:
            commands[-1].append(word)
    return frozenset(tuple(command) for command in commands if command)
