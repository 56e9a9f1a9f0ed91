"""The raw results of pre-training are seen to be whole before they are shown."""

import json
from pathlib import Path

import pytest

from gata.errors import GataError
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
    path = folder / "og" / "results.json"
    path.parent.mkdir()
    path.write_text(json.dumps(GOOD | changes))
    return path


def test_ours_stands_beside_the_papers(tmp_path: Path) -> None:
    write(tmp_path)
    (row,) = pretraining_table(tmp_path).rows
    assert row == ("`og`", "loss", "1.500", "22.280", "1,000", "60", "an abacus", "2026-11-16")


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
