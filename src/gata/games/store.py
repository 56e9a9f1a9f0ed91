"""Getting games by name: from the package, from the cache, or freshly made.

The paper's games ship with the package. The pre-training games are made on demand into the
cache folder (``GATA_HOME`` moves it), once. A path to a TextWorld ``.json`` file is a name too.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple, overload

from gata.cache import cache_dir
from gata.errors import GataError, UsageError
from gata.games.archive import SUFFIX, Archive, ArchivedGame
from gata.games.catalogue import (
    SPLITS,
    Split,
    canonical_collection,
    check_split,
    collections,
    ftwp_collections,
    paper_collections,
    paper_set,
    set_names,
)
from gata.games.game import Game
from gata.games.identity import Fingerprint, fingerprint
from gata.games.making import Order, make_archive, make_one
from gata.games.pins import ftwp_pins
from gata.games.seeded import make_seeded
from gata.games.settings import MIXED_LEVEL
from gata.names import did_you_mean

DATA_DIR = Path(__file__).parent / "data"


class GameRef(NamedTuple):
    """Where a game is: an archive file and the game's name in it."""

    archive: Path
    name: str


class GameList(Sequence[Game]):
    """Games in order, each read when it is asked for."""

    def __init__(self, refs: Sequence[GameRef]) -> None:
        self.refs = tuple(refs)

    @property
    def names(self) -> tuple[str, ...]:
        """The games' names, without reading the games."""
        return tuple(ref.name for ref in self.refs)

    @property
    def entries(self) -> list[ArchivedGame]:
        """What the archives say of the games, without reading the games."""
        return [open_archive(ref.archive).games[ref.name] for ref in self.refs]

    def __len__(self) -> int:
        return len(self.refs)

    @overload
    def __getitem__(self, index: int) -> Game: ...
    @overload
    def __getitem__(self, index: slice) -> "GameList": ...
    def __getitem__(self, index: int | slice) -> "Game | GameList":
        if isinstance(index, slice):
            return GameList(self.refs[index])
        ref = self.refs[index]
        return open_archive(ref.archive)[ref.name]

    def __iter__(self) -> Iterator[Game]:
        return (self[i] for i in range(len(self)))

    def __add__(self, other: "GameList") -> "GameList":
        return GameList(self.refs + other.refs)


def content_hashes(games: Sequence[Game]) -> list[tuple[str, str]]:
    """Name and content hash of every game; those of a ``GameList`` need not be read for it."""
    if isinstance(games, GameList):
        return [(entry.name, entry.hash) for entry in games.entries]
    return [(game.name, game.content_hash) for game in games]


def fingerprints(games: Sequence[Game]) -> list[Fingerprint]:
    """What every game is made of; those of a ``GameList`` need not be read for it."""
    if isinstance(games, GameList):
        return [entry.fingerprint for entry in games.entries]
    return [fingerprint(game) for game in games]


def load_level(level: int, split: str, size: int | None = None) -> GameList:
    """The games of a level (1-5) of the paper; ``size`` is 1, 20 or 100, for training sets."""
    names = (entry.name for entry in paper_set(level, check_split(split), size))
    return GameList([GameRef(archive_path(collection_of(name)), name) for name in names])


def load_collection(name: str, split: str | None = None) -> GameList:
    """The games of a collection (``difficulty6``, ``ftwp-train`` ...) or of one split of it.

    Games that TextWorld cannot make are left out; the archive's ``failures`` name them.
    """
    collection = collections()[canonical_collection(name)]
    wanted = collection.entries if split is None else collection.of_split(check_split(split))
    archive = open_collection(collection.name)
    left_out = {failure.name for failure in archive.failures}
    missing = [e.name for e in wanted if e.name not in archive and e.name not in left_out]
    if missing:
        raise GataError(f"{archive.path}: {len(missing)} games are missing, such as {missing[0]}")
    return GameList([GameRef(archive.path, e.name) for e in wanted if e.name in archive])


def load_set(name: str) -> GameList:
    """The games a short name stands for.

    ``level1/train``, ``level5/test``, ``difficulty6/valid``, ``ftwp/train``: a set or split;
    ``level1/train/20``: one of the paper's smaller training sets; ``level1``: all its games;
    ``level2/unlimited``: more training games, 2,400 of them, ``level2/fresh``: more test games,
    1,000 of them, ``level2/unlimited/10000``: as many as you like; ``my.games``: an archive file.
    """
    if name.endswith(SUFFIX):
        archive = open_archive(Path(name))
        return GameList([GameRef(archive.path, game) for game in archive])
    match = re.fullmatch(
        r"(?:level(\d{1,3})|([a-z]+\d{0,3}))(?:[/-](train|valid|test|unlimited|fresh)(?:/(\d{1,6}))?)?",
        name,
    )
    if not match:
        raise UsageError(
            f"unknown game set {name!r}{did_you_mean(name, set_names())}, expected for example"
            " level1/train, level1/train/20, level5/test, level2/unlimited, level2/fresh,"
            f" difficulty6/valid, ftwp/train or a {SUFFIX} file"
        )
    level, other, split, size = match.groups()
    if split in ("unlimited", "fresh"):
        from gata.games.streams import STREAMS

        return STREAMS[split].set(other or f"level{level}", int(size) if size else None)
    if level is None:
        if size is not None:
            raise UsageError(f"{name}: only the levels' training sets come in several sizes")
        if other == "ftwp":
            parts = [f"ftwp-{split}"] if split else list(ftwp_collections())
            return sum(map(load_collection, parts), GameList(()))
        return load_collection(other, split)
    if split is None:
        return sum((load_level(int(level), each) for each in SPLITS), GameList(()))
    return load_level(int(level), split, int(size) if size else None)


def load_game(name: str) -> Game:
    """One game by name or file.

    ``level1/test/56274``, ``ftwp/train/recipe1+cut/1001``, ``level2/unlimited/123456``: by name;
    ``my.games:NAME``: from an archive file; ``my.json``: a TextWorld game file;
    ``recipe4+take4+drop/valid/7``, ``tw-coin_collector/5/1``: made by setting and seed.
    """
    if name.endswith(".json"):
        return Game.load(Path(name))
    file, separator, inner = name.partition(f"{SUFFIX}:")
    if separator:
        return open_archive(Path(file + SUFFIX))[inner]
    if stream := re.fullmatch(r"[^/]*/(unlimited|fresh)/.*", name):
        from gata.games.streams import STREAMS

        return STREAMS[stream[1]].make(name)
    made = make_seeded(name)
    if made is not None:
        return made
    collection = collection_of(name)
    known = collections()[collection].entries
    canonical = re.sub(r"^difficulty\d+", collection, name)
    if canonical not in {entry.name for entry in known}:
        names = [entry.name for entry in known]
        split = canonical.rpartition("/")[0]
        example = next((each for each in names if each.startswith(f"{split}/")), names[0])
        raise UsageError(
            f"unknown game {name!r}{did_you_mean(canonical, names)}; `gata games list {collection}`"
            f" shows the names, such as {example}"
        )
    if collection in ftwp_collections() and not archive_path(collection).exists():
        # One game of thousands is wanted: no need to make them all.
        return make_one(next(o for o in ftwp_orders(collection) if o.name == canonical))
    return open_collection(collection)[canonical]


def collection_of(name: str) -> str:
    """The collection a game's name belongs to."""
    first, _, rest = name.partition("/")
    if first == f"level{MIXED_LEVEL}":
        raise UsageError(
            f"{name}: level {MIXED_LEVEL} mixes games of levels 1-4, which go by their own names;"
            f" `gata games list level{MIXED_LEVEL}` shows them"
        )
    if first == "ftwp":
        first = f"ftwp-{rest.partition('/')[0]}"
    return canonical_collection(first)


def archive_path(collection: str) -> Path:
    """Where the archive of a collection is, or would be."""
    if collection in paper_collections():
        return DATA_DIR / f"{collection}{SUFFIX}"
    return cache_dir() / "games" / f"{collection}{SUFFIX}"


def open_collection(name: str, *, jobs: int | None = None) -> Archive:
    """The archive of a collection; pre-training games are made first where they are not there."""
    name = canonical_collection(name)
    path = archive_path(name)
    if not path.exists():
        if name in paper_collections():
            raise GataError(f"{path}: the package's games are missing; install gata again")
        make_archive(path, ftwp_orders(name), jobs=jobs)
    archive = open_archive(path)
    if name in ftwp_collections():
        _check_pins(archive, name)
    return archive


def _check_pins(archive: Archive, name: str) -> None:
    """Refuse a cached archive that does not hold exactly the published pre-training games."""
    pins = ftwp_pins()
    expected = {
        e.name: pins[e.name].hash for e in ftwp_collections()[name].entries if e.name in pins
    }
    if {game.name: game.hash[:32] for game in archive.games.values()} != expected:
        raise GataError(
            f"{archive.path}: does not hold the published games of {name}; remove it, and"
            f" `gata games make {name}` makes it anew"
        )


def open_archive(path: Path) -> Archive:
    """The archive in a file, read once for as long as the file stays the same."""
    try:
        modified = path.stat().st_mtime_ns
    except OSError as error:
        raise GataError(f"{path}: cannot read the archive ({error.strerror})") from error
    return _read_archive(path, modified)


@lru_cache(maxsize=32)
def _read_archive(path: Path, _modified: int) -> Archive:
    return Archive(path)


def ftwp_orders(name: str) -> list[Order]:
    """What to make for a pre-training collection, with the hashes the games must have."""
    pins = ftwp_pins()
    avoid = paper_fingerprints(SPLITS)
    return [
        Order(entry.name, entry.key, pins[entry.name].hash if entry.name in pins else "", avoid)
        for entry in ftwp_collections()[name].entries
    ]


@cache
def paper_fingerprints(splits: tuple[Split, ...]) -> frozenset[Fingerprint]:
    """The fingerprints of the games of some splits of the paper's ten settings."""
    return frozenset(
        archive.games[entry.name].fingerprint
        for name, collection in paper_collections().items()
        for archive in [open_collection(name)]
        for entry in collection.entries
        if entry.split in splits
    )
