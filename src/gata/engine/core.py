"""Games in memory: a pack of compiled games, the states of a batch, and the kernel's calls.

This is the array level that every front door stands on. It owns the memory and checks what comes
in; all rules are in the compiled tables.
"""

import itertools
import numbers
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt

from gata.engine import messages, rows, turn
from gata.engine.checks import as_array, check_fits_in_memory, whole_number, whole_numbers
from gata.engine.jit import announce_compilation
from gata.engine.pack import Pack
from gata.engine.tables import (
    INFO,
    OUTPUT_NUMBERS,
    OUTPUT_ROWS,
    STATE_BITS,
    STATE_ROWS,
    Array,
    Memory,
    State,
)
from gata.errors import UsageError
from gata.parallel import all_cores

SPANS_PER_THREAD = 4
"""The rows are handed out in pieces; whoever is through with one takes the next."""
MIN_ROWS_PER_SPAN = 32
READ_TOGETHER_FROM = 4096
"""From this batch size on, threads help to read the commands too."""
MIN_ROWS_PER_THREAD = 64
"""Fewer rows than this are not worth handing to another thread."""


SORTED_FROM = 512
"""From this batch size on, playing rows in the order of their games is faster (by a fifth)."""

SORTED_EVERY = 8
"""Steps between two sortings: meanwhile few rows have gone on to another game."""

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


class Outputs:
    """What the engine says about every game after a step.

    All are views of the engine's own memory, to be read only: the next step writes over them.
    Rows beyond a length hold zeros. Booleans are 0 and 1.
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

    def __init__(self, pack: Pack, numbers: Array) -> None:
        # The kernel trusts what it wrote (lengths, candidates): others may only read.
        self.numbers: Array = numbers.view()
        self.numbers.flags.writeable = False
        self._pack = pack
        for column, name in enumerate(OUTPUT_NUMBERS):
            setattr(self, name, self.numbers[:, column])
        for name in OUTPUT_ROWS:
            begin = pack.offset(f"output_{name}")
            setattr(self, name, self.numbers[:, begin : begin + pack.widths[f"output_{name}"]])

    def __repr__(self) -> str:
        arrays = {name: getattr(self, name) for name in (*OUTPUT_NUMBERS, *OUTPUT_ROWS)}
        told = (f"{name} {array.shape} {array.dtype}" for name, array in arrays.items())
        return f"<{type(self).__name__}: {', '.join(told)}>"

    def of(self, rows: Array) -> "Outputs":
        """A copy for some rows alone, by their numbers."""
        return Outputs(self._pack, self.numbers[rows])


def new_memory(pack: Pack, batch: int) -> Memory:
    """Memory for ``batch`` games."""
    width = len(INFO) + sum(pack.widths[f"state_{name}"] for name in STATE_ROWS)
    words = sum(pack.widths[f"bits_{name}"] for name in STATE_BITS)
    return Memory(
        numbers=np.zeros((batch, width), np.int32),
        bits=np.zeros((batch, words), np.uint64),
        seeds=np.zeros(batch, np.uint64),
    )


def exclusive(
    method: Callable[Concatenate["Batch", _Given], _Result],
) -> Callable[Concatenate["Batch", _Given], _Result]:
    """Refuse a call while another thread is in the same engine."""

    @wraps(method)
    def guarded(self: "Batch", /, *args: _Given.args, **kwargs: _Given.kwargs) -> _Result:
        if not self._in_use.acquire(blocking=False):
            raise UsageError("the engine is in use by another thread: each thread needs its own")
        try:
            return method(self, *args, **kwargs)
        finally:
            self._in_use.release()

    return guarded


class Batch:
    """Many games, played row by row."""

    def __init__(
        self,
        pack: Pack,
        batch: int,
        *,
        step_limit: int = 0,
        filtered: bool = False,
        by_turns: bool = False,
        threads: int = 1,
    ) -> None:
        """Make room for a batch; call ``begin`` before the first ``step``.

        The rows' seeds are 0, 1, 2, ... until others are given.

        Args:
            pack: the games.
            batch: how many rows to play at once.
            step_limit: episodes end after so many steps; 0 means never.
            filtered: offer the candidates of the authors' training code only.
            by_turns: rows take the games in order rather than at random.
            threads: how many threads may work on a step; 0 means one per core.
        """
        batch = whole_number(batch, "batch", 1)
        threads = whole_number(threads, "threads", 0, " (all cores)")
        announce_compilation()
        self.pack = pack
        self.batch = batch
        self.step_limit = whole_number(step_limit, "step_limit", 0, " (none)")
        width = len(OUTPUT_NUMBERS) + sum(pack.widths[f"output_{name}"] for name in OUTPUT_ROWS)
        one = new_memory(pack, 1)
        row_bytes = width * np.dtype(np.int32).itemsize + sum(array.nbytes for array in one)
        check_fits_in_memory(batch, row_bytes)
        self._written: Array = np.zeros((batch, width), np.int32)
        self.outputs = Outputs(pack, self._written)
        self._memory = new_memory(pack, batch)
        self._masks = pack.tables.mask_filtered if filtered else pack.tables.mask_all
        self._stride = batch if by_turns else 0
        self._actions = np.zeros(batch, np.int64)
        self._order = np.arange(batch)
        self._sorted_for = 0  # more steps
        self._begun = False
        self._in_use = threading.RLock()
        self._pool: ThreadPoolExecutor | None = None
        self._spans = self._split(threads or all_cores())
        self.seed(range(batch))

    def _split(self, threads: int) -> list[tuple[int, int]]:
        threads = max(1, min(threads, self.batch // MIN_ROWS_PER_THREAD))
        self._helpers = threads - 1
        if not self._helpers:
            return []
        self._pool = ThreadPoolExecutor(self._helpers, "gata-engine")
        # Some games take longer than others, and so do some cores.
        spans = min(threads * SPANS_PER_THREAD, self.batch // MIN_ROWS_PER_SPAN)
        edges = np.linspace(0, self.batch, max(threads, spans) + 1).astype(int).tolist()
        return list(itertools.pairwise(edges))

    @property
    def state_bytes(self) -> int:
        """Memory of one row's state."""
        return sum(array[0].nbytes for array in self._memory)

    @property
    def output_bytes(self) -> int:
        """Memory of one row's outputs."""
        return int(self._written[0].nbytes)

    @exclusive
    def seed(self, seeds: Iterable[int | None], rows_: npt.ArrayLike | None = None) -> None:
        """Give ``rows_`` (default: all) their seeds, which decide the games they play.

        ``seeds`` has one for each row of the batch. A row's order of games starts again, unless
        its seed is None: then it goes on.
        """
        given = list(seeds)
        if len(given) != self.batch:
            raise UsageError(f"{len(given)} seeds for a batch of {self.batch}")
        episode = INFO.index("episode")
        for row in self._rows(rows_).tolist():
            seed = given[row]
            if seed is None:
                continue
            if not isinstance(seed, numbers.Integral):
                raise UsageError(f"row {row}: the seed is {seed!r}, expected a whole number")
            self._memory.seeds[row] = int(seed) & 0xFFFFFFFFFFFFFFFF
            # Counted up when an episode begins: the first one is number 0.
            self._memory.numbers[row, episode] = -1

    @exclusive
    def begin(self, rows_: npt.ArrayLike | None = None, games: npt.ArrayLike | None = None) -> None:
        """Begin an episode in ``rows_`` (default: all), with given ``games`` or the rows' own."""
        chosen_rows = self._rows(rows_)
        chosen = np.full(len(chosen_rows), -1)
        if games is not None:
            chosen = self._games(games, len(chosen_rows))
        if not self._begun and rows_ is not None:
            self.begin()
        tables = self.pack.tables
        rows.begin_rows(
            tables.numbers,
            self._masks,
            tables.initial_bits,
            *self._memory,
            self._written,
            chosen_rows,
            chosen,
            self._stride,
        )
        self._begun = True
        self._sorted_for = 0

    def _games(self, given: npt.ArrayLike, count: int) -> Array:
        games = whole_numbers(given, "game numbers")
        if games.ndim and games.shape != (count,):
            raise UsageError(f"expected {count} game numbers, found an array of {games.shape}")
        bad = games[(games < 0) | (games >= len(self.pack))]
        if bad.size:
            raise UsageError(f"game {bad.flat[0]} is not in 0..{len(self.pack) - 1}")
        return np.broadcast_to(games, (count,)).copy()

    def _rows(self, chosen: npt.ArrayLike | None) -> Array:
        if chosen is None:
            return np.arange(self.batch)
        array = as_array(chosen, "row numbers")
        if array.dtype == np.bool_ and array.shape == (self.batch,):
            return np.flatnonzero(array)
        given = whole_numbers(array, "row numbers").reshape(-1)
        if len(given) and not (given.min() >= 0 and given.max() < self.batch):
            raise UsageError(
                f"rows {given.min()}..{given.max()} are not in a batch of {self.batch}"
            )
        return given

    def _row(self, row: int) -> int:
        number = whole_number(row, "row", 0)
        if number >= self.batch:
            raise UsageError(f"row {number} is not in a batch of {self.batch}")
        return number

    def _check_begun(self) -> None:
        if not self._begun:
            raise UsageError("no game has begun: call reset first")

    @exclusive
    def step(self, commands: npt.ArrayLike) -> None:
        """Give each row a command (its id in the command table).

        Nothing is played if any is bad. A row whose episode is over ignores its command and
        begins the next episode.
        """
        ids = self._one_each(commands, "command ids")
        bad = self._lowest(rows.read_commands, self._memory.bits, ids)
        if bad >= 0:
            raise self._complaint(bad, int(np.asarray(commands)[bad]))
        self._play()

    @exclusive
    def step_candidates(self, choices: npt.ArrayLike) -> None:
        """The same with places among the rows' candidates."""
        places = self._one_each(choices, "choices")
        bad = self._lowest(rows.read_choices, self._written, places)
        if bad >= 0:
            count = self.outputs.candidate_count[bad]
            choice = np.asarray(choices)[bad]
            if count == 0:
                raise UsageError(f"row {bad}: choice {choice}, but there are no candidates")
            raise UsageError(f"row {bad}: choice {choice} is not in 0..{count - 1}")
        self._play()

    def _one_each(self, values: npt.ArrayLike, what: str) -> Array:
        self._check_begun()
        given = whole_numbers(values, f"{self.batch} {what}")
        if given.shape != (self.batch,):
            raise UsageError(f"expected {self.batch} {what}, found an array of {given.shape}")
        return given

    def _lowest(self, read: Any, beside: Array, given: Array) -> int:
        """Let a kernel translate what rows are given; the lowest row it finds bad, or -1."""
        if self.batch >= SORTED_FROM:
            self._sort()
        arguments = (
            self.pack.tables.numbers,
            self._memory.numbers,
            beside,
            given,
            self._actions,
            self._order,
        )
        # Reading is short: in most batches it is over before another thread has woken up.
        together = self.batch >= READ_TOGETHER_FROM
        found = self._for_all(read, *arguments) if together else [read(*arguments, 0, self.batch)]
        return min((row for row in found if row >= 0), default=-1)

    def _sort(self) -> None:
        """Put rows of the same game one after another, now and then.

        It changes nothing but the speed: they find the game's tables in the processor's cache,
        which pays where several rows share a game.
        """
        self._sorted_for -= 1
        if self._sorted_for < 0:
            games = self._memory.numbers[:, INFO.index("game")]
            self._order = np.argsort(games, kind="stable")
            self._sorted_for = SORTED_EVERY

    def _play(self) -> None:
        """Carry out ``_actions``."""
        tables = self.pack.tables
        self._for_all(
            rows.step_rows,
            tables.numbers,
            self._masks,
            tables.initial_bits,
            *self._memory,
            self._written,
            self._actions,
            self._order,
            self.step_limit,
            self._stride,
        )

    def _for_all(self, function: Any, *arguments: Any) -> list[Any]:
        """Run a kernel over all rows; what it returned for each span of them.

        Each thread takes the next span when it is through with one: the first to come.
        """
        if self._pool is None:
            return [function(*arguments, 0, self.batch)]
        waiting = iter(self._spans)

        def work() -> list[Any]:
            return [function(*arguments, *span) for span in waiting]

        others = [self._pool.submit(work) for _ in range(self._helpers)]
        return [*work(), *itertools.chain(*(other.result() for other in others))]

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

    @exclusive
    def act(self, row: int, action: int) -> None:
        """Carry out a command of the row's game, by its number there, admissible or not."""
        self._check_begun()
        actions = self.pack.game_number(self.info(row, "game"), "actions")
        if not 0 <= action < actions:
            raise UsageError(f"row {row}: action {action} is not in 0..{actions - 1}")
        memory = self._memory
        turn.act(self.pack.tables.numbers, memory.numbers, memory.bits, row, action)
        self._end_turn(row)

    @exclusive
    def pass_turn(self, row: int, *, forget_last: bool) -> None:
        """Let a turn pass in which nothing is done; the reply begins with an empty ``SAID``."""
        self._check_begun()
        memory = self._memory
        if forget_last:
            memory.numbers[self._row(row), INFO.index("last_grounding")] = -1
        turn.pass_turn(self.pack.tables.numbers, memory.numbers, self._row(row))
        self._end_turn(row)

    def _end_turn(self, row: int) -> None:
        tables, memory = self.pack.tables, self._memory
        memory.numbers[row, INFO.index("steps")] += 1
        rows.write_outputs(
            tables.numbers, self._masks, memory.numbers, memory.bits, self._written, row
        )

    def in_scope(self, row: int, thing: int) -> bool:
        """Whether the player of a row can see a thing (by its number) that is not a door."""
        game = self.info(row, "game")
        entities = self.pack.game_number(game, "entities")
        if not 0 <= thing < entities:
            raise UsageError(f"row {row}: thing {thing} is not in 0..{entities - 1}")
        return bool(turn.in_scope(self.pack.tables.numbers, self._memory.numbers, row, game, thing))

    def info(self, row: int, name: str) -> int:
        """One of ``INFO`` for a row."""
        return int(self._memory.numbers[self._row(row), INFO.index(name)])

    def part(self, row: int, name: str) -> list[int]:
        """One of ``STATE_ROWS`` for a row."""
        begin = self.pack.offset(f"state_{name}")
        found: list[int] = self._memory.numbers[
            self._row(row), begin : begin + self.pack.widths[f"state_{name}"]
        ].tolist()
        return found

    def bits(self, row: int, name: str) -> list[int]:
        """One of ``STATE_BITS`` for a row, as 64-bit words."""
        begin = self.pack.offset(f"bits_{name}")
        words: list[int] = self._memory.bits[
            self._row(row), begin : begin + self.pack.widths[f"bits_{name}"]
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
        self._check_begun()
        begin = self.pack.offset(f"state_{name}")
        length = self.info(row, f"{name}_length")
        pieces = self._memory.numbers[row, begin : begin + length].tolist()
        return "".join(self._piece(row, piece) for piece in pieces)

    def _piece(self, row: int, piece: int) -> str:
        if piece < 0:
            return str(-1 - piece)
        if piece == messages.Fixed.PROMPT or piece == messages.Fixed.END_PROMPT:
            return self.prompt(row, after_the_end=piece == messages.Fixed.END_PROMPT)
        return self.pack.texts[piece]

    def candidates(self, row: int) -> list[str]:
        """The commands on offer, sorted."""
        self._check_begun()
        ids = self.outputs.candidates[self._row(row), : self.outputs.candidate_count[row]]
        return [self.pack.commands[command] for command in ids.tolist()]

    # States.

    @exclusive
    def save(self, rows_: npt.ArrayLike | None = None) -> State:
        """A copy of the states of ``rows_`` (default: all)."""
        self._check_begun()
        chosen = self._rows(rows_)
        copies = Memory(*(array[chosen] for array in self._memory))
        return State(*copies, self._seals(copies))

    @exclusive
    def restore(self, saved: State, rows_: npt.ArrayLike | None = None) -> None:
        """Put saved states into ``rows_`` (default: all); the seeds' orders come with them.

        They must have been saved by an engine of the same games in the same order.
        """
        chosen = self._rows(rows_)
        copies = self._checked(saved, len(chosen))
        if not self._begun:
            self.begin()
        for array, target in zip(copies, self._memory, strict=True):
            target[chosen] = array
        self._refresh(chosen)

    def _checked(self, saved: State, count: int) -> Memory:
        """The arrays of a saved state, if they are sound."""
        if not isinstance(saved, State):
            raise UsageError(f"expected a saved state, found {type(saved).__name__}")
        like = (*self._memory, self._memory.seeds)
        for name, array, target in zip(State._fields, map(np.asarray, saved), like, strict=True):
            expected = (count, *target.shape[1:])
            if array.shape != expected or array.dtype != target.dtype:
                raise UsageError(
                    f"saved state: '{name}' has shape {array.shape} and type {array.dtype}, "
                    f"expected {expected} and {target.dtype}: it is of other games or rows"
                )
        copies = Memory(*map(np.ascontiguousarray, saved[:3]))
        bad = np.flatnonzero(self._seals(copies) != saved.seals)
        if len(bad):
            raise UsageError(
                f"saved state: row {bad[0]} is of other games than these (their order counts), "
                "or was changed since"
            )
        return copies

    def _seals(self, copies: Memory) -> Array:
        seals = np.zeros(len(copies.seeds), np.uint64)
        rows.seal_rows(np.uint64(self.pack.identity), *copies, seals)
        return seals

    @exclusive
    def copy_rows(self, sources: npt.ArrayLike, targets: npt.ArrayLike) -> None:
        """Make ``targets`` the same as ``sources``: the same games at the same moment."""
        self._check_begun()
        from_, to = self._rows(sources), self._rows(targets)
        if len(from_) != len(to):
            raise UsageError(f"{len(from_)} rows cannot be copied to {len(to)} rows")
        for array in self._memory:
            array[to] = array[from_]
        self._refresh(to)

    def _refresh(self, chosen: Array) -> None:
        memory = self._memory
        rows.refresh_rows(
            self.pack.tables.numbers,
            self._masks,
            memory.numbers,
            memory.bits,
            self._written,
            chosen,
        )
        self._sorted_for = 0
