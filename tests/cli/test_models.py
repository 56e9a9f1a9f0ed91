"""The ``gata models`` commands as a user types them."""

import json
import re
from pathlib import Path

import pytest

import gata
from gata.models import shipped
from gata.models.kinds import KINDS
from tests.cli.test_games import run
from tests.models.samples import saved, saved_all

PAGE = Path(__file__).parents[2] / "docs" / "model_cards.md"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty package folder."""
    monkeypatch.setattr(shipped, "DATA_DIR", tmp_path / "models")
    return tmp_path / "models"


def test_the_page_of_cards_is_the_one_the_files_give(capsys: pytest.CaptureFixture[str]) -> None:
    code, output, _ = run(capsys, "models", "cards")
    assert code == 0
    assert PAGE.read_text("utf-8") == output, "run: gata models cards --output docs/model_cards.md"


def test_the_models_of_the_package_are_fine(capsys: pytest.CaptureFixture[str]) -> None:
    code, output, _ = run(capsys, "models", "verify", "--json")
    assert code == 0
    assert [row["name"] for row in json.loads(output)] == shipped.names() + shipped.agents()


def test_a_package_without_models(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("list", "verify"):
        code, output, _ = run(capsys, "models", command)
        assert (code, output) == (0, "There are no models in this version of gata.\n")
        code, output, _ = run(capsys, "models", command, "--json")
        assert (code, json.loads(output)) == (0, [])


def test_a_name_that_is_none_does_not_hide_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    code, output, _ = run(capsys, "models", "verify", "og", "nobody", "coc", "--json")
    assert code == 1
    rows = json.loads(output)
    assert [row["fine"] for row in rows] == [True, False, True]
    assert "'nobody'" in rows[1]["problem"]


def test_list(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = saved_all(folder)
    code, output, _ = run(capsys, "models", "list")
    assert code == 0
    rows = [line.split("\t") for line in output.splitlines()]
    assert rows[0] == ["name", "parts", "kind", "parameters", "bytes", "metrics"]
    assert [row[0] for row in rows[1:]] == [f"pretrain/{name}" for name in names]
    assert {row[5] for row in rows[1:]} == {"test f1 0.6813, test loss 22.28"}
    code, output, _ = run(capsys, "models", "list", "--json")
    for row in json.loads(output):
        path = folder / f"{row['name'].removeprefix('pretrain/')}.safetensors"
        assert row["bytes"] == path.stat().st_size
        assert row["metrics"] == {"test": {"f1": 0.68125, "loss": 22.28}}


def test_the_list_tells_which_model_was_chosen_by_what(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved(folder / "ap.safetensors", "ap", card={"selection": "chosen by the test games"})
    saved(folder / "og.safetensors", "og", card={})
    code, output, errors = run(capsys, "models", "list")
    assert (code, len(output.splitlines())) == (0, 3)
    assert errors == "pretrain/ap: chosen by the test games\n"
    code, output, errors = run(capsys, "models", "list", "--json")
    told = [row["selection"] for row in json.loads(output)]
    assert (code, told, errors) == (0, ["chosen by the test games", None], "")


def test_all_listed_names_can_be_loaded(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved_all(folder)
    for row in json.loads(run(capsys, "models", "list", "--json")[1]):
        assert all(gata.load(name) for name in (row["name"], *row["parts"]))


def test_show(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved(folder / "ap-full.safetensors", "ap", card={"seed": 1001, "metrics": {"accuracy": 0.9}})
    for name in ("ap-full", "encoder/ap-full", str(folder / "ap-full.safetensors")):
        code, output, _ = run(capsys, "models", "show", name)
        assert code == 0
        assert re.search(r"^about +action prediction$", output, re.MULTILINE)
        assert re.search(r"^roles +pretrain, encoder$", output, re.MULTILINE)
        assert re.search(r"^  seed +1001$", output, re.MULTILINE)
        assert re.search(r"^  metrics accuracy +0\.9$", output, re.MULTILINE)
        assert re.search(r"^  hidden +8$", output, re.MULTILINE)
    code, output, _ = run(capsys, "models", "show", "ap-full", "--json")
    assert json.loads(output)["card"] == {"seed": 1001, "metrics": {"accuracy": 0.9}}


def test_show_of_a_run_has_its_name(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved(folder / "mine" / "weights.safetensors", "og")
    for name in (str(folder / "mine"), str(folder / "mine" / "weights.safetensors")):
        code, output, _ = run(capsys, "models", "show", name, "--json")
        assert (code, json.loads(output)["name"]) == (0, "mine")


def test_show_of_what_is_not_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved(folder / "og.safetensors", "og")
    code, _, error = run(capsys, "models", "show", "ogg")
    assert code == 2
    assert "no model is called 'ogg'" in error
    assert "(did you mean og?); `gata models list` shows the names" in error
    code, _, error = run(capsys, "models", "show", "gone.safetensors")
    assert code == 1
    assert "gone.safetensors: no such file" in error


def test_a_role_that_a_model_does_not_play(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved(folder / "text-og.safetensors", "text-og")
    for command in ("show", "verify"):
        assert run(capsys, "models", command, "pretrain/text-og")[0] == 0
    complaint = "a model of kind 'text-og' has no 'encoder', only pretrain"
    code, output, error = run(capsys, "models", "show", "encoder/text-og")
    assert (code, output) == (2, "")
    assert complaint in error
    code, output, _ = run(capsys, "models", "verify", "encoder/text-og")
    assert code == 1
    assert complaint in output


def test_verify_finds_the_damaged_one(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved_all(folder)
    code, output, _ = run(capsys, "models", "verify")
    assert code == 0
    path = folder / "sp.safetensors"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    code, output, _ = run(capsys, "models", "verify")
    assert code == 1
    rows = [line.split("\t") for line in output.splitlines()[1:]]
    assert [row[0] for row in rows if row[1] != "yes"] == ["sp"]
    assert next(row[2] for row in rows if row[0] == "sp").startswith(f"{path}: damaged")
    code, _, _ = run(capsys, "models", "verify", "og", "encoder/ap")
    assert code == 0


def test_cards(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved_all(folder)
    page = tmp_path / "docs" / "cards.md"
    code, output, _ = run(capsys, "models", "cards", "--output", str(page))
    assert (code, output) == (0, f"{page}\n")
    text = page.read_text("utf-8")
    for kind, about in KINDS.items():
        assert f"\n## {kind}\n" in text
        assert about.about in text
    assert "| command | `gata pretrain og --seed 3` |" in text
    assert "| load as | `pretrain/coc`, `updater/coc`, `encoder/coc` |" in text
    assert "the paper's, but hidden 8, convolutions 1" in text
    again = run(capsys, "models", "cards")[1]
    assert again == text


def test_cells_of_cards_cannot_break_the_table(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved(folder / "ap.safetensors", "ap", card={"command": "a | b\nc", "metrics": 0.5})
    output = run(capsys, "models", "cards")[1]
    assert r"| command | `a \| b c` |" in output
    assert "| metrics | 0.5 |" in output
