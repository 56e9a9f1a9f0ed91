"""The runs behind a table of the paper."""

from collections.abc import Sequence
from typing import Literal

from gata.errors import UsageError
from gata.games.catalogue import MIXED_TRAINING_SIZES
from gata.games.settings import MIXED_LEVEL
from gata.names import did_you_mean
from gata.paper.scores import LEVELS, MAIN_ROWS, TEST
from gata.rl.settings import Games, LearningSettings, TrainSettings

Table = Literal["test", "test-full", "training", "beyond"]
"""The table in the paper's text, the two long ones, which come from the same runs, and ours of
agents that have no row in these."""
FROZEN = "-frozen"
"""How the names of agents end whose graph encoder stays as it was loaded."""


def rows_of(table: Table) -> tuple[str, ...]:
    """The agents that a table can have, in its order."""
    if table != "beyond":
        return MAIN_ROWS if table == "test" else tuple(TEST)
    from gata.agents.presets import PRESETS  # with torch, which the command line does not wait for

    return tuple(agent for agent in PRESETS if agent not in TEST)


def default_rows(table: Table) -> tuple[str, ...]:
    """The agents that are run if nobody says which: all, or those that have kin in the short table.

    All of those beyond the paper would be hundreds of runs.
    """
    rows = rows_of(table)
    if table == "beyond":
        return tuple(row for row in rows if row.removesuffix(FROZEN) in MAIN_ROWS)
    return rows


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
        rows: agents by their presets' names, whichever table has them; by default the table's
            ``default_rows``.
        levels: some of the levels.
        games: the sizes of the training sets.
        seeds: how many, from 1.
        learning: settings that are not the paper's.
    """
    rows = default_rows(table) if rows is None else rows
    for what, some in (("rows", rows), ("levels", levels), ("games", games)):
        if not some:
            raise UsageError(f"{what} is an empty list, expected one or more")
    _require_agents(rows)
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


def _require_agents(rows: Sequence[str]) -> None:
    """See that there are such agents; one that is misspelt is told close names."""
    known = [*TEST, *rows_of("beyond")]
    for row in rows:
        if row not in known:
            hint = did_you_mean(row, known)
            raise UsageError(f"no row is called {row!r}{hint}; `gata agents` lists all")
