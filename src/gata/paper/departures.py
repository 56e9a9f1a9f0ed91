"""What is not as in the paper in our runs, told in pages and in the report."""

from collections.abc import Sequence
from typing import NamedTuple

from gata.evaluation.table import inline
from gata.paper.cells import Results
from gata.paper.counting import counted
from gata.paper.marks import DEPARTS
from gata.paper.score_tables import (
    COMMON_DEPARTURES,
    codes,
    departures,
    games_at_once,
)


class _Part(NamedTuple):
    """A paragraph, and the list that it begins."""

    sentence: str
    lines: Sequence[str] = ()


def departures_as_markdown(results: Results) -> str:
    """For pages."""
    blocks = []
    for sentence, lines in _parts(results):
        blocks.append(sentence)
        if lines:
            blocks.append("\n".join(f"- {line}" for line in lines))
    return "\n\n".join(blocks)


def departures_as_html(results: Results) -> str:
    """For the report."""
    blocks = []
    for sentence, lines in _parts(results):
        blocks.append(f"<p>{inline(sentence)}</p>")
        if lines:
            blocks.append(f"<ul>{''.join(f'<li>{inline(line)}</li>' for line in lines)}</ul>")
    return "\n".join(blocks)


def _parts(results: Results) -> list[_Part]:
    if not results.records:
        return [_Part("There are no runs yet.")]
    marked = departures(results) or ["none"]
    return [
        _Part(f"In all {counted(len(results.records), 'run')}:", COMMON_DEPARTURES),
        _Part(f"Learning settings that are not the paper's ({DEPARTS}):", marked),
        _Part(f"{games_at_once(results)} {codes(results)}"),
    ]
