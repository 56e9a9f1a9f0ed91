"""``gata probe`` and ``gata graph belief`` as a user types them."""

import json
from dataclasses import fields
from pathlib import Path
from xml.etree import ElementTree

import pytest

from gata.cli.probe import tell
from gata.evaluation.probing.settings import LEFT_OPEN, TOLD, ProbeSettings
from gata.paper.probing import Probed, probing_table, read_probed
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
CONTROLS = ("two counts", "untrained memory, standardised")
OF_AN_UPDATER = (
    *("og", "og, other pairs"),
    *("og memory", "og memory, mixed", "og memory, standardised"),
)
GAME = "level1/test/73267"
RESULTS = Path(__file__).parents[2] / "results" / "probe"
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
        for name in ("random", "ground-truth", *CONTROLS, *OF_AN_UPDATER, "text-og")
        for split in ("train", "test")
    }
    assert not [head for head in table[0] if "paper" in head]
    assert {row["exact ±"] for row in table} == {None}  # of one seed
    assert "left out, they are of other settings: --train-games, --test-games, --epochs\n" in errors
    results = json.loads(path.read_text())
    assert results["settings"]["train_games"] == results["data"]["train"]["games"] == 3
    ours = results["rows"]["og"][0]["test"]["exact"]["all"]
    assert shown["og", "test"]["exact"] == pytest.approx(ours)
    rows = {row[0]: row[1:] for row in probing_table(path, "exact").rows}
    assert rows["GATA (`og`)"][5] == f"{ours:.2f}"  # without the paper's here, too


def test_seeds_are_told_with_their_spread(capsys: pytest.CaptureFixture[str]) -> None:
    """The same in words and as JSON."""
    code, told, errors = run(capsys, "probe", "text-og", *FEW, "--seeds", "1", "2")
    assert code == 0, errors
    heads, *rows = [line.split("\t") for line in told.splitlines()]
    code, output, _ = run(capsys, "probe", "text-og", *FEW, "--seeds", "1", "2", "--json")
    assert code == 0
    for row, values in zip(rows, json.loads(output), strict=True):
        cells = dict(zip(heads, row, strict=True))
        for head in ("exact related", "exact unrelated", "exact", "F1"):
            assert cells[head] == f"{values[head]:.2f} ± {values[f'{head} ±']:.2f}"


def test_the_papers_scores_stand_beside_those_of_its_settings(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What the paper leaves open is ours to choose, and is said to be."""
    tell(read_probed(RESULTS / "same-game.json"), as_json=False)
    told, errors = capsys.readouterr()
    heads, *rows = [line.split("\t") for line in told.splitlines()]
    shown = {(row[0], row[1]): dict(zip(heads, row, strict=True)) for row in rows}
    own = shown["og", "test"]
    assert (own["paper's exact"], own["paper's F1"]) == ("0.78", "0.79")
    assert "does not tell it: --train, --test, --negatives, --batch\n" in errors


@pytest.mark.parametrize(
    ("changes", "is_comparable"),
    [
        ({}, True),
        ({"seeds": (7,)}, True),
        ({"negatives": "same-game"}, True),
        ({"batch": 64}, True),
        ({"test": "level4/test"}, True),
        ({"epochs": 9}, False),
        ({"learning_rate": 1e-3}, False),
        ({"train_games": 99}, False),
        ({"test_games": 19}, False),
    ],
)
def test_what_the_paper_tells_makes_scores_comparable(changes: dict, is_comparable: bool) -> None:
    found = Probed(ProbeSettings(**changes), {})
    assert found.paper("og").get(("exact", "test", "all")) == (0.78 if is_comparable else None)
    assert not found.paper("og memory")


def test_every_setting_is_told_by_the_paper_or_left_open() -> None:
    """Seeds only say how often."""
    names = {field.name for field in fields(ProbeSettings)}
    assert sorted([*TOLD, *LEFT_OPEN, "seeds"]) == sorted(names)


def test_bad_use_of_probe_writes_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "probe.json"
    for arguments, message in (
        (("nothing",), "no model is called 'nothing'"),
        (("dgi-seen",), "believes in no continuous graph"),
        (("og", "--train", "level9/train"), "unknown level 9"),
        (
            ("og", "--test-games", "81"),
            "level5/test: has 80 games, 81 are wanted, expected 1 to 80",
        ),
        (
            ("og", "--test", "level5/train", *FEW),
            "1 of the 2 games of --test are among those of --train",
        ),
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
        (("--mean-games", "0"), "0 are wanted, expected 1 to 100"),
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
