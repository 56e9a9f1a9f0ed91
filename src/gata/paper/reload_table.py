"""How often the best weights were taken up again, and what that undid."""

from statistics import fmean

from gata.evaluation.reloads import reloads
from gata.evaluation.table import Table
from gata.paper.by_level import by_level
from gata.paper.cells import Cell, Results


def reload_table(results: Results) -> Table:
    """A row per agent and training set.

    A cell has the reloads of each seed, and on average over them how much of the training was
    undone by these, in percent of its episodes.
    """
    return by_level(results, _cell)


def _cell(cell: Cell) -> str:
    found = [reloads(record) for record in cell.records]
    share = fmean(
        each.undone / record.episodes for each, record in zip(found, cell.records, strict=True)
    )
    return f"{', '.join(str(each.count) for each in found)}\n{100 * share:.0f} % undone"
