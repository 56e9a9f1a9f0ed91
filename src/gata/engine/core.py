"""Games in memory: a pack of compiled games, the states of a batch, and the kernel's calls.

This is the array level that every front door stands on. It owns the memory and checks what comes
in; all rules are in the compiled tables.
"""

import itertools
import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from gata.engine import messages, rows, turn
from gata.engine.pack import Pack
from gata.engine.tables import (
    INFO,
    OUTPUT_NUMBERS,
    OUTPUT_ROWS,
    STATE_BITS,
    STATE_ROWS,
    Array,
    State,
)
from gata.errors import UsageError

MIN_ROWS_PER_THREAD = 64
"""Fewer rows than this are not worth handing to another thread."""


SORTED_FROM = 512
"""From this batch size on, playing rows in the order of their games is faster (by a fifth)."""


class Outputs:
    """What the engine says about every game after a step.

    All are views of the engine's own memory: the next step writes over them. Rows beyond a
    length hold zeros. Booleans are 0 and 1.
    """

    observation: Array
    """(batch, width) int32 tokens of the reply; likewise description and inventory."""
    observation_length: Array
    description: Array
    description_length: Array
    inventory: Array
    inventory_length: Array
    candidates: Array
    """(batch, width) int32: ids into the command table, ascending (the order of the words)."""
    candidate_count: Array
    full_edges: Array
    """(batch, width) int32: edge ids of the true graph, ascending; likewise the seen graph."""
    full_count: Array
    seen_edges: Array
    seen_count: Array
    reward: Array
    """(batch,) int32: change of the score."""
    score: Array
    max_score: Array
    steps: Array
    game: Array
    """(batch,) int32: which of the packed games is being played."""
    done: Array
    """(batch,) int32: 1 if the episode is over, for one of the next three reasons."""
    won: Array
    lost: Array
    truncated: Array

    def __init__(self, pack: Pack, batch: int) -> None:
        width = len(OUTPUT_NUMBERS) + sum(pack.widths[f"output_{name}"] for name in OUTPUT_ROWS)
        self.numbers: Array = np.zeros((batch, width), np.int32)
        for column, name in enumerate(OUTPUT_NUMBERS):
            setattr(self, name, self.numbers[:, column])
        for name in OUTPUT_ROWS:
            begin = pack.offset(f"output_{name}")
            setattr(self, name, self.numbers[:, begin : begin + pack.widths[f"output_{name}"]])


def new_state(pack: Pack, batch: int) -> State:
    """Memory for ``batch`` games."""
    width = len(INFO) + sum(pack.widths[f"state_{name}"] for name in STATE_ROWS)
    words = sum(pack.widths[f"bits_{name}"] for name in STATE_BITS)
    return State(
        numbers=np.zeros((batch, width), np.int32),
        bits=np.zeros((batch, words), np.uint64),
        seeds=np.zeros(batch, np.uint64),
    )


class Batch:
    """Many games, played row by row."""

    def __init__(
        self,
        pack: Pack,
        batch: int,
        *,
        seeds: Iterable[int] | None = None,
        step_limit: int = 0,
        filtered: bool = False,
        by_turns: bool = False,
        threads: int = 1,
    ) -> None:
        """Make room for a batch; call ``begin`` before the first ``step``.

        Args:
            pack: the games.
            batch: how many rows to play at once.
            seeds: a seed per row, which decides the games it plays (default: 0, 1, 2, ...).
            step_limit: episodes end after so many steps; 0 means never.
            filtered: offer the candidates of the authors' training code only.
            by_turns: rows take the games in order rather than at random.
            threads: how many threads may work on a step; 0 means one per core.
        """
        if batch < 1:
            raise UsageError(f"batch is {batch}, expected 1 or more")
        if threads < 0:
            raise UsageError(f"threads is {threads}, expected 0 (all cores) or more")
        self.pack = pack
        self.batch = batch
        self.state = new_state(pack, batch)
        self.outputs = Outputs(pack, batch)
        self.step_limit = step_limit
        self._masks = pack.tables.mask_filtered if filtered else pack.tables.mask_all
        self._stride = batch if by_turns else 0
        self._actions = np.zeros(batch, np.int64)
        self._natural_order = np.arange(batch)
        self._begun = False
        self._pool: ThreadPoolExecutor | None = None
        self._spans = self._split(threads or os.cpu_count() or 1)
        self.seed(seeds if seeds is not None else range(batch))

    def _split(self, threads: int) -> list[tuple[int, int]]:
        threads = max(1, min(threads, self.batch // MIN_ROWS_PER_THREAD))
        if threads > 1:
            self._pool = ThreadPoolExecutor(threads - 1, "gata-engine")
        edges = np.linspace(0, self.batch, threads + 1).astype(int).tolist()
        return list(itertools.pairwise(edges))

    def seed(self, seeds: Iterable[int]) -> None:
        """Give every row its seed (it decides which games the row plays) and restart its order."""
        values = np.array([seed & 0xFFFFFFFFFFFFFFFF for seed in seeds], np.uint64)
        if len(values) != self.batch:
            raise UsageError(f"{len(values)} seeds for a batch of {self.batch}")
        self.state.seeds[:] = values
        # Counted up when an episode begins: the first one is number 0.
        self.state.numbers[:, INFO.index("episode")] = -1

    def begin(self, rows_: npt.ArrayLike | None = None, games: npt.ArrayLike | None = None) -> None:
        """Begin an episode in ``rows_`` (default: all), with given ``games`` or the rows' own."""
        numbers = self._rows(rows_)
        if not self._begun and rows_ is not None:
            self.begin()
        chosen = np.full(len(numbers), -1)
        if games is not None:
            chosen = np.broadcast_to(np.asarray(games, np.int64), numbers.shape).copy()
            for game in chosen.tolist():
                if not 0 <= game < len(self.pack):
                    raise UsageError(f"game {game} is not in 0..{len(self.pack) - 1}")
        tables, state = self.pack.tables, self.state
        rows.begin_rows(
            tables.numbers,
            self._masks,
            tables.initial_bits,
            *state,
            self.outputs.numbers,
            numbers,
            chosen,
            self._stride,
        )
        self._begun = True

    def _rows(self, chosen: npt.ArrayLike | None) -> Array:
        if chosen is None:
            return np.arange(self.batch)
        numbers = np.asarray(chosen)
        if numbers.dtype == np.bool_ and numbers.shape == (self.batch,):
            return np.flatnonzero(numbers)
        if numbers.dtype.kind not in "iu":
            raise UsageError(f"expected row numbers, found an array of {numbers.dtype}")
        numbers = np.ascontiguousarray(numbers.reshape(-1), np.int64)
        if len(numbers) and not (numbers.min() >= 0 and numbers.max() < self.batch):
            raise UsageError(
                f"rows {numbers.min()}..{numbers.max()} are not in a batch of {self.batch}"
            )
        return numbers

    def step(self, commands: npt.ArrayLike) -> None:
        """Give each row a command (its id in the command table).

        Nothing is played if any is bad. A row whose episode is over ignores its command and
        begins the next episode.
        """
        if not self._begun:
            raise UsageError("call begin (or reset) before the first step")
        ids = np.asarray(commands)
        if ids.shape != (self.batch,) or ids.dtype.kind not in "iu":
            raise UsageError(
                f"expected {self.batch} command ids, found an array of {ids.dtype} "
                f"and shape {ids.shape}"
            )
        ids = np.ascontiguousarray(ids, np.int64)
        tables, state = self.pack.tables, self.state
        order = self._row_order()
        bad = rows.first_bad(
            tables.numbers, state.numbers, state.bits, ids, self._actions, order, 0, self.batch
        )
        if bad >= 0:
            raise self._complaint(bad, int(ids[bad]))
        self._for_all(
            rows.step_rows,
            tables.numbers,
            self._masks,
            tables.initial_bits,
            *state,
            self.outputs.numbers,
            self._actions,
            order,
            self.step_limit,
            self._stride,
        )

    def _row_order(self) -> Array:
        """The order in which rows are played: it changes nothing but the speed.

        Rows of the same game one after another find its tables in the processor's cache, which
        pays where several rows share a game.
        """
        if self.batch < SORTED_FROM:
            return self._natural_order
        return np.argsort(self.state.numbers[:, INFO.index("game")], kind="stable")

    def _for_all(self, function: Any, *arguments: Any) -> None:
        """Run a kernel over all rows, each thread its own span of them."""
        others = [
            self._pool.submit(function, *arguments, *span)
            for span in self._spans[1:]
            if self._pool is not None
        ]
        function(*arguments, *self._spans[0])
        for other in others:
            other.result()

    def _complaint(self, row: int, command: int) -> UsageError:
        if not 0 <= command < len(self.pack.commands):
            return UsageError(
                f"row {row}: command id {command} is not in 0..{len(self.pack.commands) - 1}"
            )
        game = self.pack.names[self.info(row, "game")]
        return UsageError(
            f"row {row} ({game}): command {command}, '{self.pack.commands[command]}', is not "
            "admissible now"
        )

    def act(self, row: int, action: int) -> None:
        """Carry out a command of the row's game, by its number there, admissible or not."""
        tables, state = self.pack.tables, self.state
        turn.act(tables.numbers, state.numbers, state.bits, row, action)
        state.numbers[row, INFO.index("steps")] += 1
        rows.write_outputs(
            tables.numbers, self._masks, state.numbers, state.bits, self.outputs.numbers, row
        )

    def pass_turn(self, row: int, *, forget_last: bool) -> None:
        """Let a turn pass in which nothing is done; the reply begins with an empty ``SAID``."""
        tables, state = self.pack.tables, self.state
        if forget_last:
            state.numbers[row, INFO.index("last_grounding")] = -1
        turn.pass_turn(tables.numbers, state.numbers, row)
        state.numbers[row, INFO.index("steps")] += 1
        rows.write_outputs(
            tables.numbers, self._masks, state.numbers, state.bits, self.outputs.numbers, row
        )

    def info(self, row: int, name: str) -> int:
        """One of ``INFO`` for a row."""
        return int(self.state.numbers[row, INFO.index(name)])

    def part(self, row: int, name: str) -> list[int]:
        """One of ``STATE_ROWS`` for a row."""
        begin = self.pack.offset(f"state_{name}")
        numbers: list[int] = self.state.numbers[
            row, begin : begin + self.pack.widths[f"state_{name}"]
        ].tolist()
        return numbers

    def bits(self, row: int, name: str) -> list[int]:
        """One of ``STATE_BITS`` for a row, as 64-bit words."""
        begin = self.pack.offset(f"bits_{name}")
        words: list[int] = self.state.bits[
            row, begin : begin + self.pack.widths[f"bits_{name}"]
        ].tolist()
        return words

    # Strings, from the same pieces as the tokens.

    def feedback(self, row: int) -> str:
        """The last reply, as TextWorld prints it."""
        return self._join(row, "feedback")

    def description(self, row: int) -> str:
        """TextWorld's ``description``."""
        return self._join(row, "description").strip()

    def inventory(self, row: int) -> str:
        """TextWorld's ``inventory``."""
        return self._join(row, "inventory").strip()

    def prompt(self, row: int, *, after_the_end: bool = False) -> str:
        """The prompt and the status line, as they stood last."""
        write = messages.end_prompt if after_the_end else messages.prompt
        heading = self.pack.headings[self.info(row, "game")][self.info(row, "status_room")]
        return write(heading, self.info(row, "status_score"), self.info(row, "status_turn"))

    def _join(self, row: int, name: str) -> str:
        begin = self.pack.offset(f"state_{name}")
        length = self.info(row, f"{name}_length")
        pieces = self.state.numbers[row, begin : begin + length].tolist()
        return "".join(self._piece(row, piece) for piece in pieces)

    def _piece(self, row: int, piece: int) -> str:
        if piece < 0:
            return str(-1 - piece)
        if piece == messages.Fixed.PROMPT or piece == messages.Fixed.END_PROMPT:
            return self.prompt(row, after_the_end=piece == messages.Fixed.END_PROMPT)
        return self.pack.texts[piece]

    def candidates(self, row: int) -> list[str]:
        """The commands on offer, sorted."""
        ids = self.outputs.candidates[row, : self.outputs.candidate_count[row]]
        return [self.pack.commands[command] for command in ids.tolist()]

    # States.

    def save(self, rows_: npt.ArrayLike | None = None) -> State:
        """A copy of the states of ``rows_`` (default: all)."""
        numbers = self._rows(rows_)
        return State(*(array[numbers] for array in self.state))

    def restore(self, saved: State, rows_: npt.ArrayLike | None = None) -> None:
        """Put saved states into ``rows_`` (default: all); the seeds' orders come with them."""
        numbers = self._rows(rows_)
        for name, array, target in zip(State._fields, saved, self.state, strict=True):
            expected = (len(numbers), *target.shape[1:])
            if array.shape != expected or array.dtype != target.dtype:
                raise UsageError(
                    f"saved state: '{name}' has shape {array.shape} and type {array.dtype}, "
                    f"expected {expected} and {target.dtype}: it is of other games than these"
                )
        if not self._begun:
            self.begin()
        for array, target in zip(saved, self.state, strict=True):
            target[numbers] = array
        self._refresh(numbers)

    def copy_rows(self, sources: npt.ArrayLike, targets: npt.ArrayLike) -> None:
        """Make ``targets`` the same as ``sources``: the same games at the same moment."""
        from_, to = self._rows(sources), self._rows(targets)
        if len(from_) != len(to):
            raise UsageError(f"{len(from_)} rows cannot be copied to {len(to)} rows")
        for array in self.state:
            array[to] = array[from_]
        self._refresh(to)

    def _refresh(self, numbers: Array) -> None:
        tables, state = self.pack.tables, self.state
        rows.refresh_rows(
            tables.numbers, self._masks, state.numbers, state.bits, self.outputs.numbers, numbers
        )
