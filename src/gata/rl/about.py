"""What a run of an agent is about, read back from its folder."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gata.agents.presets import Preset
from gata.agents.stored import digest_of
from gata.errors import GataError, UsageError
from gata.files import expect_folder
from gata.models.shipped import SETTINGS_FILE
from gata.nn.settings import NetworkSettings
from gata.rl.settings import TrainSettings
from gata.training.run import read_json
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
    """What ``settings.json`` says; see ``gata.rl.opening.Job``."""

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


def check_agreement(
    about: About, folder: Path, given: TrainSettings, updater: str | None, encoder: str | None
) -> None:
    """Refuse what is asked of a run that goes on, but is neither a default nor the run's own.

    Args:
        about: the run.
        folder: where it is.
        given: settings; those that are defaults ask for nothing.
        updater: the trained updater that is asked for, if any.
        encoder: the origin of the graph encoder's weights that is asked for, if any.
    """
    no_models = {"updater": None, "encoder": None}
    asked = _flat(given) | {"updater": updater, "encoder": encoder}
    usual = _flat(TrainSettings()) | no_models
    own = _flat(about.settings) | {"updater": about.agent.updater, "encoder": about.agent.encoder}
    for name, now in asked.items():
        if now not in (usual[name], own[name]):
            has = f"no {name}" if own[name] is None else f"{name} {own[name]}"
            option = "--" + name.replace("_", "-")
            raise UsageError(
                f"{folder}: this run has {has}, but {option} is {now}; leave {option}"
                " out, or train another run, without --resume"
            )


def _flat(settings: TrainSettings) -> dict[str, Any]:
    """Every setting by the name of its option."""
    values = asdict(settings)
    learning: dict[str, Any] = values.pop("learning")
    return values | learning


def read_about(folder: Path) -> About:
    """What a run is about.

    Runs on games of the user's own are refused: the file has their names, not the games.
    """
    path = folder / SETTINGS_FILE
    expect_folder(folder, "that of a run")
    if not path.exists():
        raise UsageError(f"{folder}: not the folder of a run (it has no {SETTINGS_FILE})")
    value = read_json(path)
    if "games" in value:
        raise GataError(f"{path}: the run was on games of its own, expected those of a level")
    return read_as(About, value, str(path))
