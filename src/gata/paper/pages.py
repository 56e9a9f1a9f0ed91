"""Pages whose tables are made, never typed: everything between two marks comes from results."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from gata.errors import GataError
from gata.files import atomic_write
from gata.paper.cells import Results
from gata.paper.engine_table import engine_table
from gata.paper.pretraining import pretraining_table
from gata.paper.probing import probing_table
from gata.paper.score_tables import (
    departures,
    full_test_table,
    improvement_table,
    short_test_table,
    training_table,
)
from gata.paper.time_table import time_table

END = "<!-- end figures -->"
_ANY_BEGIN = re.compile(r"^<!-- begin figures: gata report (\S+) -->$", re.MULTILINE)


@dataclass(frozen=True)
class Sources:
    """The raw results."""

    agents: Results
    folder: Path
    """Of all raw results."""

    @classmethod
    def read(cls, results: Path) -> "Sources":
        """From the folder of all results."""
        return cls(Results.read(results / "agents"), results)

    def probing(self, negatives: str) -> Path:
        """The file of ``gata probe`` with this kind of unrelated pairs."""
        return self.folder / "probe" / f"{negatives}.json"


BLOCKS: Mapping[str, Callable[[Sources], str]] = {
    "test-20": lambda sources: short_test_table(sources.agents, 20).markdown(),
    "test-100": lambda sources: short_test_table(sources.agents, 100).markdown(),
    "test-full-20": lambda sources: full_test_table(sources.agents, 20).markdown(),
    "test-full-100": lambda sources: full_test_table(sources.agents, 100).markdown(),
    "improvements": lambda sources: improvement_table(sources.agents).markdown(),
    "training-20": lambda sources: training_table(sources.agents, 20).markdown(),
    "training-100": lambda sources: training_table(sources.agents, 100).markdown(),
    "departures": lambda sources: _departures(sources.agents),
    "time": lambda sources: time_table(sources.agents, sources.folder / "pretrain").markdown(),
    "pretraining": lambda sources: pretraining_table(sources.folder / "pretrain").markdown(),
    "engine": lambda sources: engine_table(sources.folder / "engine" / "bench.json").markdown(),
    "probing-any-game": lambda sources: probing_table(sources.probing("any-game")).markdown(),
    "probing-same-game": lambda sources: probing_table(sources.probing("same-game")).markdown(),
}
"""What can stand between marks, by the name in the first one."""


def _departures(results: Results) -> str:
    if not results.records:
        return "There are no runs yet."
    lines = [f"- {line}" for line in departures(results)]
    return "\n".join(lines) or f"None: all {len(results.records)} runs have the paper's settings."


def pages_of(root: Path) -> list[Path]:
    """The pages of a repository that have marks."""
    candidates = [root / "README.md", *sorted((root / "docs").glob("*.md"))]
    return [page for page in candidates if page.exists() and _ANY_BEGIN.search(_read(page))]


def regenerated(page: Path, sources: Sources) -> str:
    """A page with everything between its marks made anew."""
    return "".join(_parts(_read(page), page, sources))


def _parts(text: str, page: Path, sources: Sources) -> list[str]:
    found = _ANY_BEGIN.search(text)
    if found is None:
        return [text]
    name = found[1]
    if name not in BLOCKS:
        raise GataError(f"{page}: figures {name!r} are not known, expected {', '.join(BLOCKS)}")
    inside, end, after = text[found.end() :].partition(END)
    if not end or _ANY_BEGIN.search(inside):
        raise GataError(f"{page}: figures {name!r} have no end, expected a line {END}")
    made = f"{text[: found.end()]}\n{BLOCKS[name](sources)}\n{END}"
    return [made, *_parts(after, page, sources)]


def write_page(page: Path, text: str) -> None:
    """Write a page, whole or not at all."""
    with atomic_write(page) as stream:
        stream.write(text.encode())


def _read(page: Path) -> str:
    # Bytes, not text: ends of lines must stay what they are.
    return page.read_bytes().decode("utf-8")
