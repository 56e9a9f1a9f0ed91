"""Naming the games to check: sets, single games, files, or a setting with a range of seeds."""

import re
from collections.abc import Iterable

from gata.engine.verify.challenges import challenge_keys, make_challenge
from gata.errors import UsageError
from gata.games.archive import SUFFIX
from gata.games.catalogue import GameKey, check_split
from gata.games.game import Game
from gata.games.settings import Setting
from gata.games.store import load_game, load_set

_OWN_SETTING = re.compile(r"(recipe[a-z0-9+]+)/([a-z]+)/(\d+)(?:-(\d+))?")


def game_names(what: str, at_most: int | None = None) -> list[str]:
    """The names (for ``game_named``) of the games that ``what`` stands for.

    ``level1``, ``level1/train``, ``ftwp/test``, ``my.games``: the games of a set;
    ``level1/test/56274``, ``my.json``, ``my.games:NAME``: one game;
    ``recipe4+take4+drop/valid/1-20``: games of that setting, foods and seeds, made when needed
    (with the ``[textworld]`` extra);
    ``tw-coin_collector/5/1-3``, ``tw-treasure_hunter/25/1``, ``tw-simple/dense/1``: games of other
    challenges by level (or rewards) and seeds, made likewise.

    With ``at_most``, that many of them, evenly spread.
    """
    names = _all_names(what)
    if at_most is None or len(names) <= at_most:
        return names
    return [names[i * len(names) // at_most] for i in range(at_most)]


def _all_names(what: str) -> list[str]:
    own = _OWN_SETTING.fullmatch(what)
    if own:
        setting, foods, first, last = own.groups()
        key = f"{Setting.parse(setting)}/{check_split(foods)}"
        return [f"{key}/{seed}" for seed in range(int(first), int(last or first) + 1)]
    challenges = challenge_keys(what)
    if challenges:
        return list(map(str, challenges))
    if what.endswith(SUFFIX):
        return [f"{what}:{name}" for name in load_set(what).names]
    try:
        return list(load_set(what).names)
    except UsageError:
        load_game(what)  # one game: says clearly if there is none of that name
        return [what]


def game_named(name: str) -> Game:
    """One of the games that ``game_names`` lists."""
    challenges = challenge_keys(name)
    if challenges:
        return make_challenge(challenges[0])
    own = _OWN_SETTING.fullmatch(name)
    if not own:
        return load_game(name)
    from gata.games.generate import make_game

    setting, foods, seed, _ = own.groups()
    key = GameKey(Setting.parse(setting), check_split(foods), int(seed), "folded")
    return make_game(key, name)


def all_names(sets: Iterable[str], at_most: int | None = None) -> list[str]:
    """The games of several sets, each game once; ``at_most`` counts per set."""
    return list(dict.fromkeys(name for what in sets for name in game_names(what, at_most)))
