"""The ``gata graph`` and ``gata words`` commands as a user types them."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread

from gata.games.archive import write_archive
from gata.games.store import load_game
from tests.cli.test_games import run

GAME = "level4/test/73267"


def test_the_full_graph_at_the_start_of_level_4(capsys: pytest.CaptureFixture[str]) -> None:
    """The worked example: 53 edges."""
    code, output, _ = run(capsys, "graph", "show", GAME, "--json")
    assert code == 0
    edges = json.loads(output)
    assert len(edges) == 53
    assert {"source": "plain door", "relation": "east_of", "target": "kitchen"} in edges


def test_the_seen_graph_grows_and_changes_are_marked(capsys: pytest.CaptureFixture[str]) -> None:
    code, output, _ = run(capsys, "graph", "show", GAME, "--kind", "seen", "--json")
    assert {edge["source"] for edge in json.loads(output)} == {"player", "exit"}
    code, output, _ = run(
        capsys, "graph", "show", GAME, "--kind", "seen", "--step", "-1", "--changes"
    )
    assert code == 0
    rows = [line.split("\t") for line in output.splitlines()]
    assert rows[0] == ["source", "relation", "target", "change"]
    changed = [row for row in rows[1:] if row[3] != "kept"]
    assert changed == [["meal", "is", "consumed", "added"], ["meal", "in", "player", "removed"]]


def draw(
    capsys: pytest.CaptureFixture[str], folder: Path, suffix: str, game: str
) -> tuple[Path, Path]:
    """Draw the map and the heat map of a game at its start."""
    picture, heat = folder / f"map.{suffix}", folder / f"heat.{suffix}"
    code, _, errors = run(capsys, "graph", "show", game, "-o", str(picture), "--heatmap", str(heat))
    assert code == 0, errors
    assert str(picture) in errors
    assert str(heat) in errors
    return picture, heat


def test_svg_pictures_name_what_is_in_the_graph(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for path in draw(capsys, tmp_path, "svg", GAME):
        text = path.read_text("utf-8")
        for word in ("plain door", "pantry", "shelf", "east_of", f"{GAME}, full graph, start"):
            assert word in text


def test_png_pictures_are_of_the_graph(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Endings in capitals are understood. The map has rooms in their colour, the heat map edges."""
    picture, heat = draw(capsys, tmp_path, "PNG", GAME)
    room, edge = (0xCF, 0xE3, 0xFB), (0, 68, 27)
    for path, color in ((picture, room), (heat, edge)):
        pixels = np.round(imread(path, format="png")[..., :3] * 255)
        assert (np.abs(pixels - color).max(axis=-1) <= 1).sum() > 500


def test_games_of_other_worlds_have_pictures(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    played = load_game("level1/test/73267")
    text = json.dumps(played.data)
    assert '"name": "table"' in text
    path = tmp_path / "other.json"
    path.write_text(text.replace('"name": "table"', '"name": "spaceship"'))
    for drawn in draw(capsys, tmp_path, "svg", str(path)):
        assert "spaceship" in drawn.read_text("utf-8")


def test_changes_at_the_start_are_none(capsys: pytest.CaptureFixture[str]) -> None:
    code, output, _ = run(capsys, "graph", "show", GAME, "--changes", "--json")
    assert code == 0
    assert {edge["change"] for edge in json.loads(output)} == {"kept"}


def test_bad_use_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, errors = run(capsys, "graph", "show", GAME, "--step", "99")
    assert code == 2
    assert "step 99: the walkthrough of level4/test/73267 has" in errors
    code, _, errors = run(capsys, "graph", "show", GAME, "-o", "map.gif")
    assert code == 2
    assert "map.gif: pictures end in .svg or .png" in errors


def test_a_film(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, output, _ = run(capsys, "graph", "film", "level3/test/73267")
    assert code == 0
    assert output == "level3-test-73267.html\n"
    page = Path("level3-test-73267.html").read_text("utf-8")
    assert page.count("<section") == 7
    assert "You take the pork chop from the fridge." in page
    assert "add pork chop player in" in page


def test_films_of_different_games_have_different_names(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    played = load_game("level1/test/73267")
    write_archive(Path("my.games"), [replace(played, name=f"x/{i}") for i in (1, 2)])
    for i in (1, 2):
        code, output, _ = run(capsys, "graph", "film", f"my.games:x/{i}")
        assert (code, output) == (0, f"my.games-x-{i}.html\n")
        assert f"x/{i}, seen graph" in Path(output.strip()).read_text("utf-8")


def test_all_steps_in_one_picture(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "steps.svg"
    code, _, _ = run(capsys, "graph", "film", "level3/test/73267", "-o", str(path))
    assert code == 0
    text = path.read_text("utf-8")
    for caption in ("start", "step 4: take pork chop from fridge", "step 6: eat meal"):
        assert f">{caption}</text>" in text
    code, _, errors = run(capsys, "graph", "film", GAME, "-o", "film.mp4")
    assert code == 2
    assert "film.mp4: films end in .html, .svg or .png" in errors


def test_coverage_of_the_shipped_vectors(capsys: pytest.CaptureFixture[str]) -> None:
    code, output, _ = run(capsys, "words", "--json")
    assert code == 0
    (row,) = json.loads(output)
    assert row["words"] == row["found"] + row["composed"] + row["random"] > 900
    assert (row["width"], row["random"]) == (100, 3)


def test_coverage_of_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "own.vec"
    path.write_text("2 4\nfrosted 1 2 3 4\nglass 3 2 1 0\n")
    code, output, _ = run(capsys, "words", "--vectors", str(path), "--list")
    assert code == 0
    listed = dict(line.split("\t") for line in output.splitlines())
    assert listed["glass"] == "found"
    assert listed["frosted-glass"] == "frosted + glass"
    assert listed["door"] == "random"
    code, _, errors = run(capsys, "words", "--vectors", str(tmp_path))
    assert (code, errors) == (2, f"gata: {tmp_path} is a folder, expected a file\n")
    path.write_text("2 4\nglass 3 2 1 0\n")
    code, _, errors = run(capsys, "words", "--vectors", str(path))
    assert code == 1
    assert "line 2: the file ends after 1 words, its first line promises 2" in errors
