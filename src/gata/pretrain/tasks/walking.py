"""Tasks that walk through games: OG, COC and the text-only rival of OG."""

import itertools
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from torch import Tensor

from gata.nn.models import Recurrent, Steps
from gata.nn.tokens import Grouped
from gata.pretrain.lanes import Lanes, Stretch
from gata.pretrain.order import Ids, spread
from gata.pretrain.tasks.task import Split, Task
from gata.pretrain.tensors import CorpusTensors
from gata.training.rows import to_device
from gata.training.together import ALONE, Together

EVALUATION_STEPS = 10
"""How many steps of a path are looked at together when no gradient is wanted."""


GROUPS = 4
"""Into how many groups, at most, the texts of a batch are put by length."""


class Counted(NamedTuple):
    """A stretch of an evaluation: T steps of B paths."""

    steps: Steps
    stretch: Stretch
    counts: npt.NDArray[np.bool_]
    """(T, B): which of them count; others are over, or were seen on an earlier path."""
    is_first: bool
    """Whether the paths begin here."""
    cells: Ids
    """(T, B): where in the values of the corpus's paths each of them stands."""


class WalkingTask(Task):
    """Many paths at a time, a few steps of each per update, the state carried along."""

    model: Recurrent
    evaluation_sizes = (32, 256)  # paths side by side

    def __init__(
        self,
        model: Recurrent,
        data: Mapping[Split, CorpusTensors],
        *,
        batch: int,
        seed: int,
        steps: int,
        together: Together = ALONE,
    ) -> None:
        super().__init__(model, data, batch=batch, seed=seed, together=together)
        self.steps = steps
        self._part = together.share(batch)
        """The lanes of this process."""
        lanes = self._part.stop - self._part.start
        self._state = model.initial(lanes)
        """Of these lanes."""

    @property
    def states(self) -> int:
        """How many steps of games a whole batch has."""
        return self.steps * self.batch_size

    @cached_property
    def _lanes(self) -> Lanes:
        return Lanes(self.train.corpus.paths, self.batch_size, self.seed)

    @property
    def drawn(self) -> int:
        """Paths begun."""
        return self._lanes.drawn

    def batch(self, number: int) -> tuple[Tensor, ...]:
        """The next steps of every lane, with the state before them."""
        stretch = self._lanes.take(self.steps)
        mine = stretch.lanes(self._part)
        return self._state, *_flat(look_up(self.train, mine)), *self.extra(stretch, number)

    def extra(self, stretch: Stretch, number: int) -> tuple[Tensor, ...]:
        """What else the loss needs; ``stretch`` is that of all lanes."""
        return ()

    @abstractmethod
    def loss(self, *batch: Tensor) -> tuple[Tensor, ...]:
        """The loss, and the state after the steps."""

    @staticmethod
    def unpack(batch: tuple[Tensor, ...]) -> tuple[Tensor, Steps, tuple[Tensor, ...]]:
        """The state before the steps, the steps, and what ``extra`` gave."""
        state, actions, starts, *others = batch
        observations, rest = unpack_grouped(others)
        return state, Steps(observations, actions, starts), rest

    def after(self, *others: Tensor) -> None:
        """The state goes on to the next batch."""
        (self._state,) = others

    def paths(self, split: Split, at_most: int | None) -> Iterator[Counted]:
        """All steps of some paths of a split, so that every record counts once.

        Paths of similar length go together, longest first.
        """
        data = self.data[split]
        paths = data.corpus.paths
        lengths = paths.lengths
        chosen = spread(len(paths), at_most)
        chosen = chosen[np.argsort(-lengths[chosen], kind="stable")]
        for first in range(0, len(chosen), self.evaluation_batch):
            numbers = chosen[first : first + self.evaluation_batch]
            yield from self._walk_paths(data, numbers)

    def _walk_paths(self, data: CorpusTensors, numbers: Ids) -> Iterator[Counted]:
        corpus = data.corpus
        lengths = corpus.paths.lengths[numbers]
        for start in range(0, int(lengths.max()), EVALUATION_STEPS):
            places = np.arange(start, min(start + EVALUATION_STEPS, int(lengths.max())))[:, None]
            # A path that is over stays at its last record, which then does not count.
            cells = corpus.paths.offsets[numbers] + np.minimum(places, lengths - 1)
            records = corpus.paths.values[cells].astype(np.int64)
            counts = (places < lengths) & (places >= lengths - corpus.path_new[numbers])
            stretch = Stretch(records, np.broadcast_to(numbers, records.shape), places == 0)
            starts = np.broadcast_to(stretch.starts, records.shape)
            stretch = stretch._replace(starts=starts)
            yield Counted(look_up(data, stretch), stretch, counts, start == 0, cells)

    def position(self) -> dict[str, Any]:
        """Of the lanes."""
        return self._lanes.position()

    def seek(self, position: dict[str, Any]) -> None:
        """Of the lanes."""
        self._lanes.seek(position)

    def memory(self) -> dict[str, Tensor]:
        """The states of all lanes."""
        return {"state": self.together.whole(self._state, self.batch_size)}

    def recall(self, memory: Mapping[str, Tensor]) -> None:
        """The lanes' states."""
        self._state = memory["state"][self._part].to(self.device)


def look_up(data: CorpusTensors, stretch: Stretch) -> Steps:
    """The texts of steps."""
    corpus = data.corpus
    records = stretch.records.ravel()
    return Steps(
        data.texts.look_up_grouped(corpus.record_text[records].astype(np.int64), GROUPS),
        data.commands.look_up(corpus.record_command[records].astype(np.int64)),
        to_device(stretch.starts, data.device),
    )


def _flat(steps: Steps) -> tuple[Tensor, ...]:
    return steps.actions, steps.starts, *pack_grouped(steps.observations)


def pack_grouped(texts: Grouped) -> tuple[Tensor, ...]:
    """As plain tensors, for a batch."""
    return texts.places, *texts.groups


def unpack_grouped(tensors: Sequence[Tensor]) -> tuple[Grouped, tuple[Tensor, ...]]:
    """What ``pack_grouped`` packed, and the tensors after it."""
    places, *others = tensors
    # There are fewer groups than usual where there are fewer texts: they end with the last text.
    ends = itertools.accumulate(map(len, others))
    count = next(number for number, end in enumerate(ends, start=1) if end == len(places))
    return Grouped(tuple(others[:count]), places), tuple(others[count:])
