"""What makes a record one that a run can have left."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from functools import cache

from gata.agents.playing import Episode
from gata.agents.presets import PRESETS, Preset
from gata.errors import GataError
from gata.evaluation.records import CurvePoint, Record, command
from gata.games.settings import LEVELS, MIXED_LEVEL
from gata.games.store import load_level
from gata.rl.settings import TrainSettings
from gata.source import DIGITS

ALL_LEVELS = (*LEVELS, MIXED_LEVEL)
_TOLERANCE = 1e-3
"""Of percentages that were rounded."""


def check(record: Record, where: str) -> None:
    """See that a record makes sense; errors begin with ``where``."""
    for problem in _problems(record):
        raise GataError(f"{where}: {problem}")


def _problems(record: Record) -> Iterator[str]:
    """All there are; each may only be asked for if there were none before."""
    yield from _identity_problems(record)
    yield from _circumstance_problems(record)
    yield from _curve_problems(record.curve, record.episodes)
    yield from _games_problems("valid", record, record.valid_games)
    yield from _games_problems("test", record, record.test_games)
    evaluated = [point.valid_score for point in record.curve if point.valid_score is not None]
    if not evaluated:
        yield "curve has no valid_score, expected one or more"
    if abs(record.valid_score - max(evaluated)) > _TOLERANCE:
        yield (
            f"valid_games have a score of {record.valid_score:.4f}, expected {max(evaluated)}, the"
            " best of the curve"
        )


def identity_problems(name: str, settings: TrainSettings, agent: Preset) -> Iterator[str]:
    """Why a name, settings and an agent do not belong together."""
    if settings.agent not in PRESETS:
        yield f"settings.agent is {settings.agent!r}, expected a preset"
    if settings.level not in ALL_LEVELS:
        yield f"settings.level is {settings.level}, expected one of {ALL_LEVELS}"
    if name != settings.name:
        yield f"name is {name!r}, expected {settings.name!r} as the settings say"
    if agent.name != settings.agent:
        yield f"agent.name is {agent.name!r}, expected {settings.agent!r} as the settings say"


def _identity_problems(record: Record) -> Iterator[str]:
    settings, agent = record.settings, record.agent
    yield from identity_problems(record.name, settings, agent)
    if record.command != command(settings):
        yield f"command is {record.command!r}, expected {command(settings)!r} of these settings"
    for part in ("updater", "encoder"):
        digest = getattr(record.weights, f"{part}_sha256")
        if digest is not None and getattr(agent, part) is None:
            yield f"{part}_sha256 is {digest!r}, but the agent has no trained {part}"
        if digest is not None:
            yield from digest_problems(f"{part}_sha256", digest)


def digest_problems(name: str, digest: str) -> Iterator[str]:
    """Why a text is no SHA-256."""
    if not re.fullmatch("[0-9a-f]{64}", digest):
        yield f"{name} is {digest!r}, expected 64 digits and letters a to f"


def _circumstance_problems(record: Record) -> Iterator[str]:
    wanted = record.settings.learning.episodes
    if record.episodes < wanted:
        yield f"episodes is {record.episodes}, expected {wanted} or more: the run is not over"
    if record.training_seconds <= 0:
        yield f"training_seconds is {record.training_seconds}, expected more than 0"
    for name, least in (("steps", 0), ("updates", 0), ("at_once", 1)):
        value = getattr(record, name)
        if value is not None and value < least:
            yield f"{name} is {value}, expected {least} or more"
    for name in ("hardware", "gata", "torch", "python"):
        if not getattr(record, name).strip():
            yield f"{name} is empty"
    if record.code is not None and not re.fullmatch(f"[0-9a-f]{{{DIGITS}}}", record.code):
        yield f"code is {record.code!r}, expected {DIGITS} digits and letters a to f"
    yield from date_problems("date", record.date)


def date_problems(name: str, date: str) -> Iterator[str]:
    """Why a text is no date."""
    try:
        datetime.fromisoformat(date)
    except ValueError:
        yield f"{name} is {date!r}, expected one such as 2020-02-21T12:00:00+00:00"


def _curve_problems(curve: Sequence[CurvePoint], episodes: int) -> Iterator[str]:
    before = 0
    for i, point in enumerate(curve):
        if point.episodes <= before:
            yield f"curve[{i}].episodes is {point.episodes}, expected more than {before}"
        if point.episodes > episodes:
            yield f"curve[{i}].episodes is {point.episodes}, expected {episodes} at most"
        before = point.episodes
        for field in fields(CurvePoint)[1:]:
            value = getattr(point, field.name)
            if value is not None and not 0 <= value <= 100:
                yield f"curve[{i}].{field.name} is {value}, expected 0 to 100"
    if not curve:
        yield "curve is empty, expected a point or more"


def _games_problems(split: str, record: Record, episodes: Sequence[Episode]) -> Iterator[str]:
    points = _points(record.settings.level, split)
    if [episode.game for episode in episodes] != list(points):
        level = record.settings.level
        yield f"{split}_games are not the {len(points)} {split} games of level {level}"
    limit = record.settings.learning.step_limit
    for i, episode in enumerate(episodes):
        place, most = f"{split}_games[{i}]", points[episode.game]
        if episode.max_score != most:
            yield f"{place}.max_score is {episode.max_score}, expected {most}, the game's"
        if not 0 <= episode.score <= most:
            yield f"{place}.score is {episode.score} of {most}, expected 0 to all"
        # In these games the last point is that of the meal eaten, and with it the game is won.
        if episode.won != (episode.score == most):
            won = "won" if episode.won else "not won"
            yield f"{place} is {won} with {episode.score} of {most} points"
        if not 1 <= episode.steps <= limit:
            yield f"{place}.steps is {episode.steps}, expected 1 to {limit}"


@cache
def _points(level: int, split: str) -> Mapping[str, int]:
    """What the games of a set are worth, by name, in their order."""
    return {game.name: game.max_score for game in load_level(level, split)}
