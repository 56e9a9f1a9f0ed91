"""Records in files: one JSON file per run, checked whenever it is written or read."""

import json
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path

from gata.agents.playing import Episode
from gata.agents.presets import PRESETS
from gata.errors import GataError
from gata.evaluation.records import CurvePoint, Record
from gata.files import atomic_write
from gata.games.settings import LEVELS, MIXED_LEVEL
from gata.games.store import load_level
from gata.training.run import read_json
from gata.typed_json import read_as

SUFFIX = ".json"
ALL_LEVELS = (*LEVELS, MIXED_LEVEL)


def write_record(record: Record, folder: Path) -> Path:
    """Write ``NAME.json``: a line per field, point of the curve and game. Returns its path."""
    text = _text(record)
    check(read_as(Record, json.loads(text), record.name), record.name)
    path = folder / f"{record.name}{SUFFIX}"
    with atomic_write(path) as stream:
        stream.write(text.encode())
    return path


def _text(record: Record) -> str:
    lines = []
    for name, value in asdict(record).items():
        content = json.dumps(value, ensure_ascii=False)
        if isinstance(value, list | tuple):
            items = (json.dumps(item, ensure_ascii=False) for item in value)
            content = "[\n    " + ",\n    ".join(items) + "\n  ]"
        lines.append(f"  {json.dumps(name)}: {content}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def read_record(path: Path) -> Record:
    """Read and check what ``write_record`` wrote."""
    value = read_json(path)
    record = read_as(Record, value, str(path))
    # Settings that came later may be absent and are then the paper's; all of them may not.
    if "learning" not in value["settings"]:
        raise GataError(f"{path}: settings.learning is missing")
    check(record, str(path))
    if path.stem != record.name:
        raise GataError(f"{path}: name is {record.name!r}, expected that of the file")
    return record


def read_records(folder: Path) -> list[Record]:
    """All records of a folder, by name; none if there is no such folder."""
    return [read_record(path) for path in sorted(folder.glob(f"*{SUFFIX}"))]


def check(record: Record, where: str) -> None:
    """See that a record makes sense; errors begin with ``where``."""
    settings = record.settings
    problem = ""
    if settings.agent not in PRESETS:
        problem = f"settings.agent is {settings.agent!r}, expected a preset"
    elif settings.level not in ALL_LEVELS:
        problem = f"settings.level is {settings.level}, expected one of {ALL_LEVELS}"
    elif record.name != settings.name:
        problem = f"name is {record.name!r}, expected {settings.name!r} as the settings say"
    elif record.episodes < settings.learning.episodes:
        problem = (
            f"episodes is {record.episodes}, expected {settings.learning.episodes} or more:"
            " the run is not over"
        )
    elif record.training_seconds <= 0:
        problem = f"training_seconds is {record.training_seconds}, expected more than 0"
    else:
        problem = (
            _curve_problem(record.curve)
            or _games_problem("valid", settings.level, record.valid_games)
            or _games_problem("test", settings.level, record.test_games)
        )
    if problem:
        raise GataError(f"{where}: {problem}")


def _curve_problem(curve: Sequence[CurvePoint]) -> str:
    before = 0
    for i, point in enumerate(curve):
        if point.episodes <= before:
            return f"curve[{i}].episodes is {point.episodes}, expected more than {before}"
        before = point.episodes
        for field in fields(CurvePoint)[1:]:
            value = getattr(point, field.name)
            if value is not None and not 0 <= value <= 100:
                return f"curve[{i}].{field.name} is {value}, expected 0 to 100"
    return "" if curve else "curve is empty, expected a point or more"


def _games_problem(split: str, level: int, episodes: Sequence[Episode]) -> str:
    names = load_level(level, split).names
    if [episode.game for episode in episodes] != list(names):
        return f"{split}_games are not the {len(names)} {split} games of level {level}"
    for i, episode in enumerate(episodes):
        if not 0 <= episode.score <= episode.max_score or episode.max_score < 1:
            return (
                f"{split}_games[{i}].score is {episode.score} of {episode.max_score},"
                " expected 0 to all"
            )
        if episode.won and episode.score != episode.max_score:
            return f"{split}_games[{i}] is won with {episode.score} of {episode.max_score} points"
    return ""
