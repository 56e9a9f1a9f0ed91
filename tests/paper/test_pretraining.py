"""The raw results of pre-training are seen to be whole before they are shown."""

import json
import shutil
from pathlib import Path

import pytest

from gata.errors import GataError
from gata.evaluation.table import inline
from gata.paper.corpora_table import corpora_table
from gata.paper.marks import explained
from gata.paper.pretraining import pretraining_table

RAW = Path(__file__).parents[2] / "results" / "pretrain"
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


def test_corpora_are_told_by_their_files(tmp_path: Path) -> None:
    for path in (RAW / "data.json", *RAW.glob("lengths-*.json")):
        shutil.copy(path, tmp_path)
    assert corpora_table(tmp_path) == corpora_table(RAW)
    counts = json.loads((tmp_path / "data.json").read_text())
    assert [one["set"] for one in counts] == ["ftwp/train", "ftwp/valid", "ftwp/test"]
    counts[1]["graphs"] = 1234567
    (tmp_path / "data.json").write_text(json.dumps(counts[::-1]))
    lengths = json.loads((tmp_path / "lengths-test.json").read_text())
    (options,) = (one for one in lengths if one["length in"] == "options of a choice")
    options |= {"mean": 1.26, "largest": 7}
    (tmp_path / "lengths-test.json").write_text(json.dumps(lengths))
    rows = {row[0]: row[1:] for row in corpora_table(tmp_path).rows}
    assert rows["games"] == ("4,069", "207", "467")
    assert rows["different graphs"][1] == "1,234,567"
    assert rows["size, MB"][0] == f"{counts[0]['megabytes']:.0f}"
    assert rows["options of a choice, mean / largest"][2] == "1.3 / 7"


@pytest.mark.parametrize("text", ["{}", "[]", '[{"length in": "records of a path"}]', "[3]", "["])
def test_lengths_that_are_none_are_named(text: str, tmp_path: Path) -> None:
    for path in (RAW / "data.json", *RAW.glob("lengths-*.json")):
        shutil.copy(path, tmp_path)
    (tmp_path / "lengths-valid.json").write_text(text)
    with pytest.raises(
        GataError, match=r"lengths-valid\.json: not what gata pretrain lengths --js"
    ):
        corpora_table(tmp_path)
    (tmp_path / "data.json").write_text(text)
    with pytest.raises(GataError, match=r"data\.json: not what gata pretrain data --json"):
        corpora_table(tmp_path)


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
