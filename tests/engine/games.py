"""Games the engine's tests play, compiled once."""

from functools import cache

from gata.engine import Pack, build
from gata.games import Game, load_level


@cache
def some_games() -> tuple[Game, ...]:
    """A few games of each level, of all splits."""
    return tuple(
        load_level(level, split)[number]
        for level in (1, 2, 3, 4)
        for split, number in (("train", 3), ("valid", 5), ("test", 7))
    )


@cache
def some_pack() -> Pack:
    """The same, ready to be played."""
    return build(some_games(), use_cache=False)
