"""Action prediction and state prediction."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from gata.graph.adjacency import adjacency, node_mask
from gata.nn.models import TransitionModel, Transitions
from gata.pretrain.data.corpus import Corpus
from gata.pretrain.order import Ids, Shuffled
from gata.pretrain.settings import Graph
from gata.pretrain.tasks.task import Metrics, Split, Task
from gata.pretrain.tasks.walking import spread
from gata.pretrain.tensors import CorpusTensors, to_device

Question = Literal["action", "state"]

MIN_OPTIONS = 5
"""States with fewer things to do are left out, as in the authors' data."""


class TransitionTask(Task):
    """Which action led to this graph (AP), which graph does this action lead to (SP).

    A batch is made of whole states with all their options: every option is an example, and graphs
    and commands are encoded once for all of them. Options with the same outcome cannot be told
    apart, so each of them is a right answer.
    """

    model: TransitionModel
    measure = "accuracy"

    def __init__(
        self,
        model: TransitionModel,
        data: Mapping[Split, CorpusTensors],
        *,
        batch: int,
        seed: int,
        graph: Graph,
        question: Question,
    ) -> None:
        super().__init__(model, data, batch=batch, seed=seed)
        self.graph = graph
        self.question = question
        self._examples = 0

    @cached_property
    def _choices(self) -> Ids:
        return usable_choices(self.train.corpus)

    @cached_property
    def _order(self) -> Shuffled:
        return Shuffled(len(self._choices), self.seed)

    @property
    def drawn(self) -> int:
        """Options drawn."""
        return self._examples

    def batch(self, number: int) -> tuple[Tensor, ...]:
        """Some states with all their options, ``batch_size`` of the latter at most."""
        options = option_counts(self.train.corpus)
        chosen: list[int] = []
        room = self.batch_size
        while True:
            choice = int(self._choices[self._order.take(1)[0]])
            room -= options[choice]
            if room < 0 and chosen:
                self._order.drawn -= 1  # it is the first of the next batch
                break
            chosen.append(choice)
            if room <= 0:
                break
        table = make_table(self.train.corpus, np.array(chosen), self.graph)
        self._examples += len(table.after)
        return self._look_up(self.train, table, room=self.batch_size)

    def _look_up(self, data: CorpusTensors, table: "Table", room: int) -> tuple[Tensor, ...]:
        """The tensors of a table, padded to ``room`` outcomes so that shapes repeat."""
        padded = table.padded(room)
        commands, options = np.unique(padded.options, return_inverse=True)
        on_device = (padded.state, options.reshape(padded.options.shape), padded.allowed)
        return (
            data.graphs.look_up(_filled(padded.before, -len(padded.before) % _SHAPE_STEP)),
            data.graphs.look_up(padded.after),
            data.commands.look_up(_filled(commands, -len(commands) % _SHAPE_STEP)),
            *(to_device(array, data.device) for array in (*on_device, padded.right, padded.place)),
            to_device(np.arange(len(padded.after)) < len(table.after), data.device),
        )

    def loss(self, *batch: Tensor) -> tuple[Tensor, ...]:
        """Minus the log-probability of a right answer, the mean over examples."""
        scores, right, real = self._scores(*batch)
        lowest = torch.finfo(scores.dtype).min
        of_right = torch.where(right, scores, lowest).logsumexp(-1)
        losses = scores.logsumexp(-1) - of_right
        return ((losses * real).sum() / real.sum(),)

    def _scores(self, *batch: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Scores and right answers of every example, (P, most options), and which are examples."""
        before, after, commands, state, options, allowed, right, place, real = batch
        old, new = adjacency(before), adjacency(after)
        scores = self.model(
            Transitions(old, node_mask(old), new, node_mask(new), state, commands, options, allowed)
        )
        if self.question == "state":
            # Score (outcome, option) -> (option, outcome): the outcomes of a state are its options.
            column = place.unsqueeze(-1)
            first = torch.arange(len(place), device=place.device).unsqueeze(-1) - column
            rows = first + torch.arange(allowed.shape[1], device=place.device)
            scores = scores[rows.clamp(max=len(place) - 1), column]
            scores = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
        return scores, right, real

    @torch.no_grad()
    def evaluate(self, split: Split, at_most: int | None = None) -> Metrics:
        """``accuracy``: how often the best rated answer is a right one; and ``loss``."""
        data = self.data[split]
        right = loss = examples = 0.0
        choices = usable_choices(data.corpus)
        for table in self._tables(data.corpus, choices[spread(len(choices), at_most)]):
            batch = self._look_up(data, table, room=len(table.after))
            (of_batch,) = self.loss(*batch)
            scores, answers, _ = self._scores(*batch)
            best = scores.argmax(-1, keepdim=True)
            right += float(answers.gather(-1, best).sum())
            loss += float(of_batch) * len(table.after)
            examples += len(table.after)
        return {"loss": loss / examples, "accuracy": right / examples}

    def _tables(self, corpus: Corpus, choices: Ids) -> Iterator["Table"]:
        """States with similar numbers of options together."""
        counts = option_counts(corpus)
        choices = choices[np.argsort(counts[choices], kind="stable")]
        room = 1024 if self.device.type == "cuda" else 128
        ends = np.cumsum(counts[choices])
        for part in np.split(choices, np.flatnonzero(np.diff(ends // room)) + 1):
            yield make_table(corpus, part, self.graph)

    def position(self) -> dict[str, Any]:
        """States and options drawn."""
        return {"states": self._order.drawn, "examples": self._examples}

    def seek(self, position: dict[str, Any]) -> None:
        """States and options drawn."""
        self._order.drawn = position["states"]
        self._examples = position["examples"]


_SHAPE_STEP = 32
"""States, commands and options are padded to multiples, so that few shapes occur."""


class Table(NamedTuple):
    """Some states with all their options; P options together."""

    before: Ids
    """(states,) graphs."""
    after: Ids
    """(P,) graphs of the outcomes."""
    state: Ids
    """(P,) the state of each option."""
    place: Ids
    """(P,) which option of its state it is."""
    options: Ids
    """(P, most) the commands of its state."""
    allowed: npt.NDArray[np.bool_]
    """(P, most): which of them there are."""
    right: npt.NDArray[np.bool_]
    """(P, most): which have the same outcome as this one."""

    def padded(self, room: int) -> "Table":
        """The same with ``room`` options and a rounded width; what is added counts for nothing.

        It belongs to state 0, has one option and the empty graph.
        """
        more = max(0, room - len(self.after))
        wider = -self.options.shape[1] % _SHAPE_STEP
        return Table(
            self.before,
            _filled(self.after, more),
            _filled(self.state, more),
            _filled(self.place, more),
            np.pad(self.options, ((0, more), (0, wider))),
            _first_true(np.pad(self.allowed, ((0, more), (0, wider))), more),
            _first_true(np.pad(self.right, ((0, more), (0, wider))), more),
        )


def _filled(array: Ids, more: int) -> Ids:
    return np.pad(array, (0, more))


def _first_true(array: npt.NDArray[np.bool_], rows: int) -> npt.NDArray[np.bool_]:
    array[len(array) - rows :, 0] = True
    return array


def make_table(corpus: Corpus, choices: Ids, graph: Graph) -> Table:
    """Lay out some states with all their options."""
    befores, afters = (
        (corpus.choice_full, corpus.option_full)
        if graph == "full"
        else (corpus.choice_seen, corpus.option_seen)
    )
    counts = option_counts(corpus)[choices]
    first = corpus.choice_offsets[choices]
    state = np.repeat(np.arange(len(choices)), counts)
    place = np.arange(len(state)) - np.repeat(np.cumsum(counts) - counts, counts)
    after = afters[first[state] + place].astype(np.int64)
    columns = np.arange(counts.max())
    allowed = columns < counts[state][:, None]
    cells = np.where(allowed, first[state][:, None] + columns, 0)
    return Table(
        befores[choices].astype(np.int64),
        after,
        state,
        place,
        np.where(allowed, corpus.option_command[cells], 0).astype(np.int64),
        allowed,
        allowed & (afters[cells] == after[:, None]),
    )


def option_counts(corpus: Corpus) -> Ids:
    """(choices,): how many things could be done."""
    counts: Ids = np.diff(corpus.choice_offsets)
    return counts


def usable_choices(corpus: Corpus) -> Ids:
    """The states with enough to choose from."""
    return np.flatnonzero(option_counts(corpus) >= MIN_OPTIONS)
