"""Making many games at once: on all cores, resumable, safe against a second process.

An archive is made in parts of a dozen games. Each part is written when it is complete and
survives an interruption; the last step joins the parts. A lock file lets a second process that
wants the same archive wait, and then find it ready.
"""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from filelock import FileLock, Timeout

from gata import console
from gata.errors import GataError
from gata.games.archive import SUFFIX, Archive, Failure, join_archives, write_archive
from gata.games.catalogue import GameKey
from gata.games.identity import Fingerprint
from gata.parallel import run_parallel

_GAMES_PER_PART = 12

MEETS_A_GAME_TO_AVOID = "has the world, or the recipe and map, of a game it must not meet"


@dataclass(frozen=True)
class Order:
    """A game to be made."""

    name: str
    key: GameKey
    pinned_hash: str | None = None
    """The beginning of the content hash the game must have, where it is known beforehand."""
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
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise GataError(f"{path.parent}: cannot make the folder ({error.strerror})") from error
    with _exclusive(path, label):
        if path.exists():
            archive = Archive(path)
            if _is_complete(archive, orders):
                return archive
            raise GataError(f"{path}: holds other games than asked for; remove it to make it anew")
        parts_dir = path.with_suffix(".parts")
        parts = {
            parts_dir / f"{start:06d}{SUFFIX}": list(orders[start : start + _GAMES_PER_PART])
            for start in range(0, len(orders), _GAMES_PER_PART)
        }
        missing = {part: share for part, share in parts.items() if not _part_done(part, share)}
        if len(missing) < len(parts):
            console.note(f"{label}: going on, {len(parts) - len(missing)} parts are there")
        parts_made = run_parallel(_make_part, list(missing.items()), jobs)
        total = sum(map(len, missing.values()))
        for _ in console.track(chain.from_iterable(parts_made), f"making {label}", total):
            pass
        join_archives(path, [Archive(part) for part in parts])
        shutil.rmtree(parts_dir, ignore_errors=True)
        return Archive(path)


@contextmanager
def _exclusive(path: Path, label: str) -> Iterator[None]:
    """Hold the archive's lock; wait, and say so, while another process has it."""
    lock = FileLock(path.with_suffix(".lock"))
    try:
        try:
            lock.acquire(timeout=0)
        except Timeout:
            console.note(f"{label}: another process is making it; waiting")
            lock.acquire()
    except OSError as error:
        raise GataError(f"{path}: cannot lock ({error.strerror})") from error
    try:
        yield
    finally:
        lock.release()


def _make_part(task: tuple[Path, Sequence[Order]]) -> list[str]:
    """Make one part and return the names of its games."""
    path, orders = task
    # Imported here: only the process that makes games needs TextWorld.
    from gata.games.generate import GenerationError, make_game
    from gata.games.identity import fingerprint

    games, failures = [], []
    for order in orders:
        try:
            game = make_game(order.key, order.name)
        except GenerationError as error:
            failures.append(Failure(order.name, str(error)))
            continue
        if order.pinned_hash and not game.content_hash.startswith(order.pinned_hash):
            raise GataError(
                f"{order.name}: TextWorld made another game here than the published one (content"
                f" hash {game.content_hash[:32]}, expected {order.pinned_hash}); is this an"
                " unmodified TextWorld 1.7.0?"
            )
        if fingerprint(game).meets(order.avoid):
            failures.append(Failure(order.name, f"{order.name}: {MEETS_A_GAME_TO_AVOID}"))
            continue
        games.append(game)
    write_archive(path, games, failures)
    return [order.name for order in orders]


def _is_complete(archive: Archive, orders: Sequence[Order]) -> bool:
    answered = {*archive.games, *(failure.name for failure in archive.failures)}
    return answered == {order.name for order in orders}


def _part_done(path: Path, orders: Sequence[Order]) -> bool:
    if not path.exists():
        return False
    try:
        return _is_complete(Archive(path), orders)
    except GataError:
        return False  # A damaged part is simply made again.
