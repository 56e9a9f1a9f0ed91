"""Making a corpus: some games after another on all cores, then one folder with everything."""

import hashlib
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from gata import console
from gata.cache import cache_dir
from gata.errors import GataError, UsageError
from gata.games.archive import SUFFIX
from gata.games.catalogue import SPLITS
from gata.games.game import Game
from gata.games.store import content_hashes, load_set
from gata.parallel import run_parallel
from gata.pretrain.data.corpus import META_FILE, Corpus, Request
from gata.pretrain.data.merge import merge
from gata.pretrain.data.play import play
from gata.pretrain.data.recorder import Recorder
from gata.pretrain.data.settings import BRANCH, SEED

_GAMES_PER_TASK = 24
"""Two blocks of an archive: games that are packed together are read together."""


def default_folder(name: str) -> Path:
    """Where the corpus of a set of games is kept: in the cache folder, under the set's name."""
    return cache_dir() / "corpora" / re.sub(r"[^\w.+-]+", "-", name)


def split_sets(name: str) -> Mapping[str, str]:
    """The corpora that make up one of a set: subfolder -> name of the games.

    ``ftwp`` or ``level1`` have three splits with a subfolder each; ``level1/train/20`` and
    archives are one corpus in the folder itself.
    """
    if name.endswith(SUFFIX) or set(SPLITS) & set(re.split("[/-]", name)):
        return {"": name}
    return {split: f"{name}/{split}" for split in SPLITS}


class Obtained(NamedTuple):
    """A corpus, and how long it took to make."""

    corpus: Corpus
    seconds: float | None
    """None if it was there."""


def obtain(
    name: str,
    folder: Path,
    *,
    seed: int = SEED,
    branch: int = BRANCH,
    jobs: int | None = None,
    again: bool = False,
) -> Obtained:
    """The corpus of a set of games: the one in ``folder`` if it is whole and for just this.

    One for something else is not touched unless ``again`` says to replace it.
    """
    games = load_set(name)
    request = request_for(games, name=name, seed=seed, branch=branch)
    if not again and (folder / META_FILE).exists():
        try:
            there = Corpus.open(folder)
        except GataError as error:
            console.note(f"{error}; making it anew")
        else:
            if there.request == request:
                return Obtained(there, None)
            raise UsageError(
                f"{folder}: holds a corpus for something else ({there.request.games}, seed"
                f" {there.request.seed}, branch {there.request.branch}, or other games of that"
                " name); choose another folder, or replace it with --again"
            )
    began = time.monotonic()
    made = collect(games, folder, seed=seed, branch=branch, jobs=jobs, name=name)
    return Obtained(made, time.monotonic() - began)


def request_for(games: Sequence[Game], *, name: str, seed: int, branch: int = BRANCH) -> Request:
    """What a corpus of these games is known by; games of an archive need not be read for it."""
    if not 0 <= seed < 2**64:
        raise UsageError(f"seed is {seed}, expected 0 to 2**64 - 1")
    if branch < 0:
        raise UsageError(f"branch is {branch}, expected 0 or more")
    digest = hashlib.sha256()
    for game, content in content_hashes(games):
        digest.update(f"{game}\n{content}\n".encode())
    return Request(games=name, games_hash=digest.hexdigest(), seed=seed, branch=branch)


def collect(
    games: Sequence[Game],
    folder: Path,
    *,
    seed: int,
    branch: int = BRANCH,
    jobs: int | None = None,
    name: str = "",
) -> Corpus:
    """Play games and write what happened into ``folder``; returns the corpus, opened.

    Args:
        games: the games.
        folder: where to write; a corpus that is there is replaced.
        seed: with each game's content, decides its random branches; nothing else does.
        branch: how many random commands follow each step of a walkthrough, at most.
        jobs: how many processes play (default: one per core).
        name: what the games are called in the corpus's description.
    """
    if not len(games):
        raise UsageError(f"{name or folder}: there are no games to play")
    request = request_for(games, name=name, seed=seed, branch=branch)
    tasks = [
        _Task(number, games[begin : begin + _GAMES_PER_TASK], request)
        for number, begin in enumerate(range(0, len(games), _GAMES_PER_TASK))
    ]
    parts: dict[int, Corpus] = {}

    def played() -> Iterator[str]:
        for number, part in run_parallel(_play_task, tasks, jobs):
            parts[number] = part
            yield from part.games

    for _ in console.track(played(), f"playing {name}".rstrip(), len(games)):
        pass
    merge([parts[number] for number in range(len(tasks))]).save(folder)
    return Corpus.open(folder)


class _Task(NamedTuple):
    """Some of the games, for one process."""

    number: int
    games: Sequence[Game]
    request: Request


def _play_task(task: _Task) -> tuple[int, Corpus]:
    recorder = Recorder(task.request)
    for played in play(task.games, seed=task.request.seed, branch=task.request.branch):
        recorder.add(played)
    return task.number, recorder.corpus()
