"""What a run of an agent is about, read back from its folder."""

from dataclasses import dataclass
from pathlib import Path

from gata.agents.presets import Preset
from gata.errors import GataError, UsageError
from gata.nn.settings import NetworkSettings
from gata.rl.settings import TrainSettings
from gata.training.run import SETTINGS_FILE, read_json
from gata.typed_json import read_as


@dataclass(frozen=True)
class About:
    """What ``settings.json`` says; see ``gata.rl.loop.open_run``."""

    settings: TrainSettings
    agent: Preset
    network: NetworkSettings | None = None


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
