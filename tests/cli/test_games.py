"""The ``gata games`` commands as a user types them."""

import json
from pathlib import Path

import pytest

from gata.cli import main
from gata.games.game import Game
from gata.games.store import DATA_DIR, load_game


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of ``gata ARGUMENTS``."""
    try:
        code = main(list(arguments))
    except SystemExit as exit_:
        code = int(exit_.code or 0)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_the_list_of_sets(capsys: pytest.CaptureFixture[str]) -> None:
    code, output, errors = run(capsys, "games", "list")
    assert errors.startswith("level1/unlimited and level1/fresh, of each level and difficulty,")
    assert code == 0
    rows = [line.split("\t") for line in output.splitlines()]
    assert rows[0][:2] == ["name", "setting"]
    assert {row[0] for row in rows[1:]} >= {"level1", "level5", "difficulty10", "ftwp-train"}
    code, output, errors = run(capsys, "games", "list", "--json")
    assert errors == ""
    listed = {row["name"]: row for row in json.loads(output)}
    assert listed["level4"]["setting"] == "recipe3+take3+cook+cut+open+go6"
    assert (listed["level5"]["train"], listed["level5"]["test"]) == (100, 80)
    assert listed["ftwp-test"]["where"] == "not made yet"


def test_the_games_of_a_set(capsys: pytest.CaptureFixture[str]) -> None:
    code, output, _ = run(capsys, "games", "list", "level1/train/20", "--json")
    assert code == 0
    games = json.loads(output)
    assert [game["name"] for game in games][:2] == ["level1/train/6916", "level1/train/3058"]
    assert {game["max score"] for game in games} == {4}


def test_showing_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    code, output, _ = run(capsys, "games", "show", "level4/test/56274")
    assert code == 0
    for part in ("Recipe", "red potato: sliced, roasted", "kitchen*", "1: plain door",
                 "Walkthrough", "eat meal", "cookbook\tobject"):  # fmt: skip
        assert part in output


def test_a_shown_game_can_be_saved_and_loaded(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    _, output, _ = run(capsys, "games", "show", "level4/test/56274", "--json")
    path = tmp_path / "game.json"
    path.write_text(output, encoding="utf-8")
    assert Game.load(path).content_hash == load_game("level4/test/56274").content_hash


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["games", "list", "level9"], "level"),
        (["games", "list", "level1/train/7"], "no training set of 7 games, expected 1, 20, 100"),
        (["games", "show", "level1/test/1"], "unknown game 'level1/test/1'"),
        (["games", "show", "level1/unlimited/56274"], "belongs to the test games"),
        (["games", "make", "recipe9", "--seeds", "1", "--output", "x.games"], "recipe is 9"),
        (["games", "make", "recipe1"], "needs --seeds and --output"),
        (["games", "make", "recipe1", "--seeds", "1", "--output", "x"], "ends in .games"),
        (["games", "make", "level1", "--seeds", "5"], "are for a setting of your own"),
        (["games", "make", "level1", "--count", "0"], "--count is 0"),
        (["games", "list", "level" + "1" * 5000], "unknown game set"),
        (["games", "verify", "level1/test", "--jobs", "0"], "jobs is 0"),
        (["games", "make", "nothing"], "unknown games 'nothing'"),
        (["games", "dance"], "dance"),
        (["dance"], "dance"),
        ([], "Missing subcommand"),
    ],
)
def test_bad_use_exits_with_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], complaint: str
) -> None:
    code, output, errors = run(capsys, *arguments)
    assert code == 2
    assert complaint in " ".join(errors.split())
    assert not output


def test_a_missing_file_exits_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, errors = run(capsys, "games", "show", "nowhere.json")
    assert code == 1
    assert "nowhere.json: cannot read the game" in errors


def test_a_damaged_archive_exits_with_1(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "damaged.games"
    path.write_bytes((DATA_DIR / "level1.games").read_bytes()[:-7])
    code, _, errors = run(capsys, "games", "list", str(path))
    assert code == 1
    assert "damaged.games: truncated" in errors


def test_help_teaches(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ([], ["games"], ["games", "make"], ["games", "show"]):
        code, output, _ = run(capsys, *arguments, "--help")
        assert code == 0
        assert "usage: gata" in output


@pytest.mark.textworld
def test_making_a_set_of_ones_own(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("textworld", reason="making games needs the [textworld] extra")
    path = tmp_path / "mine.games"
    code, output, _ = run(
        capsys, "games", "make", "recipe2+cut", "--seeds", "1", "2", "--foods", "test",
        "--output", str(path), "--jobs", "1",
    )  # fmt: skip
    assert code == 0
    assert "2 games" in output
    code, output, _ = run(capsys, "games", "show", f"{path}:recipe2+cut/test/2")
    assert code == 0
    assert "kitchen*" in output
