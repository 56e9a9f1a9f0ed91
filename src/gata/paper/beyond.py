"""Runs that have no cell in the paper's tables: other agents, or other training sets."""

from typing import get_args

from gata.agents.presets import PRESETS
from gata.evaluation.statistics import estimate
from gata.evaluation.table import Table
from gata.paper.cells import Cell, Place, Results
from gata.paper.score_tables import estimate_in_words, hours_in_words
from gata.paper.scores import SIZES, TEST
from gata.rl.settings import Games

_AGENTS, _GAMES = list(PRESETS), get_args(Games)


def beyond_table(results: Results) -> Table:
    """Means over the seeds of each such experiment: test and validation games, in percent."""
    found = [place for place in results.cells if _is_beyond(place)]
    rows = [_row(place, results.cells[place]) for place in sorted(found, key=experiment_order)]
    columns = ("agent", "level", "training games", "test score", "won", "valid score", "wall clock")
    return Table(columns, tuple(rows))


def _is_beyond(place: Place) -> bool:
    agent, _, games = place
    return agent not in TEST or games not in map(str, SIZES)


def experiment_order(place: Place) -> tuple[int, int, int]:
    """Agents as `gata agents` lists them, then levels, then sizes."""
    agent, level, games = place
    return _AGENTS.index(agent), level, _GAMES.index(games)


def _row(place: Place, cell: Cell) -> tuple[str, ...]:
    agent, level, games = place
    won, valid = (
        estimate_in_words(estimate(values), remark=False)
        for values in (cell.test_successes, cell.valid_scores)
    )
    score = estimate_in_words(estimate(cell.test_scores), marks=cell.marks)
    return (f"`{agent}`", str(level), games, score, won, valid, hours_in_words(cell))
