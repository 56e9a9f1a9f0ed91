"""Tables with a row per agent and training set and a column per level."""

from collections.abc import Callable

from gata.evaluation.table import NOTHING, Table
from gata.paper.beyond import experiment_order
from gata.paper.cells import Cell, Results
from gata.paper.scores import LEVELS


def by_level(results: Results, tell: Callable[[Cell], str]) -> Table:
    """All that was run; ``tell`` says what stands in a cell that has runs."""
    rows = dict.fromkeys(
        (agent, games) for agent, _, games in sorted(results.cells, key=experiment_order)
    )
    made = []
    for agent, games in rows:
        cells = (results.cells.get((agent, level, games)) for level in LEVELS)
        told = (NOTHING if cell is None else tell(cell) for cell in cells)
        made.append((f"`{agent}`", games, *told))
    levels = (f"level {level}" for level in LEVELS)
    return Table(("agent", "training games", *levels), tuple(made))
