"""The fast path: many games at once, arrays in, arrays out."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from gata.engine.building import build, games_named
from gata.engine.core import Batch, Outputs
from gata.engine.pack import Pack
from gata.engine.tables import Array
from gata.errors import UsageError
from gata.games.game import Game
from gata.graph.vocabulary import PAPER, GraphVocabulary
from gata.language.tokenizer import tokenize
from gata.language.vocabulary import Vocabulary, default

PAPER_STEP_LIMIT = 50
"""An episode of the paper ends after this many commands."""

Order = Literal["random", "by-turns"]


class VectorEnv(Batch):
    """Plays ``batch`` games in step, each row one game after another.

    Example::

        env = VectorEnv("level1/train", batch=64, seed=1)
        outputs = env.reset()
        while True:
            choice = agent(outputs.observation, outputs.candidates, outputs.candidate_count)
            outputs = env.step_candidates(choice)

    When a row's episode is over, its outputs show the end; the next ``step`` ignores the row's
    command and begins its next episode (reward 0). Outputs are views of the engine's memory:
    copy what must outlive the next step.

    One engine may be used by one thread at a time; different engines by as many as there are.
    """

    def __init__(
        self,
        games: str | Sequence[Game] | Pack,
        batch: int,
        *,
        seed: int | Sequence[int] = 0,
        step_limit: int = PAPER_STEP_LIMIT,
        candidate_filter: bool = True,
        order: Order = "random",
        threads: int = 1,
        vocabulary: Vocabulary | None = None,
        graph: GraphVocabulary = PAPER,
    ) -> None:
        """Compile the games, or load them compiled from the cache.

        Args:
            games: games, the name of a set (``level4/train``), or games compiled by ``build``.
            batch: how many rows to play at once.
            seed: decides which games the rows play; a seed per row, or one from which each row
                gets its own.
            step_limit: an episode ends after so many steps; 0 means never.
            candidate_filter: leave out ``look`` and every ``examine`` but that of the cookbook,
                as the authors' training code does. ``step`` takes them nevertheless.
            order: rows draw their games at random, or take them by turns: row i plays games
                i, i + batch, i + 2 * batch, ...
            threads: how many threads may work on a step; 0 means one per core.
            vocabulary: the words of tokens (default: the shipped ones).
            graph: the nodes and relations of graphs.
        """
        if order not in ("random", "by-turns"):
            raise UsageError(f"order is {order!r}, expected 'random' or 'by-turns'")
        if step_limit < 0:
            raise UsageError(f"step_limit is {step_limit}, expected 0 (none) or more")
        self.vocabulary = vocabulary or default()
        self.graph = graph
        if not isinstance(games, Pack):
            games = build(games_named(games), vocabulary=self.vocabulary, graph=graph)
        super().__init__(
            games,
            batch,
            seeds=row_seeds(seed, batch),
            step_limit=step_limit,
            filtered=candidate_filter,
            by_turns=order == "by-turns",
            threads=threads,
        )

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
        seed: int | Sequence[int] | None = None,
        rows: npt.ArrayLike | None = None,
        games: npt.ArrayLike | None = None,
    ) -> Outputs:
        """Begin new episodes.

        Args:
            seed: new seeds, as for the constructor; the rows' order of games starts again.
            rows: which rows (numbers, or a boolean per row; default: all).
            games: which games to play there, by number (default: the rows' own choice).
        """
        if seed is not None:
            self.seed(row_seeds(seed, self.batch))
        self.begin(rows, games)
        return self.outputs

    def step(self, commands: npt.ArrayLike) -> Outputs:  # type: ignore[override]
        """Give each row a command, by its id in ``commands``; all must be admissible."""
        super().step(commands)
        return self.outputs

    def step_candidates(self, choices: npt.ArrayLike) -> Outputs:
        """Give each row one of its candidates, by its place among them."""
        picks = np.asarray(choices)
        counts = self.outputs.candidate_count
        if picks.shape != (self.batch,) or picks.dtype.kind not in "iu":
            raise UsageError(
                f"expected {self.batch} choices, found an array of {picks.dtype} and shape "
                f"{picks.shape}"
            )
        bad = np.flatnonzero(((picks < 0) | (picks >= counts)) & (self.outputs.done == 0))
        if len(bad):
            row = int(bad[0])
            raise UsageError(f"row {row}: choice {picks[row]} is not in 0..{counts[row] - 1}")
        # Rows at their end ignore the command; theirs need only be readable.
        picks = np.clip(picks, 0, self.outputs.candidates.shape[1] - 1)
        return self.step(self.outputs.candidates[np.arange(self.batch), picks])


def row_seeds(seed: int | Sequence[int], batch: int) -> Iterable[int]:
    """A seed per row: the given ones, or different ones made from a single seed."""
    if isinstance(seed, int):
        return [
            int(x) for x in np.random.SeedSequence(seed % 2**64).generate_state(batch, np.uint64)
        ]
    return seed
