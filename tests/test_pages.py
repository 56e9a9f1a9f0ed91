"""Whoever begins at README.md or at the first page of the documentation can get everywhere."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted(path.name for path in (ROOT / "docs").glob("*.md") if path.stem != "index")


def links(page: Path) -> set[str]:
    """To files of the repository, with the heading they point to."""
    found = re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8"))
    return {link for link in found if "://" not in link}


def anchors(page: Path) -> set[str]:
    """Of headings, as MkDocs and GitHub make them of plain ones."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES)
def test_every_page_is_in_the_menu_and_on_the_first_page(page: str) -> None:
    assert page in links(ROOT / "docs" / "index.md")
    assert re.search(rf": {page}$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)


def test_links_of_the_readme_lead_somewhere() -> None:
    found = links(ROOT / "README.md")
    assert len(found) > 10
    for link in found:
        name, _, anchor = link.partition("#")
        assert (ROOT / name).is_file(), link
        assert not anchor or anchor in anchors(ROOT / name), link


def test_the_readme_installs_the_torch_that_is_pinned() -> None:
    readme, pins = ((ROOT / name).read_text("utf-8") for name in ("README.md", "constraints.txt"))
    (pinned,) = re.findall(r"^torch==\S+$", pins, re.MULTILINE)
    assert re.findall(r"torch==[\d.]+", readme) == [pinned]
