"""``gata probe`` and ``gata graph belief`` as a user types them."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from gata.evaluation.probing.settings import ProbeSettings
from gata.paper.probing import comparable_scores, probing_table
from tests.cli.test_games import run

FEW = (
    "--train-games",
    "3",
    "--test-games",
    "2",
    "--epochs",
    "1",
    "--seeds",
    "1",
    "--device",
    "cpu",
)
GAME = "level1/test/73267"
LESS = ("", ", less its mean")


def test_probing_prints_and_writes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "new" / "probe.json"
    names = ("updater/og", "text-og")  # rows have the names of the paper's
    code, output, errors = run(capsys, "probe", *names, *FEW, "-o", str(path), "--json")
    assert code == 0, errors
    table = json.loads(output)
    shown = {(row["belief"], row["split"]): row for row in table}
    assert set(shown) == {
        (name, split)
        for name in ("random", "ground-truth", "og", "og memory", "og memory, mixed", "text-og")
        for split in ("train", "test")
    }
    assert {row["paper's exact"] for row in table} == {row["paper's F1"] for row in table} == {None}
    assert "left out, they are of other settings: --train-games, --test-games, --epochs\n" in errors
    results = json.loads(path.read_text())
    assert results["settings"]["train_games"] == results["data"]["train"]["games"] == 3
    ours = results["rows"]["og"][0]["test"]["exact"]["all"]
    assert shown["og", "test"]["exact"] == pytest.approx(ours)
    assert f"{ours:.2f} ± 0.00 / 0.78" in probing_table(path, "exact").markdown()


def test_the_papers_scores_stand_beside_those_of_its_settings() -> None:
    column = ("exact", "test", "all")
    for settings in (ProbeSettings(), ProbeSettings(seeds=(7,))):
        assert comparable_scores("og", settings)[column] == 0.78
        assert not comparable_scores("og memory", settings)
    for settings in (ProbeSettings(negatives="same-game"), ProbeSettings(epochs=9)):
        assert not comparable_scores("og", settings)


def test_bad_use_of_probe_writes_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "probe.json"
    for arguments, message in (
        (("nothing",), "no model is called 'nothing'"),
        (("dgi-seen",), "believes in no continuous graph"),
        (("og", "--train", "level9/train"), "unknown level 9"),
        (("og", "--test-games", "81"), "level5/test: has 80 games, 81 are wanted"),
        (("og", "--epochs", "0"), "epochs is 0"),
        (("og", "--learning-rate", "inf"), "--learning-rate is inf"),
    ):
        code, _, errors = run(capsys, "probe", *arguments, "-o", str(path))
        assert code != 0
        assert message in errors
    assert not path.exists()
    code, _, errors = run(capsys, "probe", "og", "-o", "probe.csv")
    assert code == 2
    assert "probe.csv: results end in .json" in errors
    code, _, errors = run(capsys, "probe", "og", "-o", str(Path(__file__) / "probe.json"))
    assert code == 2
    assert "test_probe.py is a file, expected a folder" in errors


@pytest.mark.parametrize("suffix", ["svg", "PNG"])
def test_a_picture_of_beliefs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / f"belief.{suffix}"
    options = ("--updaters", "og", "coc", "--mean-games", "2", "--step", "2", "--relation", "on")
    code, output, errors = run(capsys, "graph", "belief", GAME, *options, "-o", str(path))
    assert code == 0, errors
    assert output.strip() == str(path)
    data = path.read_bytes()
    if suffix == "PNG":
        assert data.startswith(b"\x89PNG")
        return
    text = data.decode()
    written = [
        element.text
        for element in ElementTree.fromstring(text).iter("{http://www.w3.org/2000/svg}text")
    ]
    # The seen graph is the same for all updaters.
    for words in ("seen graph", *(f"belief of {n}{less}" for n in ("og", "coc") for less in LESS)):
        assert written.count(words) == 1
    assert f"{GAME}, on" in text
    assert "toilet" not in text  # not a node of the seen graph


def test_a_picture_of_beliefs_has_the_names_of_game_and_relation(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    options = ("--updaters", "coc", "--mean-games", "1", "--step", "1", "--relation", "on")
    code, output, errors = run(capsys, "graph", "belief", GAME, *options)
    assert code == 0, errors
    assert output == "level1-test-73267-belief-on.png\n"
    assert [path.name for path in tmp_path.iterdir()] == [output.strip()]


def test_bad_use_of_belief(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "belief.svg"
    for arguments, message in (
        (("--step", "99"), f"step 99: 8 commands are given in {GAME}"),
        (("--relation", "under"), "relation is 'under', expected one of in, is, on"),
        (("--updaters", "text-og"), "believes in no continuous graph; expected og or coc"),
        (("--mean-games", "0"), "0 are wanted, expected 1 or more"),
    ):
        code, _, errors = run(capsys, "graph", "belief", GAME, *arguments, "-o", str(path))
        assert code == 2, errors
        assert message in errors
    code, _, errors = run(capsys, "graph", "belief", GAME, "-o", "/proc/nope/belief.png")
    assert code == 2
    assert "--output /proc/nope: cannot write there" in errors
    code, _, errors = run(capsys, "graph", "belief", GAME, "-o", "belief.gif")
    assert code == 2
    assert "belief.gif: pictures end in .svg or .png" in errors
    assert not path.exists()
