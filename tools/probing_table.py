"""Make the tables of docs/probing.md from the raw files in results/probe/."""

from pathlib import Path

from gata.files import atomic_write
from gata.paper.probing import markdown_table

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "probing.md"
END = "<!-- end figures -->"


def page() -> str:
    """The page with new tables, one for each file that has a place there."""
    text = PAGE.read_text(encoding="utf-8")
    for path in sorted((ROOT / "results" / "probe").glob("*.json")):
        begin = f"<!-- begin figures {path.name}: python tools/probing_table.py -->\n"
        if begin in text:
            before, _, rest = text.partition(begin)
            _, _, after = rest.partition(END)
            text = f"{before}{begin}{markdown_table(path)}\n{END}{after}"
    return text


if __name__ == "__main__":
    content = page()
    with atomic_write(PAGE) as stream:
        stream.write(content.encode())
