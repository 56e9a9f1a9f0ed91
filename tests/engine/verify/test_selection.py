"""Games are named as everywhere else, or by setting, foods and seeds."""

import pytest

from gata.engine.verify.selection import all_names, game_named, game_names
from gata.errors import GataError, UsageError


def test_set_and_single_game():
    names = game_names("level1/valid")
    assert len(names) == 20
    assert game_names(names[3]) == [names[3]]
    assert game_named(names[3]).name == names[3]


def test_at_most_spreads_over_the_whole_set():
    names = game_names("level1/train")
    assert game_names("level1/train", 4) == [names[0], names[25], names[50], names[75]]
    assert game_names("level1/train", 1000) == names


def test_game_named_twice_is_listed_once():
    assert all_names(["level1/valid", "level1/valid"]) == game_names("level1/valid")


def test_setting_with_seeds():
    assert game_names("recipe2+take1+drop/test/7-9") == [
        "recipe2+take1+drop/test/7",
        "recipe2+take1+drop/test/8",
        "recipe2+take1+drop/test/9",
    ]


@pytest.mark.textworld
def test_setting_with_a_seed_is_made():
    pytest.importorskip("textworld")
    game = game_named("recipe2+take2+drop/test/7")
    assert len(game.recipe) == 2
    assert any(entity.type == "slot" for entity in game.entities.values())


@pytest.mark.parametrize("what", ["level9", "level1/train/2", "recipe9/train/1", "recipe1/foo/1"])
def test_nonsense_is_refused(what):
    with pytest.raises(UsageError):
        game_names(what)


def test_missing_file_is_named(tmp_path):
    with pytest.raises(GataError, match=r"none\.json"):
        game_names(str(tmp_path / "none.json"))
