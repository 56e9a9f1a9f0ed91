"""What a run of an agent is about, read back from its folder."""

from dataclasses import dataclass
from pathlib import Path

from gata.agents.presets import Preset
from gata.agents.stored import digest_of
from gata.errors import GataError, UsageError
from gata.nn.settings import NetworkSettings
from gata.rl.settings import TrainSettings
from gata.training.run import SETTINGS_FILE, read_json
from gata.typed_json import read_as


@dataclass(frozen=True)
class Weights:
    """Which trained models an agent is made of: names stay when models are trained anew."""

    updater_sha256: str | None = None
    encoder_sha256: str | None = None
    """As ``gata.models.files.content_digest`` gives them; None if it has none."""

    @classmethod
    def of(cls, preset: Preset) -> "Weights":
        """The weights that a preset's names stand for now."""
        return cls(digest_of(preset.updater), digest_of(preset.encoder))


@dataclass(frozen=True)
class About:
    """What ``settings.json`` says; see ``gata.rl.opening.open_run``."""

    settings: TrainSettings
    agent: Preset
    network: NetworkSettings | None = None
    weights: Weights = Weights()
    """Of runs that an earlier version began they are not known."""


def weights_to_tell(folder: Path, preset: Preset) -> Weights:
    """The weights that the settings of a run have to tell of, now that it begins or goes on.

    None of a run that an earlier version of gata began: what it was trained with so far, nobody
    can say.
    """
    path = folder / SETTINGS_FILE
    if path.exists() and "weights" not in read_json(path):
        return Weights()
    return Weights.of(preset)


def read_about(folder: Path) -> About:
    """What a run is about.

    Runs on games of the user's own are refused: the file has their names, not the games.
    """
    path = folder / SETTINGS_FILE
    if not path.exists():
        raise UsageError(f"{folder}: not the folder of a run (it has no {SETTINGS_FILE})")
    value = read_json(path)
    if "games" in value:
        raise GataError(f"{path}: the run was on games of its own, expected those of a level")
    return read_as(About, value, str(path))
