"""The runs behind a table of the paper."""

from collections.abc import Sequence
from typing import Literal

from gata.errors import UsageError
from gata.games.catalogue import MIXED_TRAINING_SIZES
from gata.games.settings import MIXED_LEVEL
from gata.names import did_you_mean
from gata.paper.scores import LEVELS, MAIN_ROWS, TEST
from gata.rl.settings import Games, LearningSettings, TrainSettings

Table = Literal["test", "test-full", "training"]
"""The table in the paper's text, and the two long ones, which come from the same runs."""


def rows_of(table: Table) -> tuple[str, ...]:
    """The agents of a table, in its order."""
    return MAIN_ROWS if table == "test" else tuple(TEST)


def grid(
    table: Table,
    *,
    rows: Sequence[str] | None = None,
    levels: Sequence[int] = LEVELS,
    games: Sequence[Games] = ("20", "100"),
    seeds: int = 3,
    learning: LearningSettings | None = None,
) -> list[TrainSettings]:
    """Every run of a table: training size by size, level by level, agent by agent, seed by seed.

    Args:
        table: which.
        rows: some of its agents, by their presets' names; by default all.
        levels: some of the levels.
        games: the sizes of the training sets.
        seeds: how many, from 1.
        learning: settings that are not the paper's.
    """
    known = rows_of(table)
    rows = known if rows is None else rows
    for what, some in (("rows", rows), ("levels", levels), ("games", games)):
        if not some:
            raise UsageError(f"{what} is an empty list, expected one or more")
    for row in rows:
        if row not in known:
            elsewhere = "; --table test-full has" if row in TEST else ""
            raise UsageError(
                f"table {table} has no row {row!r}{did_you_mean(row, known)}{elsewhere};"
                f" `gata reproduce --table {table} --plan` lists its rows"
            )
    for level in levels:
        if level not in LEVELS:
            raise UsageError(f"no level is called {level}, expected some of {LEVELS}")
    if MIXED_LEVEL in levels and "1" in games:
        raise UsageError(f"level {MIXED_LEVEL} has training sets of {MIXED_TRAINING_SIZES} games")
    if seeds < 1:
        raise UsageError(f"seeds is {seeds}, expected 1 or more")
    return [
        TrainSettings(
            agent=agent,
            level=level,
            games=size,
            seed=seed,
            learning=learning or LearningSettings(),
        )
        for size in dict.fromkeys(games)
        for level in dict.fromkeys(levels)
        for agent in dict.fromkeys(rows)
        for seed in range(1, seeds + 1)
    ]
