"""Raw results of trainings: one JSON file per run, checked whenever it is read."""

import json
import shlex
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from gata.agents.presets import PRESETS, Preset
from gata.errors import GataError
from gata.evaluation.play import Episode, summarise
from gata.files import atomic_write
from gata.games.settings import LEVELS, MIXED_LEVEL
from gata.games.store import load_level
from gata.nn.settings import NetworkSettings
from gata.rl.settings import LearningSettings, TrainSettings
from gata.training.run import read_json
from gata.typed_json import read_as

SUFFIX = ".json"
ALL_LEVELS = (*LEVELS, MIXED_LEVEL)


@dataclass(frozen=True)
class CurvePoint:
    """What was known at one evaluation; scores and successes in percent."""

    episodes: int
    """Played so far."""
    train_score: float | None
    train_success: float | None
    """Means over the training episodes since the point before; None if none were reported."""
    valid_score: float | None
    valid_success: float | None
    """On the validation games; None for what came after the last evaluation."""


@dataclass(frozen=True)
class Record:
    """Everything a run has to say."""

    name: str
    settings: TrainSettings
    agent: Preset
    network: NetworkSettings | None
    """Sizes of the networks, if not the paper's."""
    curve: tuple[CurvePoint, ...]
    valid_games: tuple[Episode, ...]
    test_games: tuple[Episode, ...]
    """Each game, played greedily with the weights that were best on the validation games."""
    episodes: int
    steps: int
    """Of the games, in training."""
    updates: int
    training_seconds: float
    """Wall clock, evaluations included."""
    at_once: int | None
    """How many runs were meant to share the device meanwhile; None if unknown."""
    command: str
    """That trains the same, without the folders of whoever did."""
    date: str
    """When it ended."""
    hardware: str
    gata: str
    torch: str
    python: str

    @property
    def valid_score(self) -> float:
        """In percent."""
        return summarise(self.valid_games).score

    @property
    def test_score(self) -> float:
        """In percent."""
        return summarise(self.test_games).score

    @property
    def test_success(self) -> float:
        """Test games won, in percent."""
        return summarise(self.test_games).success

    @property
    def training_score(self) -> float | None:
        """The best point of the training curve, in percent; None if the run was too short."""
        scores = [point.train_score for point in self.curve if point.train_score is not None]
        return max(scores, default=None)

    @property
    def hours(self) -> float:
        """Wall clock."""
        return self.training_seconds / 3600

    def departures(self) -> list[str]:
        """What is not as in the paper, in words."""
        usual = LearningSettings()
        found = [
            f"{name} {value}, not {getattr(usual, name)}"
            for name, value in changed(self.settings.learning).items()
        ]
        if self.agent != PRESETS[self.settings.agent]:
            found.append("another updater or graph encoder")
        if self.network is not None:
            found.append("networks of another size")
        return found


def changed(learning: LearningSettings) -> dict[str, Any]:
    """The settings that are not the paper's."""
    usual = LearningSettings()
    return {
        field.name: getattr(learning, field.name)
        for field in fields(LearningSettings)
        if getattr(learning, field.name) != getattr(usual, field.name)
    }


def command(settings: TrainSettings) -> str:
    """The command line that trains so."""
    words = ["gata", "train", "--agent", settings.agent, "--level", str(settings.level)]
    words += ["--games", settings.games, "--seed", str(settings.seed)]
    for name, value in changed(settings.learning).items():
        words.append(f"--{name.replace('_', '-')}")
        words += [] if value is True else [str(value)]
    return shlex.join(words)


def write_record(record: Record, folder: Path) -> Path:
    """Write ``NAME.json``: a line per field, point of the curve and game. Returns its path."""
    check(record, record.name)
    path = folder / f"{record.name}{SUFFIX}"
    lines = []
    for name, value in asdict(record).items():
        content = json.dumps(value, ensure_ascii=False, allow_nan=False)
        if isinstance(value, list | tuple):
            items = (json.dumps(item, ensure_ascii=False, allow_nan=False) for item in value)
            content = "[\n    " + ",\n    ".join(items) + "\n  ]"
        lines.append(f"  {json.dumps(name)}: {content}")
    with atomic_write(path) as stream:
        stream.write(("{\n" + ",\n".join(lines) + "\n}\n").encode())
    return path


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
