"""Checking games: each is what it was, is the one its name promises, and can be won."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from functools import cache

import numpy as np

from gata.errors import GataError
from gata.evaluation.walkthrough import play_walkthrough
from gata.games.catalogue import GameKey, collections
from gata.games.game import Game
from gata.games.identity import fingerprint
from gata.games.settings import LEVEL_MAX_SCORE, LEVELS, Setting
from gata.games.store import GameRef, open_archive
from gata.parallel import run_parallel

_GAMES_PER_TASK = 20
_SEED_NAMES = ("map", "objects", "quest", "grammar")
"""What TextWorld draws seeds for, in its order."""


def verify_games(refs: Sequence[GameRef], jobs: int | None = None) -> Iterator[str | None]:
    """For each game, what is wrong with it, or None.

    Checked are its hash, its fingerprint, that the walkthrough wins with every point and, for
    published games, that setting, seed and the level's highest score are the published ones.
    """
    tasks = [tuple(refs[i : i + _GAMES_PER_TASK]) for i in range(0, len(refs), _GAMES_PER_TASK)]
    for problems in run_parallel(_verify_some, tasks, jobs):
        yield from problems


def _verify_some(refs: Sequence[GameRef]) -> list[str | None]:
    return list(map(_problem, refs))


def _problem(ref: GameRef) -> str | None:
    archive = open_archive(ref.archive)
    try:
        game = archive[ref.name]
        played = play_walkthrough(game)
    except GataError as error:
        return str(error)
    if fingerprint(game) != archive.games[ref.name].fingerprint:
        return f"{ref.name}: the archive's fingerprint is not the game's"
    if not played.wins:
        return f"{ref.name}: the walkthrough ends with {played.score} of {played.max_score} points"
    return _unlike_the_catalogue(game)


def _unlike_the_catalogue(game: Game) -> str | None:
    """What a published game has that its key does not say, or None."""
    key = _published_keys().get(game.name)
    if key is None:
        return None
    metadata = game.data["metadata"]
    made_with = Setting(**{f.name: metadata["settings"][f.name] for f in fields(Setting)})
    if (made_with, metadata["settings"]["split"]) != (key.setting, key.foods):
        return f"{game.name}: made with {made_with}, expected {key.setting}"
    draw = np.random.RandomState(key.seed)
    if metadata["seeds"] != {name: draw.randint(65635) for name in _SEED_NAMES}:
        return f"{game.name}: not made from seed {key.seed}"
    for level, score in LEVEL_MAX_SCORE.items():
        if key.setting == LEVELS[level] and game.max_score != score:
            return f"{game.name}: {game.max_score} points to be had, expected {score}"
    return None


@cache
def _published_keys() -> dict[str, GameKey]:
    return {e.name: e.key for collection in collections().values() for e in collection.entries}
