"""One name for one game or for many: sets, single games, files, or settings with seeds."""

from collections.abc import Iterable, Sequence

from gata.errors import UsageError
from gata.games.archive import SUFFIX
from gata.games.game import Game
from gata.games.seeded import seeded_names
from gata.games.store import GameList, load_game, load_set


def load_games(what: str) -> Sequence[Game]:
    """The games that ``what`` stands for; those of a set are read when they are asked for.

    ``level1``, ``level1/train``, ``level1/train/20``, ``ftwp/test``, ``my.games``: the games of a
    set; ``level1/test/56274``, ``my.json``, ``my.games:NAME``: one game;
    ``recipe4+take4+drop/valid/1-20``: games of that setting, foods and seeds, made when needed
    (with the ``[textworld]`` extra);
    ``tw-coin_collector/5/1-3``, ``tw-treasure_hunter/25/1``, ``tw-simple/dense/1``: games of other
    challenges by level (or rewards) and seeds, made likewise.
    """
    seeded = seeded_names(what)
    if seeded:
        return [load_game(name) for name in seeded]
    try:
        return load_set(what)
    except UsageError as error:
        no_set = error
    try:
        return [load_game(what)]
    except UsageError as no_game:
        if str(no_game) == str(no_set):
            raise
        raise UsageError(f"{no_game}; nor is it a set: {no_set}") from no_game


def game_names(what: str, at_most: int | None = None) -> list[str]:
    """The names (for ``load_game``) of the games that ``what`` stands for, as in ``load_games``.

    With ``at_most``, that many of them, evenly spread.
    """
    names = seeded_names(what) or _stored_names(what)
    if at_most is None or len(names) <= at_most:
        return names
    return [names[i * len(names) // at_most] for i in range(at_most)]


def _stored_names(what: str) -> list[str]:
    if what.endswith(SUFFIX):
        return [f"{what}:{name}" for name in load_set(what).names]
    games = load_games(what)
    return list(games.names) if isinstance(games, GameList) else [what]


def all_names(sets: Iterable[str], at_most: int | None = None) -> list[str]:
    """The games of several sets, each game once; ``at_most`` counts per set."""
    return list(dict.fromkeys(name for what in sets for name in game_names(what, at_most)))
