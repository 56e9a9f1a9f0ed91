"""A table to be shown: as Markdown in pages, as HTML in the report."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class Table:
    """Columns and rows of texts; cells may have several lines, `` `code` `` and ``**bold**``."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def markdown(self) -> str:
        """Lines of Markdown, without an end of line after the last."""
        lines = [_line(self.columns), "|" + "---|" * len(self.columns)]
        lines += [_line(cell.replace("\n", "<br>") for cell in row) for row in self.rows]
        return "\n".join(lines)

    def html(self) -> str:
        """A table element."""
        head = "".join(f"<th>{inline(name)}</th>" for name in self.columns)
        body = "\n".join(
            "<tr>" + "".join(f"<td>{inline(cell)}</td>" for cell in row) + "</tr>"
            for row in self.rows
        )
        return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def inline(text: str) -> str:
    """A piece of a cell as HTML."""
    text = re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text))
    text = re.sub(r"\*\*([^*]*)\*\*", r"<b>\1</b>", text)
    return text.replace("\n", "<br>")
