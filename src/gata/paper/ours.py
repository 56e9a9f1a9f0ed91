"""What of a table is ours: where somebody has few runs, most rows are nothing but the paper's."""

from dataclasses import replace

from gata.evaluation.table import NOTHING, Table


def sift(table: Table) -> Table:
    """Leave out the rows that show nothing of ours, and name them in a note."""
    kept = tuple(row for row in table.rows if _has_ours(table.columns, row))
    if kept == table.rows:
        return table
    left_out = ", ".join(row[0] for row in table.rows if row not in kept)
    note = f"Left out, as there is nothing of ours to show: {left_out}."
    return replace(table, rows=kept, notes=(*table.notes, note))


def _has_ours(columns: tuple[str, ...], row: tuple[str, ...]) -> bool:
    """Whether any cell has, but for the name; where the paper has a number it is "ours / paper"."""
    cells = zip(columns[1:], row[1:], strict=True)
    ours = (cell.partition(" / ")[0] for column, cell in cells if not column.startswith("paper"))
    return any(text not in ("", NOTHING, "0") for text in ours)  # 0: so many runs
