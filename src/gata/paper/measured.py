"""What is known of how long episodes take: of runs that are done, and of a measurement."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

from gata.agents.presets import find
from gata.errors import GataError, UsageError
from gata.evaluation.records import Record
from gata.paper.scores import LEVELS

EPISODES_PER_S = "episodes per s"
"""What the measurement calls it."""


@dataclass(frozen=True)
class Measured:
    """How long the episodes of an agent took."""

    agent: str
    parallel: int
    """How many games were played at once."""
    seconds_per_episode: float
    """By the clock on the wall."""
    at_once: int | None
    """How many runs shared the device; None if that is not known."""
    hardware: str | None
    """None if that is not known."""
    level: int | None = None
    """Of the games; None if that is not known."""
    bench: Path | None = None
    """The measurement it is from, if not from a run: its episodes lasted as long as they can, so
    those of a run take at most so long."""


def from_record(record: Record) -> Measured:
    """Of a run that is done."""
    return Measured(
        record.settings.agent,
        record.settings.learning.parallel,
        record.training_seconds / record.episodes,
        record.at_once,
        record.hardware,
        record.settings.level,
    )


def read_bench(path: Path) -> list[Measured]:
    """What ``gata bench train --json`` printed, which had the device for itself."""
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise GataError(f"{path}: cannot be read ({error})") from error
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise GataError(f"{path}: {_EXPECTED}")
    found: dict[tuple[str, int, int | None], Measured] = {}
    for row in rows:
        each = _from_row(row, path)
        if (each.agent, each.parallel, each.level) in found:
            place = "" if each.level is None else f" on level {each.level}"
            raise GataError(
                f"{path}: {each.agent} with parallel {each.parallel}{place} stands there twice,"
                " expected each once"
            )
        found[each.agent, each.parallel, each.level] = each
    return list(found.values())


_EXPECTED = (
    f"expected a list of objects with agent, parallel and {EPISODES_PER_S!r}, as"
    " `gata bench train --json` prints it"
)


def _from_row(row: Mapping[str, Any], path: Path) -> Measured:
    agent, parallel, rate = (row.get(name) for name in ("agent", "parallel", EPISODES_PER_S))
    if type(agent) is not str or type(parallel) is not int or not isinstance(rate, int | float):
        raise GataError(f"{path}: {_EXPECTED}")
    # Files of earlier versions do not have these two.
    level, hardware = row.get("level"), row.get("hardware")
    if level is not None and (type(level) is not int or level not in LEVELS):
        raise GataError(f"{path}: 'level' of {agent} is {level!r}, expected one of {LEVELS}")
    if hardware is not None and type(hardware) is not str:
        raise GataError(f"{path}: 'hardware' of {agent} is {hardware!r}, expected a text")
    try:
        find(agent)
    except UsageError as error:
        raise GataError(f"{path}: {error}") from error
    for name, value in (("parallel", parallel), (EPISODES_PER_S, rate)):
        if not 0 < value < inf:
            raise GataError(f"{path}: {name!r} of {agent} is {value}, expected more than 0")
    return Measured(agent, parallel, 1 / rate, 1, hardware, level, bench=path)
