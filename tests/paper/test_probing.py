"""The paper's probing table, and the page that shows ours beside it."""

from pathlib import Path

import pytest

from gata.errors import GataError
from gata.paper.probing import PAPER_SCORES, probing_table, read_rows
from gata.paper.probing_bars import draw_bars


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


def test_bars_carry_our_numbers_and_the_papers() -> None:
    folder = Path(__file__).parents[2] / "results" / "probe"
    table = probing_table(folder / "same-game.json")
    column = table.columns.index("exact test +")
    cells = [row[column].split(" / ") for row in table.rows]
    pictures = draw_bars({"same-game": read_rows(folder / "same-game.json")})
    assert pictures["png"].startswith(b"\x89PNG")
    svg = pictures["svg"].decode()
    assert all(f">{number}</text>" in svg for cell in cells for number in cell)
    assert all(f">{title}</text>" in svg for title in ("related pairs", "all pairs"))
    assert "ours, counterparts from any game" not in svg
