"""What of a table is ours: where somebody has few runs, most rows are nothing but the paper's."""

from typing import NamedTuple

from gata.evaluation.table import NOTHING, Table


class Sifted(NamedTuple):
    """A table that has something of ours in every row."""

    table: Table
    left_out: tuple[str, ...]
    """The first cells of the other rows."""


def sift(table: Table) -> Sifted:
    """Leave out the rows that show nothing of ours."""
    kept = tuple(row for row in table.rows if _has_ours(table.columns, row))
    left_out = tuple(row[0] for row in table.rows if row not in kept)
    return Sifted(Table(table.columns, kept), left_out)


def _has_ours(columns: tuple[str, ...], row: tuple[str, ...]) -> bool:
    """Whether any cell has, but for the name; where the paper has a number it is "ours / paper"."""
    cells = zip(columns[1:], row[1:], strict=True)
    ours = (cell.partition(" / ")[0] for column, cell in cells if not column.startswith("paper"))
    return any(text not in ("", NOTHING, "0") for text in ours)  # 0: so many runs
