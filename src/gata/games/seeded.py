"""Games named by what decides them, made when needed (with the ``[textworld]`` extra).

``recipe4+take4+drop/valid/1-20``: cooking games of a setting, with the foods of a split and those
seeds; ``tw-coin_collector/5/1-3``: games of TextWorld's other challenges, see ``challenges``.
"""

import re

from gata.games.catalogue import GameKey, check_split
from gata.games.challenges import challenge_keys, make_challenge
from gata.games.game import Game
from gata.games.settings import Setting

_COOKING = re.compile(r"(recipe[a-z0-9+]+)/([a-z]+)/(\d+)(?:-(\d+))?")


def seeded_names(what: str) -> list[str]:
    """The names of the games, one for each seed; none if ``what`` is no name of this kind."""
    cooking = _COOKING.fullmatch(what)
    if not cooking:
        return list(map(str, challenge_keys(what)))
    setting, foods, first, last = cooking.groups()
    key = f"{Setting.parse(setting)}/{check_split(foods)}"
    return [f"{key}/{seed}" for seed in range(int(first), int(last or first) + 1)]


def make_seeded(name: str) -> Game | None:
    """The game of a name with one seed; None if ``name`` is none of this kind."""
    challenges = challenge_keys(name)
    if len(challenges) == 1:
        return make_challenge(challenges[0])
    cooking = _COOKING.fullmatch(name)
    if not cooking or cooking[4]:
        return None
    from gata.games.generate import make_game

    setting, foods, seed, _ = cooking.groups()
    key = GameKey(Setting.parse(setting), check_split(foods), int(seed), "folded")
    return make_game(key, name)
