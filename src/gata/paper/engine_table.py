"""How fast the engine is beside the others, from the report of ``gata bench engine``."""

from pathlib import Path
from typing import Any

from gata.errors import GataError
from gata.evaluation.table import NOTHING, Table
from gata.training.run import read_json

BASE = "TextWorld"


def engine_table(path: Path) -> Table:
    """Steps a second by the clock on the wall, and how many times TextWorld's, by set of games."""
    report = read_json(path)
    try:
        speeds = {_key(speed): speed["steps_per_second"] for speed in report["speeds"]}
    except (KeyError, TypeError) as error:
        raise GataError(f"{path}: not the report of gata bench engine (no {error})") from error
    for rate in speeds.values():
        if rate is not None and (type(rate) not in (int, float) or not rate > 0):
            raise GataError(f"{path}: steps_per_second is {rate!r}, expected a number above 0")
    sets = list(dict.fromkeys(games for games, *_ in speeds))
    engines = list(dict.fromkeys(key[1:] for key in speeds))
    base = {games: rate for (games, engine, *_), rate in speeds.items() if engine == BASE}
    rows = tuple(
        (
            *map(str, engine),
            *(_cell(speeds.get((games, *engine)), base.get(games)) for games in sets),
        )
        for engine in engines
    )
    return Table(("engine", "games at once", "threads", *sets), rows)


def _key(speed: dict[str, Any]) -> tuple[str, str, int, int]:
    return speed["games"], speed["engine"], speed["batch"], speed["threads"]


def _cell(rate: float | None, base: float | None) -> str:
    if rate is None:
        return NOTHING
    times = "" if base is None else f" ({rate / base:,.0f}x)"
    return f"{rate:,.0f}{times}"
