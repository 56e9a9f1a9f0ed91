"""Playing with a brain: what it believes and remembers of each game of a batch."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from gata.agents.baselines import RowMask
from gata.agents.commands import COMMANDS_STEP, START
from gata.agents.selector import LstmMemory
from gata.agents.thinking import Thinking
from gata.engine import Outputs
from gata.errors import GataError
from gata.graph.adjacency import PADDING
from gata.nn.tokens import Grouped
from gata.training.rows import (
    ROOM_STEP,
    Ids,
    cheapest_sizes,
    group_by_length,
    round_up,
    short_and_long,
    to_device,
)


class Situation(NamedTuple):
    """The states of a batch of games, as an agent sees them."""

    previous: Ids
    """(batch,) numbers: the command that led here."""
    candidates: Ids
    """(batch, most) numbers of the commands on offer, ``START`` behind them."""
    counts: Ids
    """(batch,)"""
    beliefs: Tensor
    """(batch, *state shape)"""
    texts: Grouped
    """The observations."""

    @property
    def allowed(self) -> npt.NDArray[np.bool_]:
        """(batch, most): which candidates there are."""
        allowed: npt.NDArray[np.bool_]
        allowed = np.arange(self.candidates.shape[1]) < self.counts[:, None]
        return allowed


@dataclass
class Actor:
    """Follows a batch of games: ``observe``, ``values``, ``did``, and again.

    An episode begins where the engine counts no steps: belief and memory begin anew.
    """

    thinking: Thinking
    numbers: Ids
    """The book's number of each of the engine's commands."""
    batch: int
    """The engine's."""
    narrow: bool | None = None
    """Tensors are as narrow as they can be, or as wide as they ever had to be, so that shapes
    repeat and can be captured; if not said, narrow on a CPU."""

    def __post_init__(self) -> None:
        self.brain = self.thinking.brain
        self.device = self.brain.device
        if self.narrow is None:
            self.narrow = self.device.type == "cpu"
        self.rows = np.arange(self.batch)
        """Which of the engine's rows are followed; situations and values are of these."""
        self.beliefs = self.brain.initial(self.batch)
        self.previous = np.full(self.batch, START)
        self.memory: LstmMemory | None = None
        if self.brain.selector.recurrent:
            hidden = self.brain.settings.hidden
            zeros = torch.zeros(self.batch, hidden, device=self.device)
            self.memory = zeros, zeros.clone()

    def follow(self, live: RowMask) -> None:
        """Leave the rows that are not ``live`` alone, for good; one at least must be.

        Where shapes have to repeat all are followed nevertheless: to capture the shapes of fewer
        rows would cost more than to calculate them.
        """
        if not self.narrow or live[self.rows].all():
            return
        kept = np.flatnonzero(live[self.rows])
        self.rows, self.previous = self.rows[kept], self.previous[kept]
        places = to_device(kept, self.device)
        self.beliefs = self.beliefs[places]
        if self.memory is not None:
            hidden, cell = self.memory
            self.memory = hidden[places], cell[places]

    def observe(self, outputs: Outputs) -> Situation:
        """Take in what the engine says; once per step."""
        if len(self.rows) < self.batch:
            outputs = outputs.of(self.rows)
        starts = outputs.steps == 0
        self.previous = np.where(starts, START, self.previous)
        fresh = to_device(starts, self.device)
        if self.memory is not None:
            hidden, cell = self.memory
            gone = fresh.unsqueeze(1)
            self.memory = hidden.masked_fill(gone, 0), cell.masked_fill(gone, 0)
        texts = self._texts(outputs)
        edges = self._edges(outputs) if self.brain.preset.belief == "given" else None
        previous = to_device(self.previous, self.device)
        self.beliefs = self.thinking.believe(self.beliefs, fresh, previous, texts, edges)
        counts = outputs.candidate_count.astype(np.int64)
        most = self._width("candidates", counts)
        candidates = self.numbers[_cut(outputs.candidates, most)]
        candidates[np.arange(most) >= counts[:, None]] = START
        return Situation(self.previous, candidates, counts, self.beliefs, texts)

    def _width(self, what: str, counts: Ids) -> int:
        """How wide a tensor of rows with so many entries is."""
        most = max(1, int(counts.max()))
        return most if self.narrow else self.thinking.width(what, most)

    def _texts(self, outputs: Outputs) -> Grouped:
        """The observations, those of similar length together."""
        lengths = outputs.observation_length.astype(np.int64)
        sizes = cheapest_sizes(lengths) if self.narrow else short_and_long(self.batch)
        parts, places = group_by_length(lengths, sizes)
        step = 1 if self.narrow else ROOM_STEP
        widths = [round_up(max(1, int(lengths[part].max())), step) for part in parts]
        if not self.narrow:
            widths[-1] = self._width("texts", lengths)
        rows = [
            _cut(outputs.observation[part], width)
            for part, width in zip(parts, widths, strict=True)
        ]
        return Grouped(
            tuple(to_device(row, self.device) for row in rows), to_device(places, self.device)
        )

    def _edges(self, outputs: Outputs) -> Tensor:
        """The games' full graphs."""
        (room,) = self.brain.state_shape
        counts = outputs.full_count.astype(np.int64)
        if counts.max() > room:
            raise GataError(f"a game's graph has {counts.max()} edges; there is room for {room}")
        most = min(room, self._width("edges", counts))
        edges = _cut(outputs.full_edges, most)
        edges[np.arange(most) >= counts[:, None]] = PADDING
        return to_device(edges, self.device)

    def values(self, situation: Situation) -> Tensor:
        """The Q-values of the candidates: (batch, most). A memory takes its step here."""
        book = self.thinking.book
        distinct, offered = book.distinct(situation.candidates)
        if not self.narrow:
            room = self.thinking.width("commands", len(distinct), COMMANDS_STEP)
            distinct = np.pad(distinct, (0, room - len(distinct)), constant_values=START)
        values, self.memory = self.thinking.rate(
            situation.beliefs,
            to_device(situation.previous, self.device),
            situation.texts,
            book.words(to_device(distinct, self.device)),
            to_device(offered, self.device),
            to_device(situation.allowed, self.device),
            self.memory,
        )
        return values

    def did(self, numbers: Ids) -> None:
        """Tell which commands were given: (batch,)."""
        self.previous = numbers


def _cut(rows: npt.NDArray[np.int32], width: int) -> Ids:
    """The first columns, widened by zeros where there are fewer."""
    cut = np.zeros((len(rows), width), np.int64)
    cut[:, : rows.shape[1]] = rows[:, :width]
    return cut
