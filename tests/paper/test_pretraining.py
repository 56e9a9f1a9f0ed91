"""The raw results of pre-training are seen to be whole before they are shown."""

import json
from pathlib import Path

import pytest

from gata.errors import GataError
from gata.evaluation.table import inline
from gata.paper.marks import explained
from gata.paper.pretraining import pretraining_table

GOOD = {
    "name": "og",
    "metrics": {"loss": 1.5},
    "updates": 1000,
    "training_seconds": 60.4,
    "hardware": "an abacus",
    "date": "2026-11-16T04:00:21+00:00",
}


def write(folder: Path, **changes) -> Path:
    path = folder / changes.get("name", "og") / "results.json"
    path.parent.mkdir()
    path.write_text(json.dumps(GOOD | changes))
    return path


def test_ours_stands_beside_the_papers(tmp_path: Path) -> None:
    write(tmp_path)
    (row,) = pretraining_table(tmp_path).rows
    assert row == ("`og`", "loss", "1.500", "22.280", "1,000", "60", "an abacus", "2026-11-16")


def test_unlike_measures_are_marked_and_explained_in_the_table(tmp_path: Path) -> None:
    """Also in the HTML, which has no page around it: of AP and SP, and of the CG's comment."""
    metrics = {"loss": 0.1, "accuracy": 0.9, "f1": 0.5}
    for name in ("ap-full", "cg", "coc", "og", "sp-seen"):
        write(tmp_path, name=name, metrics=metrics)
    table = explained(pretraining_table(tmp_path))
    marked = [row[:2] for row in table.rows if row[1] not in metrics]
    assert marked == [("`ap-full`", "accuracy§"), ("`cg`", "f1¶"), ("`sp-seen`", "accuracy§")]
    first, second = table.notes
    assert first.startswith("§: ours counts every option with the right outcome")
    assert second.startswith("¶: the paper does not print its number")
    assert f'<p class="quiet">{inline(first)}</p>' in table.html()


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"updates": "many"}, "updates is 'many', expected int"),
        ({"metrics": None}, "metrics is None, expected dict"),
        ({"metrics": {"loss": "low"}}, "metrics.loss is 'low', expected a number"),
    ],
)
def test_what_is_wrong_is_named(changes: dict, told: str, tmp_path: Path) -> None:
    path = write(tmp_path, **changes)
    with pytest.raises(GataError) as caught:
        pretraining_table(tmp_path)
    assert str(caught.value) == f"{path}: {told}"
