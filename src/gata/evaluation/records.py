"""The raw results of a training."""

import shlex
from dataclasses import dataclass, fields
from typing import Any

from gata.agents.playing import Episode, summarise
from gata.agents.presets import PRESETS, Preset
from gata.nn.settings import NetworkSettings
from gata.rl.settings import LearningSettings, TrainSettings


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
