"""Making many games at once: on all cores, resumable, safe against a second process.

An archive is made in parts of a dozen games. Each part is written when it is complete and
survives an interruption; the last step joins the parts. A lock file lets a second process that
wants the same archive wait, and then find it ready.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from filelock import FileLock, Timeout

from gata import console
from gata.errors import GataError
from gata.games.archive import (
    GAMES_PER_BLOCK,
    SUFFIX,
    Archive,
    Failure,
    join_archives,
    write_archive,
)
from gata.games.catalogue import GameKey
from gata.games.game import Game
from gata.games.identity import Fingerprint, fingerprint
from gata.parallel import run_parallel

MEETS_A_GAME_TO_AVOID = "has the world, or the recipe and map, of a game it must not meet"


class LeftOutError(GataError):
    """A game that is not to be had, with the reason."""


@dataclass(frozen=True)
class Order:
    """A game to be made."""

    name: str
    key: GameKey
    pinned_hash: str | None = None
    """The first 32 hex digits of the content hash the game must have, where it is known
    beforehand; empty where it is known that there is no such game."""
    avoid: frozenset[Fingerprint] = frozenset()
    """Games it must not meet, in world or in plan; if it does, it is left out."""


def make_archive(
    path: Path, orders: Sequence[Order], *, jobs: int | None = None, label: str = ""
) -> Archive:
    """Make the games of ``orders`` into one archive at ``path``, or find them already made.

    Games that TextWorld cannot make, or that meet a game to avoid, are listed in the archive's
    ``failures``; the rest goes on. ``jobs`` is the number of processes, default one per core;
    ``label`` is what progress messages call the archive, default its file name.
    """
    label = label or path.stem
    if path.exists():
        return _complete(path, orders)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise GataError(f"{path.parent}: cannot make the folder ({error.strerror})") from error
    with _exclusive(path, label):
        if path.exists():
            return _complete(path, orders)
        # Names of our own, so that nothing a user may have beside the archive is touched.
        parts_dir = path.with_name(f".{path.name}.parts")
        parts = {
            parts_dir / f"{start:06d}{SUFFIX}": list(orders[start : start + GAMES_PER_BLOCK])
            for start in range(0, len(orders), GAMES_PER_BLOCK)
        }
        missing = {part: share for part, share in parts.items() if not _part_done(part, share)}
        if len(missing) < len(parts):
            console.note(f"{label}: going on, {len(parts) - len(missing)} parts are there")
        parts_made = run_parallel(_make_part, list(missing.items()), jobs)
        total = sum(map(len, missing.values()))
        for _ in console.track(chain.from_iterable(parts_made), f"making {label}", total):
            pass
        join_archives(path, [Archive(part) for part in parts])
        for part in parts:
            part.unlink(missing_ok=True)
        with suppress(OSError):
            parts_dir.rmdir()
        return Archive(path)


def make_one(order: Order) -> Game:
    """Make one game; raise ``LeftOutError`` where TextWorld cannot, or where it must not be."""
    # Imported here: only the process that makes games needs TextWorld.
    from gata.games.generate import GenerationError, make_game

    try:
        game = make_game(order.key, order.name)
    except GenerationError as error:
        if order.pinned_hash:
            raise GataError(f"{error}; elsewhere it could be made") from error
        raise LeftOutError(str(error)) from error
    if fingerprint(game).meets(order.avoid):
        raise LeftOutError(f"{order.name}: {MEETS_A_GAME_TO_AVOID}")
    if order.pinned_hash is not None and game.content_hash[:32] != order.pinned_hash:
        raise GataError(
            f"{order.name}: TextWorld made another game here than the published one (content hash"
            f" {game.content_hash[:32]}, expected {order.pinned_hash or 'no game at all'})"
        )
    return game


@contextmanager
def _exclusive(path: Path, label: str) -> Iterator[None]:
    """Hold the archive's lock; wait, and say so, while another process has it."""
    lock_path = path.with_name(f".{path.name}.lock")
    lock = FileLock(lock_path)
    try:
        # Where no file can be made, waiting for the lock would never end.
        lock_path.touch()
        try:
            lock.acquire(timeout=0)
        except Timeout:
            console.note(f"{label}: another process is making it; waiting")
            lock.acquire()
    except OSError as error:
        raise GataError(f"{path}: cannot write there ({error.strerror})") from error
    try:
        yield
    finally:
        lock.release()


def _make_part(task: tuple[Path, Sequence[Order]]) -> list[str]:
    """Make one part and return the names of its games."""
    path, orders = task
    games, failures = [], []
    for order in orders:
        try:
            games.append(make_one(order))
        except LeftOutError as reason:
            failures.append(Failure(order.name, str(reason)))
    write_archive(path, games, failures)
    return [order.name for order in orders]


def _complete(path: Path, orders: Sequence[Order]) -> Archive:
    archive = Archive(path)
    if not _answers(archive, orders):
        raise GataError(f"{path}: holds other games than asked for; remove it to make it anew")
    return archive


def _answers(archive: Archive, orders: Sequence[Order]) -> bool:
    """Whether the archive has an answer to every order, a game or a failure, and to no other."""
    answered = {*archive.games, *(failure.name for failure in archive.failures)}
    return answered == {order.name for order in orders} and all(
        archive.games[order.name].hash[:32] == order.pinned_hash
        for order in orders
        if order.pinned_hash is not None and order.name in archive
    )


def _part_done(path: Path, orders: Sequence[Order]) -> bool:
    if not path.exists():
        return False
    try:
        archive = Archive(path)
        for name in archive:
            archive[name]  # Reading checks the game against its hash.
    except GataError:
        return False  # A damaged part is simply made again.
    return _answers(archive, orders)
