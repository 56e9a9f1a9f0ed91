"""Pages whose tables are made, never typed: everything between two marks comes from results."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from gata.errors import GataError
from gata.files import atomic_write
from gata.paper.departures import departures_as_markdown
from gata.paper.tables import TABLES, Sources

END = "<!-- end figures -->"
_ANY_BEGIN = re.compile(r"^<!-- begin figures: gata report (\S+) -->(?=\r?$)", re.MULTILINE)

BLOCKS = (*TABLES, "departures")
"""What can stand between marks, by the name in the first one."""


class Regenerated(NamedTuple):
    """A page with what stands between its marks made anew."""

    text: str
    left: Mapping[str, Path]
    """Figures that are as they were, and what is not there to make them of."""


def _block(name: str, sources: Sources) -> str:
    """Markdown."""
    if name in TABLES:
        return TABLES[name].table(sources).markdown()
    return departures_as_markdown(sources.agents)


def _source(name: str, sources: Sources) -> Path:
    return TABLES[name].source(sources) if name in TABLES else sources.records


def pages_of(root: Path) -> list[Path]:
    """The pages of a repository that have marks."""
    candidates = [root / "README.md", *sorted((root / "docs").glob("*.md"))]
    return [page for page in candidates if page.exists() and _ANY_BEGIN.search(_read(page))]


def regenerated(page: Path, sources: Sources) -> Regenerated:
    """Make everything anew that stands between a page's marks and has a source."""
    made, rest = "", _read(page)
    left = {}
    while found := _ANY_BEGIN.search(rest):
        name = found[1]
        if name not in BLOCKS:
            raise GataError(f"{page}: figures {name!r} are not known, expected {', '.join(BLOCKS)}")
        before, after = rest[: found.end()], rest[found.end() :]
        inside, end, rest = after.partition(END)
        if not end or _ANY_BEGIN.search(inside):
            raise GataError(f"{page}: figures {name!r} have no end, expected a line {END}")
        source = _source(name, sources)
        if source.exists():
            newline = "\r\n" if inside.startswith("\r") else "\n"
            block = _block(name, sources).replace("\n", newline)
            inside = f"{newline}{block}{newline}"
        else:
            left[name] = source
        made += f"{before}{inside}{END}"
    return Regenerated(made + rest, left)


def write_page(page: Path, text: str) -> None:
    """Write a page, whole or not at all."""
    with atomic_write(page) as stream:
        stream.write(text.encode())


def _read(page: Path) -> str:
    # Bytes, not text: ends of lines must stay what they are.
    try:
        return page.read_bytes().decode("utf-8")
    except (OSError, ValueError) as error:
        raise GataError(f"{page}: cannot be read ({error})") from error
