"""``gata report``: tables, pictures and one page from raw results."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from gata import console
from gata.cli.options import unset
from gata.errors import UsageError
from gata.files import check_writable, expect_folder

if TYPE_CHECKING:
    from gata.paper.pages import Regenerated
    from gata.paper.tables import Sources

RESULTS = Path("results")
"""Of a repository."""


@dataclass(frozen=True)
class Report:
    """Make all tables and pictures from the raw results.

    Tables between marks in the README.md and docs/ of --root are written anew, the same for the
    same results to the byte; those that --results has no raw files for stay as they are. An HTML
    page with everything, and its pictures as SVG and PNG, go to --output.
    """

    results: Annotated[Path, tyro.conf.arg(metavar="DIR")] = RESULTS
    """The folder of raw results; records of agents are in its agents/."""
    root: Annotated[Path | None, unset("DIR")] = None
    """The repository whose pages are regenerated; by default the one here, or none if --results
    is another folder than its own."""
    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="DIR")] = Path("runs/report")
    """Where the HTML page and the pictures go."""
    no_beliefs: bool = False
    """Leave out the heat maps of what the shipped updaters believe, which take some seconds."""
    check: bool = False
    """Write nothing; fail if a page is not what the results say."""

    def run(self) -> int:
        """Regenerate."""
        from gata.paper.pages import pages_of, regenerated, write_page
        from gata.paper.report import write_report

        root = self._root()
        if self.check and root is None:
            raise UsageError(f"--results is {self.results}: --root says whose pages to check")
        if not self.check:
            check_writable(self.output, "--output")
        sources = self._sources()
        found = [] if root is None else pages_of(root)
        if self.check and not found:
            raise UsageError(f"--root is {root}: README.md and docs/ have no marks to check")
        pages = {page: regenerated(page, sources) for page in found}
        stale = [page for page, made in pages.items() if page.read_bytes() != made.text.encode()]
        if self.check:
            return self._tell_check(pages, stale)
        written = write_report(sources, self.output, beliefs=not self.no_beliefs)
        for page in stale:
            write_page(page, pages[page].text)
        for page, made in pages.items():
            console.note(f"{page}: {'written' if page in stale else 'as it was'}")
            for name, source in made.left.items():
                console.note(f"{page}: {name} stays as it is, there is no {source}")
        if root is None:
            console.note(f"no page is changed: --results is {self.results}, --root is not given")
        for path in written:
            console.text(str(path))
        return 0

    def _root(self) -> Path | None:
        """Whose pages are meant: a repository's own results are for its own pages."""
        if self.root is not None:
            expect_folder(self.root, "that of a repository")
            return self.root
        return Path() if self.results.resolve() == RESULTS.resolve() else None

    def _sources(self) -> "Sources":
        from gata.paper.tables import TABLES, Sources

        expect_folder(self.results, "one of raw results")
        sources = Sources.read(self.results)
        if not any(table.is_there(sources) for table in TABLES.values()):
            paths = (table.source(sources).relative_to(self.results) for table in TABLES.values())
            names = ", ".join(sorted({path.parts[0] for path in paths}))
            raise UsageError(f"{self.results}: no raw results, expected a folder with {names}")
        return sources

    def _tell_check(self, pages: "Mapping[Path, Regenerated]", stale: list[Path]) -> int:
        for page in stale:
            console.note(f"{page}: not what {self.results} says; run `gata report`")
        unknown = [(page, *left) for page, made in pages.items() for left in made.left.items()]
        for page, name, source in unknown:
            console.note(f"{page}: {name} cannot be checked, there is no {source}")
        if stale or unknown:
            return 1
        console.note(f"{_counted(pages)} what {self.results} says")
        return 0


def _counted(pages: "Mapping[Path, Regenerated]") -> str:
    return "1 page is" if len(pages) == 1 else f"{len(pages)} pages are"
