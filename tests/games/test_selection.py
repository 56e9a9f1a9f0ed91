"""Games are named as everywhere else, or by setting, foods and seeds."""

import pytest

from gata.errors import GataError, UsageError
from gata.games import GameList, load_game, load_games
from gata.games.game import canonical_json
from gata.games.selection import all_names, game_names


def test_set_and_single_game():
    names = game_names("level1/valid")
    assert len(names) == 20
    assert game_names(names[3]) == [names[3]]
    assert load_game(names[3]).name == names[3]


def test_games_by_any_name(tmp_path):
    """Sets stay unread lists; a game, a file, an archive and a range of seeds are names too."""
    (one,) = load_games("level1/train/6916")
    assert one.name == "level1/train/6916"
    path = tmp_path / "my.json"
    path.write_bytes(canonical_json(one.data))
    assert [game.content_hash for game in load_games(str(path))] == [one.content_hash]
    assert len(load_games("level1/train/20")) == 20
    assert isinstance(load_games("level5/test"), GameList)


@pytest.mark.textworld
def test_ranges_of_seeds_are_made():
    pytest.importorskip("textworld")
    assert [game.name for game in load_games("tw-coin_collector/2/1-2")] == [
        "tw-coin_collector/2/1",
        "tw-coin_collector/2/2",
    ]


@pytest.mark.parametrize(
    ("what", "meant"),
    [
        ("levl1", "did you mean level1"),
        ("levl5", "did you mean level5"),
        ("level1/trian", "level1/train"),
        ("dificulty4", "did you mean difficulty4"),
        ("level1/train/6917", "did you mean .*level1/train/6916"),
        ("level1/test/1", r"unknown game 'level1/test/1'; .* such as level1/test/"),
        ("level9/test/1", "games 'level9', expected .* level1 to level5, .*`gata games list`"),
        ("tw-coin_colector/5/1", "expected one of tw-coin_collector"),
    ],
)
def test_near_misses_are_told_what_they_may_mean(what, meant):
    with pytest.raises(UsageError, match=meant):
        load_games(what)


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
    game = load_game("recipe2+take2+drop/test/7")
    assert len(game.recipe) == 2
    assert any(entity.type == "slot" for entity in game.entities.values())


@pytest.mark.parametrize("what", ["level9", "level1/train/2", "recipe9/train/1", "recipe1/foo/1"])
def test_nonsense_is_refused(what):
    with pytest.raises(UsageError):
        game_names(what)


def test_missing_file_is_named(tmp_path):
    with pytest.raises(GataError, match=r"none\.json"):
        game_names(str(tmp_path / "none.json"))


def test_games_of_other_challenges_by_level_and_seeds():
    assert game_names("tw-treasure_hunter/25/3-4") == [
        "tw-treasure_hunter/25/3",
        "tw-treasure_hunter/25/4",
    ]


@pytest.mark.textworld
def test_games_of_other_challenges_are_made_alike_everywhere():
    """The fingerprint is that of another process with another hash seed."""
    pytest.importorskip("textworld")
    game = load_game("tw-coin_collector/5/1")
    assert game.content_hash.startswith("08298da7")
    assert any(entity.name == "coin" for entity in game.entities.values())


@pytest.mark.parametrize(
    "what",
    ["tw-coin_collector/0/1", "tw-simple/rich/1", "tw-cooking/1/1", "tw-treasure_hunter/31/1"],
)
def test_challenges_that_do_not_exist_are_refused(what):
    with pytest.raises(UsageError, match="expected"):
        game_names(what)
