"""Action prediction and state prediction."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor

from gata.graph.adjacency import adjacency, node_mask
from gata.graph.vocabulary import PAPER
from gata.nn.models import TransitionModel, Transitions
from gata.pretrain.data.corpus import Corpus
from gata.pretrain.order import Ids, Shuffled, spread
from gata.pretrain.settings import Graph
from gata.pretrain.tasks.options import (
    SHAPE_STEP,
    Table,
    make_table,
    option_counts,
    options_of,
    rounded,
    usable_choices,
)
from gata.pretrain.tasks.task import Metrics, Split, Task
from gata.pretrain.tensors import CorpusTensors
from gata.training.rows import round_up, to_device
from gata.training.together import ALONE, Together

Question = Literal["action", "state"]


class TransitionTask(Task):
    """Which action led to this graph (AP), which graph does this action lead to (SP).

    An option of a state is an example: an action and its outcome. Options of one state with the
    same outcome cannot be told apart, so each of them is a right answer.
    """

    model: TransitionModel
    measure = "accuracy"
    evaluation_sizes = (128, 1024)  # options, and what is left of their last state's

    def __init__(
        self,
        model: TransitionModel,
        data: Mapping[Split, CorpusTensors],
        *,
        batch: int,
        seed: int,
        graph: Graph,
        question: Question,
        unknown_nodes: float,
        together: Together = ALONE,
    ) -> None:
        super().__init__(model, data, batch=batch, seed=seed, together=together)
        self.graph = graph
        self.question = question
        self.unknown_nodes = unknown_nodes
        self._examples = 0

    @cached_property
    def _options(self) -> Ids:
        """All examples: the options of states with enough of them."""
        return options_of(self.train.corpus, self._choices)

    @cached_property
    def _choices(self) -> Ids:
        return usable_choices(self.train.corpus)

    @cached_property
    def _order(self) -> Shuffled:
        asked = self._options if self.question == "action" else self._choices
        return Shuffled(len(asked), self.seed)

    @property
    def drawn(self) -> int:
        """Options drawn."""
        return self._examples

    def batch(self, number: int) -> tuple[Tensor, ...]:
        """Some examples, ``batch_size`` at most, and the nodes that are known."""
        mine, count = self._some_options() if self.question == "action" else self._whole_states()
        self._examples += count
        weight = 1 / count
        if not len(mine):  # fewer states than processes: learn from any example, with no weight
            mine, weight = options_of(self.train.corpus, self._choices[:1]), 0.0
        room = min(self.batch_size, round_up(len(mine), SHAPE_STEP))
        table = make_table(self.train.corpus, mine, self.graph)
        known = self.known_nodes(number, len(PAPER.nodes), self.unknown_nodes)
        return *self._look_up(self.train, table, room, weight), known

    def _some_options(self) -> tuple[Ids, int]:
        """Options of many states: to tell actions apart, no outcome but the own is needed.

        Returns:
            This process's share of them, and how many there are.
        """
        options = np.sort(self._options[self._order.take(self.batch_size)])
        return options[self.together.share(len(options))], len(options)

    def _whole_states(self) -> tuple[Ids, int]:
        """A few states with all their options: their outcomes are what is told apart.

        Returns:
            The options of this process's share of states, and how many all states have.
        """
        corpus = self.train.corpus
        counts = np.diff(corpus.choice_offsets)
        chosen: list[int] = []
        room = self.batch_size
        while True:
            choice = int(self._choices[self._order.take(1)[0]])
            room -= counts[choice]
            if room < 0 and chosen:
                self._order.drawn -= 1  # it is the first of the next batch
                break
            chosen.append(choice)
            if room <= 0:
                break
        mine = np.array(chosen[self.together.share(len(chosen))], np.int64)
        return options_of(corpus, mine), int(counts[chosen].sum())

    def _look_up(
        self, data: CorpusTensors, table: Table, room: int, weight: float = 1.0
    ) -> tuple[Tensor, ...]:
        """The tensors of a table, padded to ``room`` outcomes so that shapes repeat.

        The last one says how much each example counts: ``weight``, and padding 0.
        """
        padded = table.padded(room)
        commands, places = np.unique(padded.options, return_inverse=True)
        shape = padded.options.shape
        options: Ids = places.reshape(shape)
        rows = np.arange(len(padded.after))[:, None]
        columns = np.arange(shape[-1])
        real = np.arange(len(padded.after)) < len(table.after)
        if self.question == "action":
            outcomes = np.broadcast_to(rows, shape)
        else:
            # All outcomes of the state, which stand together, with the action of this one.
            first = rows - padded.place[:, None]
            outcomes = np.where(padded.allowed, first + columns, 0)
            options = np.broadcast_to(options[rows, padded.place[:, None]], shape)
        return (
            data.graphs.look_up(rounded(padded.before)),
            data.graphs.look_up(padded.after),
            to_device(padded.state, data.device),
            data.commands.look_up(rounded(commands)),
            *(
                to_device(array, data.device)
                for array in (outcomes, options, padded.allowed, padded.right)
            ),
            to_device(np.where(real, weight, 0).astype(np.float32), data.device),
        )

    def loss(self, *batch: Tensor) -> tuple[Tensor, ...]:
        """Minus the log-probability of a right answer, the mean over examples."""
        return (self._loss_sum(*self._scores(*batch)),)

    @staticmethod
    def _loss_sum(scores: Tensor, right: Tensor, weights: Tensor) -> Tensor:
        lowest = torch.finfo(scores.dtype).min
        of_right = torch.where(right, scores, lowest).logsumexp(-1)
        losses = scores.logsumexp(-1) - of_right
        return (losses * weights).sum()

    def _scores(self, *batch: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Scores and right answers of every example, (P, most options), and its weight, (P,)."""
        before, after, state, commands, outcomes, actions, allowed, right, weights, *known = batch
        old, new = adjacency(before), adjacency(after)
        graphs = (old, node_mask(old), new, node_mask(new))
        transitions = Transitions(*graphs, state, commands, outcomes, actions, allowed)
        return self.model(transitions, *known), right, weights

    @torch.no_grad()
    def evaluate(self, split: Split, at_most: int | None = None) -> Metrics:
        """``accuracy``: how often the best rated answer is a right one; and ``loss``."""
        data = self.data[split]
        right = loss = examples = 0.0
        choices = usable_choices(data.corpus)
        for table in self._tables(data.corpus, choices[spread(len(choices), at_most)]):
            batch = self._look_up(data, table, room=len(table.after))
            scores, answers, weights = self._scores(*batch)
            best = scores.argmax(-1, keepdim=True)
            right += float(answers.gather(-1, best).sum())
            loss += float(self._loss_sum(scores, answers, weights))
            examples += len(table.after)
        return {"loss": loss / examples, "accuracy": right / examples}

    def _tables(self, corpus: Corpus, choices: Ids) -> Iterator[Table]:
        """States with similar numbers of options together."""
        counts = option_counts(corpus)
        choices = choices[np.argsort(counts[choices], kind="stable")]
        ends = np.cumsum(counts[choices])
        for part in np.split(choices, np.flatnonzero(np.diff(ends // self.evaluation_batch)) + 1):
            yield make_table(corpus, options_of(corpus, part), self.graph)

    def position(self) -> dict[str, Any]:
        """States and options drawn."""
        return {"states": self._order.drawn, "examples": self._examples}

    def seek(self, position: dict[str, Any]) -> None:
        """States and options drawn."""
        self._order.drawn = position["states"]
        self._examples = position["examples"]
