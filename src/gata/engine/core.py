"""Games in memory: a pack of compiled games, the states of a batch, and the kernel's calls.

This is the array level that every front door stands on. It owns the memory and checks what comes
in; all rules are in the compiled tables.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from gata.engine import kernel, messages
from gata.engine.pack import Pack, Widths
from gata.engine.tables import INFO, Array, Outputs, State, Tables
from gata.errors import UsageError

MIN_ROWS_PER_THREAD = 64
"""Fewer rows than this are not worth handing to another thread."""


def new_state(tables: Tables, widths: Widths, batch: int) -> State:
    """Memory for ``batch`` games."""

    def grid(width: int, dtype: npt.DTypeLike) -> Array:
        return np.zeros((batch, width), dtype)

    return State(
        info=grid(len(INFO), np.int32),
        seed=np.zeros(batch, np.uint64),
        parent=grid(widths.entities, np.int16),
        first=grid(widths.entities, np.int16),
        next=grid(widths.entities, np.int16),
        flags=grid(widths.entities, np.uint8),
        cooking=grid(widths.entities, np.uint8),
        cutting=grid(widths.entities, np.uint8),
        quests=grid(widths.quests, np.uint8),
        facts=grid(tables.initial_facts.shape[1], np.uint64),
        ready=grid(tables.initial_ready.shape[1], np.uint64),
        full=grid(tables.initial_full.shape[1], np.uint64),
        seen=grid(tables.initial_seen.shape[1], np.uint64),
        feedback=grid(widths.feedback, np.int32),
        description=grid(widths.description, np.int32),
        inventory=grid(widths.inventory, np.int32),
    )


def new_outputs(widths: Widths, batch: int) -> Outputs:
    """Memory for what is said about ``batch`` games."""

    def grid(width: int) -> Array:
        return np.zeros((batch, width), np.int32)

    def column(dtype: npt.DTypeLike = np.int32) -> Array:
        return np.zeros(batch, dtype)

    return Outputs(
        observation=grid(widths.feedback_tokens),
        observation_length=column(),
        description=grid(widths.description_tokens),
        description_length=column(),
        inventory=grid(widths.inventory_tokens),
        inventory_length=column(),
        candidates=grid(widths.candidates),
        candidate_count=column(),
        full_edges=grid(widths.edges),
        full_count=column(),
        seen_edges=grid(widths.edges),
        seen_count=column(),
        reward=column(np.float32),
        score=column(),
        max_score=column(),
        steps=column(),
        game=column(),
        done=column(np.bool_),
        won=column(np.bool_),
        lost=column(np.bool_),
        truncated=column(np.bool_),
    )


class Batch:
    """Many games, played row by row."""

    def __init__(
        self,
        pack: Pack,
        batch: int,
        *,
        seeds: Sequence[int] | None = None,
        step_limit: int = 0,
        filtered: bool = False,
        by_turns: bool = False,
        threads: int = 1,
    ) -> None:
        if batch < 1:
            raise UsageError(f"batch is {batch}, expected 1 or more")
        if threads < 0:
            raise UsageError(f"threads is {threads}, expected 0 (all cores) or more")
        self.pack = pack
        self.batch = batch
        self.widths = Widths.of(pack.tables)
        self.state = new_state(pack.tables, self.widths, batch)
        self.outputs = new_outputs(self.widths, batch)
        self.step_limit = step_limit
        self._masks = pack.tables.mask_filtered if filtered else pack.tables.mask_all
        self._stride = batch if by_turns else 0
        self._actions = np.zeros(batch, np.int64)
        self._pool: ThreadPoolExecutor | None = None
        self._spans = self._split(threads or os.cpu_count() or 1)
        self.seed(seeds if seeds is not None else range(batch))

    def _split(self, threads: int) -> list[tuple[int, int]]:
        threads = max(1, min(threads, self.batch // MIN_ROWS_PER_THREAD))
        if threads > 1:
            self._pool = ThreadPoolExecutor(threads - 1, "gata-engine")
        edges = np.linspace(0, self.batch, threads + 1).astype(int).tolist()
        return list(zip(edges[:-1], edges[1:], strict=True))

    def seed(self, seeds: Iterable[int]) -> None:
        """Give every row its seed (it decides which games the row plays) and restart its order."""
        values = np.array([seed & 0xFFFFFFFFFFFFFFFF for seed in seeds], np.uint64)
        if len(values) != self.batch:
            raise UsageError(f"{len(values)} seeds for a batch of {self.batch}")
        self.state.seed[:] = values
        self.state.info[:, INFO.index("episode")] = 0

    def begin(self, rows: npt.ArrayLike | None = None, games: npt.ArrayLike | None = None) -> None:
        """Begin an episode in ``rows`` (default: all), with given ``games`` or the rows' own."""
        row_numbers = self._rows(rows)
        if games is None:
            chosen = np.full(len(row_numbers), -1)
        else:
            chosen = np.broadcast_to(np.asarray(games, np.int64), row_numbers.shape)
            for game in chosen:
                if not 0 <= game < len(self.pack):
                    raise UsageError(f"game {game} is not in 0..{len(self.pack) - 1}")
        kernel.begin_rows(
            self.pack.tables,
            self.state,
            self.outputs,
            row_numbers,
            np.ascontiguousarray(chosen),
            self._masks,
            self._stride,
        )

    def _rows(self, rows: npt.ArrayLike | None) -> Array:
        if rows is None:
            return np.arange(self.batch)
        numbers = np.asarray(rows)
        if numbers.dtype == np.bool_ and numbers.shape == (self.batch,):
            return np.flatnonzero(numbers)
        numbers = np.ascontiguousarray(numbers.astype(np.int64).reshape(-1))
        for row in numbers:
            if not 0 <= row < self.batch:
                raise UsageError(f"row {row} is not in 0..{self.batch - 1}")
        return numbers

    def step(self, commands: npt.ArrayLike) -> None:
        """Give each row a command (its id in the command table).

        Nothing is played if any is bad. A row whose episode is over ignores its command and
        begins the next episode.
        """
        ids = np.asarray(commands)
        if ids.shape != (self.batch,) or ids.dtype.kind not in "iu":
            raise UsageError(
                f"expected {self.batch} command ids, found an array of {ids.dtype} "
                f"and shape {ids.shape}"
            )
        ids = np.ascontiguousarray(ids, np.int64)
        bad = kernel.first_bad(self.pack.tables, self.state, ids, self._actions, 0, self.batch)
        if bad >= 0:
            raise self._complaint(bad, int(ids[bad]))
        self._for_all(
            kernel.step_rows,
            self.pack.tables,
            self.state,
            self.outputs,
            self._actions,
            self._masks,
            self.step_limit,
            self._stride,
        )

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
        kernel.act(self.pack.tables, self.state, row, action)
        self.state.info[row, INFO.index("steps")] += 1
        kernel.write_outputs(self.pack.tables, self.state, self.outputs, row, self._masks)

    def info(self, row: int, name: str) -> int:
        """One of ``INFO`` for a row."""
        return int(self.state.info[row, INFO.index(name)])

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

    def _join(self, row: int, name: str) -> str:
        pieces = getattr(self.state, name)[row, : self.info(row, f"{name}_length")].tolist()
        return "".join(self._piece(row, piece) for piece in pieces)

    def _piece(self, row: int, piece: int) -> str:
        if piece < 0:
            return str(-1 - piece)
        if piece in (messages.Fixed.PROMPT, messages.Fixed.END_PROMPT):
            write = messages.prompt if piece == messages.Fixed.PROMPT else messages.end_prompt
            heading = self.pack.headings[self.info(row, "game")][self.info(row, "status_room")]
            return write(heading, self.info(row, "status_score"), self.info(row, "status_turn"))
        return self.pack.texts[piece]

    def admissible(self, row: int) -> list[str]:
        """The commands on offer, sorted."""
        ids = self.outputs.candidates[row, : self.outputs.candidate_count[row]]
        return [self.pack.commands[command] for command in ids.tolist()]

    # States.

    def save(self, rows: npt.ArrayLike | None = None) -> State:
        """A copy of the states of ``rows`` (default: all)."""
        numbers = self._rows(rows)
        return State(*(array[numbers] for array in self.state))

    def restore(self, saved: State, rows: npt.ArrayLike | None = None) -> None:
        """Put saved states into ``rows`` (default: all); the seeds' orders come with them."""
        numbers = self._rows(rows)
        for name, array, target in zip(State._fields, saved, self.state, strict=True):
            if array.shape != (len(numbers), *target.shape[1:]) or array.dtype != target.dtype:
                raise UsageError(
                    f"saved state: '{name}' has shape {array.shape} and type {array.dtype}, "
                    f"expected {(len(numbers), *target.shape[1:])} and {target.dtype}"
                )
        games = saved.info[:, INFO.index("game")]
        if len(games) and not (0 <= games.min() and games.max() < len(self.pack)):
            raise UsageError("saved state: it is of other games than these")
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

    def _refresh(self, rows: Array) -> None:
        kernel.refresh_rows(self.pack.tables, self.state, self.outputs, rows, self._masks)


def saved_to_arrays(saved: State) -> Mapping[str, Array]:
    """A saved state as named arrays, ready for ``numpy.savez``."""
    return saved._asdict()
