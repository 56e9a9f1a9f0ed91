"""Games of TextWorld's other challenges, made when needed (with the ``[textworld]`` extra)."""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from gata.errors import UsageError
from gata.games.game import Game, canonical_json

_NAME = re.compile(r"(tw-[a-z_]+)/([a-z0-9]+)/(\d+)(?:-(\d+))?")


def _level(first: int, last: int) -> Callable[[str], Mapping[str, Any]]:
    def settings(text: str) -> Mapping[str, Any]:
        if not text.isdecimal() or not first <= int(text) <= last:
            raise UsageError(f"level is {text!r}, expected {first}..{last}")
        return {"level": int(text)}

    return settings


def _rewards(text: str) -> Mapping[str, Any]:
    if text not in ("dense", "balanced", "sparse"):
        raise UsageError(f"rewards are {text!r}, expected dense, balanced or sparse")
    return {"rewards": text, "goal": "detailed", "test": False}


_SETTINGS: Mapping[str, Callable[[str], Mapping[str, Any]]] = {
    "tw-coin_collector": _level(1, 300),
    "tw-treasure_hunter": _level(1, 30),
    "tw-simple": _rewards,
}
"""Challenge, as ``tw-make`` calls it -> how to read its one setting."""


class ChallengeKey(NamedTuple):
    """What decides a game: the challenge, its level or rewards, the seed."""

    challenge: str
    setting: str
    seed: int

    def __str__(self) -> str:
        return "/".join(map(str, self))


def challenge_keys(what: str) -> list[ChallengeKey]:
    """The games that ``tw-coin_collector/5/1-3`` stands for; none if it is no such name."""
    match = _NAME.fullmatch(what)
    if not match:
        return []
    challenge, setting, first, last = match.groups()
    if challenge not in _SETTINGS:
        raise UsageError(f"{what}: challenge '{challenge}', expected one of {', '.join(_SETTINGS)}")
    _SETTINGS[challenge](setting)
    seeds = range(int(first), int(last or first) + 1)
    return [ChallengeKey(challenge, setting, seed) for seed in seeds]


def make_challenge(key: ChallengeKey) -> Game:
    """Make a game as ``tw-make`` does, without compiling it."""
    # Before TextWorld itself: says what to do where it is missing or of another version.
    from textworld import GameOptions
    from textworld.challenges import CHALLENGES

    from gata.games.generate import canonical

    options = GameOptions()
    options.seeds = key.seed
    _, make, _ = CHALLENGES[key.challenge]
    data = make(dict(_SETTINGS[key.challenge](key.setting)), options).serialize()
    return Game.from_json(canonical_json(canonical(data)), str(key))
