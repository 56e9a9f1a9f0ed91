"""Playing with a brain: what it believes and remembers of each game of a batch."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from gata.agents.commands import START, CommandBook
from gata.agents.making import Brain
from gata.agents.selector import LstmMemory
from gata.belief.interface import Step
from gata.engine import Outputs
from gata.errors import GataError
from gata.graph.adjacency import PADDING
from gata.language.vocabulary import SEP
from gata.nn.tokens import Grouped, join
from gata.training.rows import Ids, group_by_length, round_up, to_device

CPU_GROUPS = 3
"""On a CPU short texts are not padded to the longest; a GPU would rather have fewer kernels."""
WIDTH_STEP = 8
"""Widths of texts are multiples of it."""


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
    texts: Grouped | None
    """What the selector reads, if it reads."""

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

    brain: Brain
    book: CommandBook
    numbers: Ids
    """The book's number of each of the engine's commands."""
    batch: int

    def __post_init__(self) -> None:
        self.device = self.brain.device
        self.beliefs = self.brain.initial(self.batch)
        self.previous = np.full(self.batch, START)
        self.memory: LstmMemory | None = None
        if self.brain.selector.recurrent:
            hidden = self.brain.settings.hidden
            zeros = torch.zeros(self.batch, hidden, device=self.device)
            self.memory = zeros, zeros.clone()

    @torch.no_grad()
    def observe(self, outputs: Outputs) -> Situation:
        """Take in what the engine says; once per step."""
        starts = outputs.steps == 0
        self.previous = np.where(starts, START, self.previous)
        if self.memory is not None:
            fresh = to_device(starts, self.device).unsqueeze(1)
            hidden, cell = self.memory
            self.memory = hidden.masked_fill(fresh, 0), cell.masked_fill(fresh, 0)
        texts = self._texts(outputs)
        self.beliefs = self._update(starts, texts, outputs)
        most = max(1, int(outputs.candidate_count.max()))
        counts = outputs.candidate_count.astype(np.int64)
        candidates = self.numbers[outputs.candidates[:, :most]]
        candidates[np.arange(most) >= counts[:, None]] = START
        return Situation(self.previous, candidates, counts, self.beliefs, self._read(texts))

    def _texts(self, outputs: Outputs) -> Grouped:
        """The observations, those of similar length together."""
        lengths = outputs.observation_length.astype(np.int64)
        groups = CPU_GROUPS if self.device.type == "cpu" else 1
        parts, places = group_by_length(lengths, groups)
        widths = [round_up(max(1, int(lengths[part].max())), WIDTH_STEP) for part in parts]
        rows = [
            _cut(outputs.observation[part], width)
            for part, width in zip(parts, widths, strict=True)
        ]
        return Grouped(
            tuple(to_device(row, self.device) for row in rows), to_device(places, self.device)
        )

    def _update(self, starts: npt.NDArray[np.bool_], texts: Grouped, outputs: Outputs) -> Tensor:
        belief = self.brain.belief
        if belief is None:
            return self.beliefs
        shape = (-1, *[1] * (self.beliefs.dim() - 1))
        fresh = to_device(starts, self.device).view(shape)
        before = torch.where(fresh, belief.initial(self.batch, self.device), self.beliefs)
        actions = self.book.tokens.look_up(self.previous)
        edges = self._edges(outputs) if self.brain.preset.belief == "given" else None
        after = [
            belief.update(
                before[order],
                Step(group, actions[order], None if edges is None else edges[order]),
            )
            for group, order in zip(texts.groups, texts.order, strict=True)
        ]
        return torch.cat(after).index_select(0, texts.places)

    def _edges(self, outputs: Outputs) -> Tensor:
        """The games' full graphs."""
        (room,) = self.brain.state_shape
        most = max(1, int(outputs.full_count.max()))
        if most > room:
            raise GataError(f"a game's graph has {most} edges, but there is room for {room}")
        edges = outputs.full_edges[:, :most].copy()
        edges[np.arange(most) >= outputs.full_count[:, None]] = PADDING
        return to_device(edges, self.device)

    def _read(self, texts: Grouped) -> Grouped | None:
        if self.brain.preset.uses == "graph":
            return None
        if not self.brain.preset.action_in_text:
            return texts
        return with_actions(texts, self.book.tokens.look_up(self.previous))

    @torch.no_grad()
    def values(self, situation: Situation) -> Tensor:
        """The Q-values of the candidates: (batch, most). A memory takes its step here."""
        selector = self.brain.selector
        tables = selector.tables()
        distinct, lookup = np.unique(situation.candidates, return_inverse=True)
        commands = selector.commands(self.book.tokens.look_up(distinct), tables)
        state = selector.pool(situation.texts, self.brain.graph(situation.beliefs), tables)
        if selector.recurrent:
            state, self.memory = selector.remember(state, self.memory)
        places = to_device(lookup.reshape(situation.candidates.shape), self.device)
        allowed = to_device(situation.allowed, self.device)
        return selector.rate(state, commands[places], allowed)

    def did(self, numbers: Ids) -> None:
        """Tell which commands were given: (batch,)."""
        self.previous = numbers


def with_actions(texts: Grouped, actions: Tensor) -> Grouped:
    """Texts with the commands that led to them: ``texts <sep> command``."""
    joined = (
        join(group, SEP, actions[order])
        for group, order in zip(texts.groups, texts.order, strict=True)
    )
    return Grouped(tuple(joined), texts.places)


def _cut(rows: npt.NDArray[np.int32], width: int) -> Ids:
    """The first columns, widened by zeros where there are fewer."""
    cut = np.zeros((len(rows), width), np.int64)
    cut[:, : rows.shape[1]] = rows[:, :width]
    return cut
