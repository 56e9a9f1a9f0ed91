"""The fast path: many games at once, arrays in, arrays out."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from numbers import Integral
from typing import Literal

import numpy as np
import numpy.typing as npt

from gata.engine.building import build, games_named
from gata.engine.checks import yes_or_no
from gata.engine.core import Batch, Outputs
from gata.engine.pack import Pack
from gata.engine.tables import Array, State
from gata.errors import UsageError
from gata.games.game import Game
from gata.graph.vocabulary import GraphVocabulary
from gata.language.tokenizer import tokenize
from gata.language.vocabulary import Vocabulary

PAPER_STEP_LIMIT = 50
"""An episode of the paper ends after this many commands."""

Order = Literal["random", "by-turns"]

Seeds = int | Sequence[int | None]
"""One seed from which each row gets its own, or one per row (None: the row keeps its own)."""


class VectorEnv:
    """Plays ``batch`` games in step, each row one game after another.

    Example::

        env = VectorEnv("level1/train", batch=64, seed=1)
        outputs = env.reset()
        while True:
            choice = agent(outputs.observation, outputs.candidates, outputs.candidate_count)
            outputs = env.step_candidates(choice)

    When a row's episode is over, its outputs show the end; the next ``step`` ignores the row's
    command and begins its next episode (reward 0). Outputs are views of the engine's memory, to
    be read only: copy what must outlive the next step.

    One engine may be used by one thread at a time (another gets a ``UsageError``); different
    engines by as many as there are.
    """

    def __init__(
        self,
        games: str | Sequence[Game] | Pack,
        batch: int,
        *,
        seed: Seeds = 0,
        step_limit: int = PAPER_STEP_LIMIT,
        candidate_filter: bool = True,
        order: Order = "random",
        threads: int = 1,
        vocabulary: Vocabulary | None = None,
        graph: GraphVocabulary | None = None,
    ) -> None:
        """Compile the games, or load them compiled from the cache.

        Args:
            games: games, a name that stands for some (``level4/train``, ``my.json``, see
                ``gata.games.load_games``), or games compiled by ``build``.
            batch: how many rows to play at once.
            seed: decides which games the rows play; a seed per row, or one from which each row
                gets its own.
            step_limit: an episode ends after so many steps; 0 means never.
            candidate_filter: leave out ``look`` and every ``examine`` but that of the cookbook,
                as the authors' training code does. ``step`` takes them nevertheless.
            order: rows draw their games at random, or take them by turns: row i plays games
                i, i + batch, i + 2 * batch, ...
            threads: how many threads may work on a step; 0 means one per core.
            vocabulary: the words of tokens (default: the shipped ones, or those of the pack).
            graph: the nodes and relations of graphs (default: the paper's, or those of the pack).
        """
        if order not in ("random", "by-turns"):
            raise UsageError(f"order is {order!r}, expected 'random' or 'by-turns'")
        if isinstance(games, Pack):
            _check_same("vocabulary", vocabulary, games.vocabulary)
            _check_same("graph", graph, games.graph)
        else:
            games = build(games_named(games), vocabulary=vocabulary, graph=graph)
        self._batch = Batch(
            games,
            batch,
            step_limit=step_limit,
            filtered=yes_or_no(candidate_filter, "candidate_filter"),
            by_turns=order == "by-turns",
            threads=threads,
        )
        self._batch.seed(row_seeds(seed, self.batch))

    @property
    def pack(self) -> Pack:
        """The compiled games."""
        return self._batch.pack

    @property
    def batch(self) -> int:
        """How many rows are played at once."""
        return self._batch.batch

    @property
    def step_limit(self) -> int:
        """After how many steps an episode ends; 0 means never."""
        return self._batch.step_limit

    @property
    def outputs(self) -> Outputs:
        """What the engine said last."""
        return self._batch.outputs

    @property
    def vocabulary(self) -> Vocabulary:
        """The words of tokens."""
        return self.pack.vocabulary

    @property
    def graph(self) -> GraphVocabulary:
        """The nodes and relations of graphs."""
        return self.pack.graph

    @property
    def state_bytes(self) -> int:
        """Memory of one row's state; its outputs are extra (``output_bytes``)."""
        return self._batch.state_bytes

    @property
    def output_bytes(self) -> int:
        """Memory of one row's outputs."""
        return self._batch.output_bytes

    @property
    def commands(self) -> tuple[str, ...]:
        """The command table: every command of every game, sorted."""
        return self.pack.commands

    @cached_property
    def command_tokens(self) -> Array:
        """(commands, width) int32: the tokens of every command, zeros behind them."""
        rows = [self.vocabulary.encode(tokenize(command)) for command in self.commands]
        table = np.zeros((len(rows), max(map(len, rows), default=0)), np.int32)
        for number, row in enumerate(rows):
            table[number, : len(row)] = row
        return table

    def reset(
        self,
        *,
        seed: Seeds | None = None,
        rows: npt.ArrayLike | None = None,
        games: npt.ArrayLike | None = None,
    ) -> Outputs:
        """Begin new episodes.

        Args:
            seed: new seeds for the rows that are reset, as for the constructor; their order of
                games starts again.
            rows: which rows (numbers, or a boolean per row; default: all).
            games: which games to play there, by number (default: the rows' own choice).
        """
        if seed is not None:
            self._batch.seed(row_seeds(seed, self.batch), rows)
        self._batch.begin(rows, games)
        return self.outputs

    def step(self, commands: npt.ArrayLike) -> Outputs:
        """Give each row a command, by its id in ``commands``; all must be admissible."""
        self._batch.step(commands)
        return self.outputs

    def step_candidates(self, choices: npt.ArrayLike) -> Outputs:
        """Give each row one of its candidates, by its place among them."""
        self._batch.step_candidates(choices)
        return self.outputs

    # Strings, from the same pieces as the tokens.

    def feedback(self, row: int) -> str:
        """A row's last reply, as TextWorld prints it."""
        return self._batch.feedback(row)

    def description(self, row: int) -> str:
        """TextWorld's ``description`` of a row."""
        return self._batch.description(row)

    def inventory(self, row: int) -> str:
        """TextWorld's ``inventory`` of a row."""
        return self._batch.inventory(row)

    def candidates(self, row: int) -> list[str]:
        """The commands on offer in a row, sorted."""
        return self._batch.candidates(row)

    # States.

    def save(self, rows: npt.ArrayLike | None = None) -> State:
        """A copy of the states of ``rows`` (default: all)."""
        return self._batch.save(rows)

    def restore(self, saved: State, rows: npt.ArrayLike | None = None) -> Outputs:
        """Put saved states of the same games into ``rows`` (default: all), seeds included."""
        self._batch.restore(saved, rows)
        return self.outputs

    def copy_rows(self, sources: npt.ArrayLike, targets: npt.ArrayLike) -> Outputs:
        """Make ``targets`` the same as ``sources``: the same games at the same moment."""
        self._batch.copy_rows(sources, targets)
        return self.outputs


def row_seeds(seed: Seeds, batch: int) -> Iterable[int | None]:
    """A seed per row: the given ones, or different ones made from a single seed."""
    if isinstance(seed, Integral):
        sequence = np.random.SeedSequence(int(seed) % 2**64)
        return [int(x) for x in sequence.generate_state(batch, np.uint64)]
    if isinstance(seed, str) or not isinstance(seed, Iterable):
        raise UsageError(f"the seed is {seed!r}, expected a whole number, or one per row")
    return seed


def _check_same(name: str, given: object, packed: object) -> None:
    if given is not None and given != packed:
        raise UsageError(f"the games were compiled with another {name} than the one given")
