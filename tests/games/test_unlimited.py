"""The endless stream of training games never meets a held-out game."""

import sys
from itertools import islice

import pytest

from gata.engine import VectorEnv
from gata.errors import GataError, UsageError
from gata.games.catalogue import paper_seeds
from gata.games.store import load_game, load_set, paper_fingerprints

pytest.importorskip("textworld", reason="making games needs the [textworld] extra")
pytestmark = pytest.mark.textworld

from gata.games import unlimited  # noqa: E402
from gata.games.identity import fingerprint  # noqa: E402
from gata.rl.game_sets import load_games  # noqa: E402
from gata.rl.settings import TrainSettings  # noqa: E402


def test_the_stream_is_always_the_same_and_leaves_out_held_out_worlds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Seed 100047 of level 1 happens to make the very world of a held-out game."""
    monkeypatch.setattr(unlimited, "FIRST_SEED", 100_040)
    monkeypatch.setattr(unlimited, "CHUNK_SIZE", 12)
    first = list(islice(unlimited.unlimited_games("level1", jobs=1), 15))
    seeds = [int(game.name.split("/")[-1]) for game in first]
    assert seeds == [*range(100_040, 100_047), *range(100_048, 100_056)]
    held_out = paper_fingerprints(("valid", "test"))
    assert not any(fingerprint(game).meets(held_out) for game in first)
    again = list(islice(unlimited.unlimited_games("difficulty3", jobs=1), 15))
    assert [game.content_hash for game in again] == [game.content_hash for game in first]
    assert load_game("level1/unlimited/100041").content_hash == first[1].content_hash
    with pytest.raises(GataError, match="of a game it must not meet"):
        load_game("level1/unlimited/100047")


def test_held_out_seeds_never_make_training_games() -> None:
    for split in ("valid", "test"):
        for seed in paper_seeds()[split]:
            with pytest.raises(UsageError, match=f"belongs to the {split} games"):
                load_game(f"level4/unlimited/{seed}")


def test_the_mixed_level_takes_turns() -> None:
    names = [load_game(f"level5/unlimited/{seed}").name for seed in range(200_000, 200_004)]
    assert names == [f"level{n}/unlimited/{199_999 + n}" for n in (1, 2, 3, 4)]


@pytest.mark.parametrize("source", ["ftwp-train", "level6", "difficulty11"])
def test_only_levels_and_difficulties_have_streams(source: str) -> None:
    with pytest.raises(UsageError):
        unlimited.unlimited_chunk(source, 0)


def test_a_set_is_the_beginning_of_the_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seed 100047 is left out; a set goes on into the next chunk, and an engine plays it."""
    monkeypatch.setattr(unlimited, "FIRST_SEED", 100_044)
    monkeypatch.setattr(unlimited, "CHUNK_SIZE", 4)
    names = [f"level1/unlimited/{seed}" for seed in (100_044, 100_045, 100_046, 100_048, 100_049)]
    assert load_set("level1/unlimited/5").names == tuple(names)
    assert VectorEnv("difficulty3/unlimited/5", 2).pack.names == tuple(names)
    monkeypatch.setattr(unlimited, "SET_SIZE", 3)
    settings = TrainSettings(level=1, games="unlimited")
    assert load_games(settings)["train"].names == tuple(names[:3])


def test_without_textworld_the_set_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "textworld", None)
    monkeypatch.delitem(sys.modules, "gata.games.generate", raising=False)
    monkeypatch.setattr(unlimited, "CHUNK_SIZE", 1)
    with pytest.raises(GataError, match=r"TextWorld.* not installed: .*'\.\[text"):
        load_set("level1/unlimited/1")


@pytest.mark.parametrize("name", ["level1/unlimited/0", "ftwp/unlimited", "level7/unlimited"])
def test_sets_that_make_no_sense(name: str) -> None:
    with pytest.raises(UsageError):
        load_set(name)
