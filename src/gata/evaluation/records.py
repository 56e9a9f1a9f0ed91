"""The raw results of a training."""

import shlex
from dataclasses import dataclass, fields
from typing import Any

from gata.agents.playing import Episode, summarise
from gata.agents.presets import PRESETS, Preset
from gata.nn.settings import NetworkSettings
from gata.rl.about import Weights
from gata.rl.settings import LearningSettings, TrainSettings

NO_DEPARTURES = frozenset({"parallel", "report_every"})
"""Learning settings that are matters of the device and of display. Updates are counted by steps,
however many games are played at once."""


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
class Experiment:
    """What the seeds of one cell of a table have in common."""

    learning: LearningSettings
    agent: Preset
    network: NetworkSettings | None = None

    def differences(self, other: "Experiment") -> dict[str, tuple[Any, Any]]:
        """In what two experiments differ: the values of both, by their place in a record.

        Matters of the device and of display, and how an agent is described, make no difference.
        """
        parts = (
            ("settings.learning", self.learning, other.learning, NO_DEPARTURES),
            ("agent", self.agent, other.agent, frozenset({"about"})),
        )
        found = {
            f"{part}.{field.name}": (getattr(ours, field.name), getattr(theirs, field.name))
            for part, ours, theirs, left_out in parts
            for field in fields(ours)
            if field.name not in left_out
        }
        found["network"] = (self.network, other.network)
        return _unequal(found)

    def departures(self) -> list[str]:
        """What is not as in the paper, in words."""
        return self.changes(Experiment(LearningSettings(), PRESETS[self.agent.name]))

    def changes(self, usual: "Experiment") -> list[str]:
        """What is not as in another experiment, in words."""
        return [_in_words(place, *values) for place, values in self.differences(usual).items()]


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
    updater_sha256: str | None = None
    encoder_sha256: str | None = None
    """Of the trained models in the agent; None if it has none, or if the run did not say."""
    code: str | None = None
    """The fingerprint of the package's source (``gata.source``); None if the run did not say."""

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
    def best_in_training(self) -> CurvePoint | None:
        """The point of the curve with the best training score; None if the run was too short.

        Only whole windows from one evaluation to the next count: in a short one, as at the end of
        a run, chance has more to say.
        """
        every = self.settings.learning.evaluate_every
        starts = (0, *(point.episodes for point in self.curve))
        whole = [
            point
            for start, point in zip(starts, self.curve, strict=False)
            if point.train_score is not None and point.episodes // every > start // every
        ]
        return max(whole, key=lambda point: point.train_score or 0.0, default=None)

    @property
    def training_score(self) -> float | None:
        """At that point, in percent."""
        best = self.best_in_training
        return None if best is None else best.train_score

    @property
    def hours(self) -> float:
        """Wall clock."""
        return self.training_seconds / 3600

    @property
    def experiment(self) -> Experiment:
        """What it is a seed of."""
        return Experiment(self.settings.learning, self.agent, self.network)

    @property
    def weights(self) -> Weights:
        """Which trained models are in the agent."""
        return Weights(self.updater_sha256, self.encoder_sha256)

    def differences(self, other: "Record") -> dict[str, tuple[Any, Any]]:
        """Why two records are not of one experiment: the values of both, by their place."""
        ours, theirs = self.weights, other.weights
        weights = {
            field.name: (getattr(ours, field.name), getattr(theirs, field.name))
            for field in fields(Weights)
        }
        return self.experiment.differences(other.experiment) | _unequal(weights)

    def departures(self) -> list[str]:
        """What is not as in the paper, in words."""
        return self.experiment.departures()


def _unequal(values: dict[str, tuple[Any, Any]]) -> dict[str, tuple[Any, Any]]:
    return {place: (ours, theirs) for place, (ours, theirs) in values.items() if ours != theirs}


def _in_words(place: str, ours: Any, usual: Any) -> str:
    part, _, name = place.rpartition(".")
    if part == "agent":  # of whose own files the names may be: not for everybody to read
        return f"another {name}"
    return f"{name} {ours}, not {usual}" if part else "networks of another size"


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
