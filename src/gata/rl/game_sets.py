"""The games of a run."""

from collections.abc import Mapping, Sequence

from gata.games.catalogue import Split
from gata.games.game import Game
from gata.games.store import load_level, load_set
from gata.rl.settings import TrainSettings

GameSets = Mapping[Split, Sequence[Game]]


def load_games(settings: TrainSettings) -> GameSets:
    """The training, validation and test games of a run."""
    return {
        "train": load_set(settings.training_set),
        "valid": load_level(settings.level, "valid"),
        "test": load_level(settings.level, "test"),
    }
