"""``gata report``: tables, pictures and one page from raw results."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from gata import console


@dataclass(frozen=True)
class Report:
    """Make all tables and pictures from the raw results.

    Tables between marks in the README.md and docs/ of --root are written anew, the same for the
    same results to the byte. An HTML page with everything, and its pictures as SVG and PNG, go to
    --output.
    """

    results: Annotated[Path, tyro.conf.arg(metavar="DIR")] = Path("results")
    """The folder of raw results."""
    root: Annotated[Path, tyro.conf.arg(metavar="DIR")] = Path()
    """The repository whose pages are regenerated."""
    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="DIR")] = Path("runs/report")
    """Where the HTML page and the pictures go."""
    no_beliefs: bool = False
    """Leave out the heat maps of what the shipped updaters believe, which take some seconds."""
    check: bool = False
    """Write nothing; fail if a page is not what the results say."""

    def run(self) -> int:
        """Regenerate."""
        from gata.errors import UsageError
        from gata.paper.pages import pages_of, regenerated, write_page
        from gata.paper.report import write_report
        from gata.paper.tables import Sources

        if not self.results.is_dir():
            raise UsageError(f"{self.results}: no such folder, expected one of raw results")
        sources = Sources.read(self.results)
        pages = {page: regenerated(page, sources) for page in pages_of(self.root)}
        if self.check and not pages:
            raise UsageError(f"--root is {self.root}: README.md and docs/ have no marks to check")
        stale = [page for page, text in pages.items() if page.read_bytes() != text.encode()]
        if self.check:
            for page in stale:
                console.note(f"{page}: not what {self.results} says; run `gata report`")
            return 1 if stale else 0
        written = write_report(sources, self.output, beliefs=not self.no_beliefs)
        for page in stale:
            write_page(page, pages[page])
        for page in pages:
            console.note(f"{page}: {'written' if page in stale else 'as it was'}")
        for path in written:
            console.text(str(path))
        return 0
