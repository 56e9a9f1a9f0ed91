"""What is typed by hand on the pages, and how figures stand there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def section(page: str, title: str) -> str:
    """What is typed under a heading of a page, without tables that are made."""
    text = (ROOT / page).read_text(encoding="utf-8")
    (found,) = re.findall(rf"^## {title}\n(.*?)(?:^## |\Z)", text, re.DOTALL | re.MULTILINE)
    return re.sub(r"<!-- begin figures.*?end figures -->", "", found, flags=re.DOTALL)


def written(score: float) -> str:
    """As it stands in tables."""
    return f"{score:.1f}"
