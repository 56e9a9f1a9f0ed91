"""Make the table of figures in docs/pretraining.md from the raw files in results/pretrain/."""

from pathlib import Path

from gata.files import atomic_write
from gata.paper.pretraining import markdown_table

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "pretraining.md"
BEGIN, END = "<!-- begin figures: python tools/pretraining_table.py -->\n", "<!-- end figures -->"


def page() -> str:
    """The page with a new table."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{markdown_table(ROOT / 'results' / 'pretrain')}\n{END}{after}"


if __name__ == "__main__":
    content = page()
    with atomic_write(PAGE) as stream:
        stream.write(content.encode())
