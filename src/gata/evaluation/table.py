"""A table to be shown: as Markdown in pages, as HTML in the report."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

NOTHING = "·"
"""Stands for what is not there: was not run, is not known. A dash would look like a minus."""

NO_ROWS = "None yet."
"""Stands for a whole table that has no row."""


@dataclass(frozen=True)
class Table:
    """Columns and rows of texts; cells may have several lines, `` `code` `` and ``**bold**``."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    """Paragraphs below it: what must not be read without; they may have `` `code` ``, too."""

    def markdown(self) -> str:
        """Lines of Markdown, without an end of line after the last."""
        return "\n\n".join([self._rows_as_markdown(), *self.notes])

    def _rows_as_markdown(self) -> str:
        if not self.rows:
            return NO_ROWS
        lines = [_line(self.columns), "|" + "---|" * len(self.columns)]
        lines += [_line(cell.replace("\n", "<br>") for cell in row) for row in self.rows]
        return "\n".join(lines)

    def html(self) -> str:
        """A table to be scrolled; columns of nothing but numbers have the class ``number``."""
        notes = (f'<p class="quiet">{inline(note)}</p>' for note in self.notes)
        return "\n".join([self._rows_as_html(), *notes])

    def _rows_as_html(self) -> str:
        if not self.rows:
            return f"<p>{NO_ROWS}</p>"
        kinds = [_kind(column) for column in zip(*self.rows, strict=True)]
        head = _row("th", self.columns, kinds)
        body = "\n".join(_row("td", row, kinds) for row in self.rows)
        table = f"<table>\n<thead>{head}</thead>\n<tbody>\n{body}\n</tbody>\n</table>"
        return f'<div class="wide">{table}</div>'


def _kind(column: Sequence[str]) -> str:
    """Numbers, and here and there one that is not known."""
    known = [cell for cell in column if cell != NOTHING]
    fits = all(re.fullmatch(r"[-+]?\d[\d.,]*", cell) for cell in known)
    return ' class="number"' if known and fits else ""


def _row(tag: str, cells: Iterable[str], kinds: Iterable[str]) -> str:
    made = (f"<{tag}{kind}>{inline(cell)}</{tag}>" for cell, kind in zip(cells, kinds, strict=True))
    return f"<tr>{''.join(made)}</tr>"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def inline(text: str) -> str:
    """A piece of a cell as HTML."""
    text = re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text))
    text = re.sub(r"\*\*([^*]*)\*\*", r"<b>\1</b>", text)
    return text.replace("\n", "<br>")
