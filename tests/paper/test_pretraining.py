"""The page shows what the raw files say."""

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_committed_table_is_the_generated_one() -> None:
    tool = runpy.run_path(str(ROOT / "tools" / "pretraining_table.py"))
    assert tool["PAGE"].read_text(encoding="utf-8") == tool["page"]()
