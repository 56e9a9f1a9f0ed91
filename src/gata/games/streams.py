"""Endless streams of games beside the paper's, made from seed after seed.

Game ``level2/unlimited/123456`` is made from the seed 123456 under the rules of the training
sets, ``level2/fresh/1000000456`` from that seed under those of the validation and test sets. Checks
keep apart what must not meet: seeds of the paper's games are refused, and so is any game whose
world equals that of one to avoid (recipe, map, things, states) or whose recipe and map do, whatever
its seed. Games are made in chunks into the cache folder, so each of them is made once.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from gata.cache import cache_dir
from gata.errors import UsageError
from gata.games.archive import SUFFIX, Archive
from gata.games.catalogue import (
    MAX_SEED,
    SPLITS,
    Distractors,
    GameKey,
    Split,
    canonical_collection,
    paper_collections,
    paper_seeds,
)
from gata.games.game import Game
from gata.games.identity import Fingerprint
from gata.games.making import Order, make_archive, make_one
from gata.games.pins import ftwp_pins
from gata.games.settings import LEVELS, MIXED_LEVEL
from gata.games.store import GameList, GameRef, paper_fingerprints

CHUNK_SIZE = 240


@dataclass(frozen=True)
class Stream:
    """Games of each level and difficulty, without an end; always the same."""

    name: str
    """As in the names of its games and sets."""
    purpose: str
    """What its games are for."""
    first_seed: int
    """Above every published seed, and far from those of other streams."""
    set_size: int
    """How many games its set stands for where no number is given."""
    distractors: Distractors
    avoids: tuple[Split, ...]
    """Splits of the paper's games that its own must not meet."""
    avoids_pretraining: bool
    """Whether they must not meet the games of pre-training either."""

    def games(self, source: str, *, jobs: int | None = None) -> Iterator[Game]:
        """The games of a level (``level1`` ... ``level5``) or difficulty, one after the other."""
        number = 0
        while True:
            archive = self.chunk(source, number, jobs=jobs)
            for name in archive:
                yield archive[name]
            number += 1

    def set(self, source: str, size: int | None = None) -> GameList:
        """The first games of a level or difficulty; they are made, once."""
        size = self.set_size if size is None else size
        if size < 1:
            raise UsageError(f"{source}/{self.name}/{size}: expected at least 1 game")
        refs: list[GameRef] = []
        number = 0
        while len(refs) < size:
            archive = self.chunk(source, number)
            refs += [GameRef(archive.path, name) for name in archive]
            number += 1
        return GameList(refs[:size])

    def chunk(self, source: str, number: int, *, jobs: int | None = None) -> Archive:
        """Chunk ``number`` (from 0): 240 games less the few that were left out."""
        source = _check_source(source, self.name)
        first = self.first_seed + number * CHUNK_SIZE
        if number < 0 or first + CHUNK_SIZE - 1 > MAX_SEED:
            raise UsageError(f"chunk {number} of {source}/{self.name} is out of range")
        orders = [self._order(source, seed) for seed in range(first, first + CHUNK_SIZE)]
        path = cache_dir() / "games" / self.name / source / f"{number:08d}{SUFFIX}"
        label = f"{source}/{self.name}, seeds {first} to {first + CHUNK_SIZE - 1}"
        return make_archive(path, orders, jobs=jobs, label=label)

    def make(self, name: str) -> Game:
        """Make one game, by name, from any seed that is no published one to avoid."""
        match = re.fullmatch(rf"([a-z]+\d+)/{self.name}/(\d+)", name)
        if not match:
            example = f"level1/{self.name}/{self.first_seed}"
            raise UsageError(f"unknown game {name!r}, expected for example {example}")
        source, seed = _check_source(match[1], self.name), int(match[2])
        return make_one(self._order(source, seed))

    def _order(self, source: str, seed: int) -> Order:
        split = _splits_of_seeds().get(seed)
        if split in self.avoids:
            raise UsageError(
                f"seed {seed} belongs to the {split} games and never makes {self.purpose} games"
            )
        if source == f"level{MIXED_LEVEL}":
            source = f"level{1 + seed % len(LEVELS)}"
        setting = paper_collections()[source].entries[0].key.setting
        key = GameKey(setting, "train", seed, self.distractors)
        return Order(f"{source}/{self.name}/{seed}", key, avoid=_to_avoid(self))


UNLIMITED = Stream(
    name="unlimited",
    purpose="training",
    first_seed=100_000,
    set_size=2_400,  # 24 times the paper's largest training set, made in some minutes
    distractors="clipped",
    avoids=("valid", "test"),
    avoids_pretraining=False,
)
"""Training games that never meet a validation or test game."""

FRESH = Stream(
    name="fresh",
    purpose="fresh test",
    first_seed=1_000_000_000,
    set_size=1_000,
    distractors="folded",
    avoids=SPLITS,
    avoids_pretraining=True,
)
"""Test games made as the paper's, which are only 20. Who learnt from the paper's training games has
met none of them; who learnt from unlimited games may have met many, since small levels repeat."""

STREAMS = {stream.name: stream for stream in (UNLIMITED, FRESH)}
"""By name."""


def _check_source(source: str, stream: str) -> str:
    if source == f"level{MIXED_LEVEL}":
        return source
    source = canonical_collection(source)
    if source not in paper_collections():
        raise UsageError(f"{source}: {stream} games exist for levels and difficulties only")
    return source


@cache
def _to_avoid(stream: Stream) -> frozenset[Fingerprint]:
    avoid = paper_fingerprints(stream.avoids)
    if stream.avoids_pretraining:
        avoid |= {pin.fingerprint for pin in ftwp_pins().values()}
    return avoid


@cache
def _splits_of_seeds() -> dict[int, Split]:
    return {seed: split for split, seeds in paper_seeds().items() for seed in seeds}
