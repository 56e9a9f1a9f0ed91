"""The paper's probing table, and the page that shows ours beside it."""

from pathlib import Path

import pytest

from gata.errors import GataError
from gata.paper.probing import PAPER_SCORES, probing_table


def test_the_printed_averages_are_those_of_the_printed_columns() -> None:
    """Within what rounding to two digits allows."""
    for row in PAPER_SCORES.values():
        for metric in ("exact", "f1"):
            for split in ("train", "test"):
                related, unrelated, mean = (
                    row[metric, split, group] for group in ("related", "unrelated", "all")
                )
                assert mean == pytest.approx((related + unrelated) / 2, abs=0.0101)


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text('{"rows": {"og": [{"seed": 1}]}}')
    with pytest.raises(GataError, match=r"other\.json: not the results of gata probe"):
        probing_table(path)
