"""Endless streams of games never meet the games they must not meet."""

import sys
from dataclasses import replace
from itertools import islice

import pytest

from gata.engine import VectorEnv
from gata.errors import GataError, UsageError
from gata.games.catalogue import GameKey, paper_collections, paper_seeds
from gata.games.store import load_game, load_set, paper_fingerprints

pytest.importorskip("textworld", reason="making games needs the [textworld] extra")
pytestmark = pytest.mark.textworld

from gata.games import streams  # noqa: E402
from gata.games.identity import fingerprint  # noqa: E402
from gata.games.making import Order, make_one  # noqa: E402
from gata.games.pins import Pin  # noqa: E402
from gata.games.settings import DIFFICULTIES  # noqa: E402
from gata.games.streams import FRESH, UNLIMITED, Stream  # noqa: E402
from gata.rl.game_sets import load_games  # noqa: E402
from gata.rl.settings import TrainSettings  # noqa: E402


def beginning_at(
    monkeypatch: pytest.MonkeyPatch, stream: Stream, first_seed: int, **changes
) -> Stream:
    """The stream from another seed on, also where it is asked for by name."""
    other = replace(stream, first_seed=first_seed, **changes)
    monkeypatch.setitem(streams.STREAMS, stream.name, other)
    return other


def test_the_stream_is_always_the_same_and_leaves_out_held_out_worlds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Seed 100047 of level 1 happens to make the very world of a held-out game."""
    monkeypatch.setattr(streams, "CHUNK_SIZE", 12)
    stream = replace(UNLIMITED, first_seed=100_040)
    first = list(islice(stream.games("level1", jobs=1), 15))
    seeds = [int(game.name.split("/")[-1]) for game in first]
    assert seeds == [*range(100_040, 100_047), *range(100_048, 100_056)]
    held_out = paper_fingerprints(("valid", "test"))
    assert not any(fingerprint(game).meets(held_out) for game in first)
    again = list(islice(stream.games("difficulty3", jobs=1), 15))
    assert [game.content_hash for game in again] == [game.content_hash for game in first]
    assert load_game("level1/unlimited/100041").content_hash == first[1].content_hash
    with pytest.raises(GataError, match="of a game it must not meet"):
        load_game("level1/unlimited/100047")


def test_held_out_seeds_never_make_training_games() -> None:
    for split in ("valid", "test"):
        for seed in paper_seeds()[split]:
            with pytest.raises(UsageError, match=f"belongs to the {split} games"):
                load_game(f"level4/unlimited/{seed}")


def test_no_seed_of_the_paper_makes_fresh_games() -> None:
    for split, seeds in paper_seeds().items():
        for seed in seeds:
            with pytest.raises(UsageError, match=f"belongs to the {split} games and never makes"):
                load_game(f"level4/fresh/{seed}")


def test_fresh_games_are_made_as_test_games_are() -> None:
    """With the same seed: another rule for extra foods makes another game of some."""
    entries = paper_collections()["level2"].of_split("test")[:6]
    as_test_games = replace(FRESH, avoids=(), avoids_pretraining=False)
    made = [as_test_games.make(f"level2/fresh/{entry.key.seed}") for entry in entries]
    assert [game.facts for game in made] == [load_game(entry.name).facts for entry in entries]
    as_training_games = replace(as_test_games, distractors=UNLIMITED.distractors)
    other = [as_training_games.make(f"level2/fresh/{entry.key.seed}") for entry in entries]
    assert [game.facts for game in other] != [game.facts for game in made]


def test_fresh_games_meet_neither_the_papers_games_nor_those_of_pretraining(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A one-room game is made once, then it is one to avoid."""
    name = f"level1/fresh/{FRESH.first_seed}"
    world = fingerprint(load_game(name))
    key = GameKey(DIFFICULTIES[3], "train", FRESH.first_seed, "folded")
    assert world == fingerprint(make_one(Order("the same", key)))
    for where, found in (
        ("paper_fingerprints", lambda splits: frozenset({world})),
        ("ftwp_pins", lambda: {"ftwp": Pin("0" * 32, world)}),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(streams, where, found)
            streams._to_avoid.cache_clear()
            with pytest.raises(GataError, match="of a game it must not meet"):
                load_game(name)
    streams._to_avoid.cache_clear()


def test_the_mixed_level_takes_turns() -> None:
    names = [load_game(f"level5/unlimited/{seed}").name for seed in range(200_000, 200_004)]
    assert names == [f"level{n}/unlimited/{199_999 + n}" for n in (1, 2, 3, 4)]


@pytest.mark.parametrize("stream", streams.STREAMS.values(), ids=lambda stream: stream.name)
@pytest.mark.parametrize("source", ["ftwp-train", "level6", "difficulty11"])
def test_only_levels_and_difficulties_have_streams(stream: Stream, source: str) -> None:
    with pytest.raises(UsageError):
        stream.chunk(source, 0)


def test_a_set_is_the_beginning_of_the_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seed 100047 is left out; a set goes on into the next chunk, and an engine plays it."""
    monkeypatch.setattr(streams, "CHUNK_SIZE", 4)
    beginning_at(monkeypatch, UNLIMITED, 100_044)
    names = [f"level1/unlimited/{seed}" for seed in (100_044, 100_045, 100_046, 100_048, 100_049)]
    assert load_set("level1/unlimited/5").names == tuple(names)
    assert VectorEnv("difficulty3/unlimited/5", 2).pack.names == tuple(names)
    beginning_at(monkeypatch, UNLIMITED, 100_044, set_size=3)
    settings = TrainSettings(level=1, games="unlimited")
    assert load_games(settings)["train"].names == tuple(names[:3])


def test_fresh_games_are_a_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "CHUNK_SIZE", 2)
    beginning_at(monkeypatch, FRESH, FRESH.first_seed, set_size=3)
    first = FRESH.first_seed
    assert load_set("level2/fresh").names == tuple(
        f"level2/fresh/{seed}" for seed in range(first, first + 3)
    )


def test_without_textworld_the_set_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "textworld", None)
    monkeypatch.delitem(sys.modules, "gata.games.generate", raising=False)
    monkeypatch.setattr(streams, "CHUNK_SIZE", 1)
    for name in streams.STREAMS:
        with pytest.raises(GataError, match=r"TextWorld.* not installed: .*'\.\[text"):
            load_set(f"level1/{name}/1")


@pytest.mark.parametrize(
    "name",
    ["level1/unlimited/0", "level1/fresh/0", "ftwp/unlimited", "ftwp/fresh", "level7/unlimited"],
)
def test_sets_that_make_no_sense(name: str) -> None:
    with pytest.raises(UsageError):
        load_set(name)


@pytest.mark.parametrize("name", ["level1/fresh/x", "level1/unlimited/", "1/fresh/3"])
def test_games_that_make_no_sense(name: str) -> None:
    with pytest.raises(UsageError, match="unknown game"):
        load_game(name)
