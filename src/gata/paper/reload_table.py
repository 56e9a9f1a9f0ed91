"""How often runs took up their best weights again."""

from gata.evaluation.reloads import reloads
from gata.evaluation.table import Table
from gata.paper.by_level import by_level
from gata.paper.cells import Cell, Results


def reload_table(results: Results) -> Table:
    """A row per agent and training set; a cell has the reloads of each seed."""
    return by_level(results, _cell)


def _cell(cell: Cell) -> str:
    return ", ".join(str(reloads(record)) for record in cell.records)
