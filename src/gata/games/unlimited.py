"""Endless training games that never contain a validation or test game.

Game ``level2/unlimited/123456`` is made from the seed 123456 under the rules of the training
sets. Two checks keep the held-out games out: their seeds are refused, and so is any game whose
world equals theirs (recipe, map, things, states) or whose recipe and map do, whatever its seed.
Games are made in chunks into the cache folder, so a long training run makes each of them once.
"""

import re
from collections.abc import Iterator
from functools import cache

from gata.cache import cache_dir
from gata.errors import UsageError
from gata.games.archive import SUFFIX, Archive
from gata.games.catalogue import (
    MAX_SEED,
    GameKey,
    Split,
    canonical_collection,
    paper_collections,
    paper_seeds,
)
from gata.games.game import Game
from gata.games.making import Order, make_archive, make_one
from gata.games.settings import LEVELS, MIXED_LEVEL
from gata.games.store import GameList, GameRef, paper_fingerprints

FIRST_SEED = 100_000
"""The stream starts above every published seed."""
CHUNK_SIZE = 240
SET_SIZE = 2_400
"""How many games ``level2/unlimited`` stands for where no number is given: 24 times the paper's
largest training set, made and compiled once in some minutes."""
HELD_OUT: tuple[Split, ...] = ("valid", "test")


def unlimited_games(source: str, *, jobs: int | None = None) -> Iterator[Game]:
    """The endless stream of a level (``level1`` ... ``level5``) or difficulty, always the same."""
    number = 0
    while True:
        archive = unlimited_chunk(source, number, jobs=jobs)
        for name in archive:
            yield archive[name]
        number += 1


def unlimited_set(source: str, size: int | None = None) -> GameList:
    """The first games of the stream, ``SET_SIZE`` by default; they are made, once."""
    size = SET_SIZE if size is None else size
    if size < 1:
        raise UsageError(f"{source}/unlimited/{size}: expected at least 1 game")
    refs: list[GameRef] = []
    number = 0
    while len(refs) < size:
        archive = unlimited_chunk(source, number)
        refs += [GameRef(archive.path, name) for name in archive]
        number += 1
    return GameList(refs[:size])


def unlimited_chunk(source: str, number: int, *, jobs: int | None = None) -> Archive:
    """Chunk ``number`` (from 0) of the stream: 240 games less the few that were left out."""
    source = _check_source(source)
    first = FIRST_SEED + number * CHUNK_SIZE
    if number < 0 or first + CHUNK_SIZE - 1 > MAX_SEED:
        raise UsageError(f"chunk {number} of {source} is out of range")
    orders = [_order(source, seed) for seed in range(first, first + CHUNK_SIZE)]
    path = cache_dir() / "games" / "unlimited" / source / f"{number:08d}{SUFFIX}"
    label = f"{source}/unlimited, seeds {first} to {first + CHUNK_SIZE - 1}"
    return make_archive(path, orders, jobs=jobs, label=label)


def make_unlimited_game(name: str) -> Game:
    """Make one game of the stream, by name, from any seed that is not held out."""
    match = re.fullmatch(r"([a-z]+\d+)/unlimited/(\d+)", name)
    if not match:
        raise UsageError(f"unknown game {name!r}, expected for example level1/unlimited/123456")
    source, seed = _check_source(match[1]), int(match[2])
    return make_one(_order(source, seed))


def _check_source(source: str) -> str:
    if source == f"level{MIXED_LEVEL}":
        return source
    source = canonical_collection(source)
    if source not in paper_collections():
        raise UsageError(f"{source}: unlimited games exist for levels and difficulties only")
    return source


def _order(source: str, seed: int) -> Order:
    split = _held_out_seeds().get(seed)
    if split:
        raise UsageError(f"seed {seed} belongs to the {split} games and never makes training games")
    if source == f"level{MIXED_LEVEL}":
        source = f"level{1 + seed % len(LEVELS)}"
    setting = paper_collections()[source].entries[0].key.setting
    key = GameKey(setting, "train", seed, "clipped")
    return Order(f"{source}/unlimited/{seed}", key, avoid=paper_fingerprints(HELD_OUT))


@cache
def _held_out_seeds() -> dict[int, str]:
    return {seed: split for split in HELD_OUT for seed in paper_seeds()[split]}
