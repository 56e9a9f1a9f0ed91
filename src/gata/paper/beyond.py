"""Runs that have no cell in the paper's tables: other agents, or other training sets."""

from gata.evaluation.table import Table
from gata.paper.cells import Results
from gata.paper.counting import two_digits
from gata.paper.score_tables import DEPARTS
from gata.paper.scores import SIZES, TEST


def beyond_table(results: Results) -> Table:
    """Each such run by itself: scores of the test and validation games, in percent."""
    sizes = {str(size) for size in SIZES}
    rows = tuple(
        (
            f"`{record.settings.agent}`{DEPARTS if record.departures() else ''}",
            *map(str, (record.settings.level, record.settings.games, record.settings.seed)),
            *(f"{x:.1f}" for x in (record.test_score, record.test_success, record.valid_score)),
            two_digits(record.hours),
        )
        for record in results.records
        if record.settings.agent not in TEST or record.settings.games not in sizes
    )
    columns = ("agent", "level", "training games", "seed", "test score", "won", "valid score")
    return Table((*columns, "hours"), rows)
