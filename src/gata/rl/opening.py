"""A run from its settings: begun, gone on with, or found to be over."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from gata.agents.making import make_brain
from gata.agents.presets import Preset, find
from gata.nn.settings import NetworkSettings
from gata.rl.about import Weights, weights_to_tell
from gata.rl.game_sets import GameSets, load_games
from gata.rl.loop import Trainer
from gata.rl.settings import TrainSettings
from gata.training.device import get_ready
from gata.training.run import FOLDER_OPTION, Run
from gata.training.together import expect_nobody


@dataclass(frozen=True)
class Job:
    """A run that is wanted."""

    settings: TrainSettings
    """Who learns what, and how."""
    folder: Path
    """Of the run."""
    preset: Preset | None = None
    """The agent, if not the one of the settings' name."""
    network: NetworkSettings | None = None
    """Sizes of the networks, if not the paper's."""
    games: GameSets | None = None
    """If not those the settings say."""
    wandb: str | None = None
    """The project on Weights & Biases that gets the metrics too, if any."""
    folder_option: str = FOLDER_OPTION
    """With which the user can choose another folder."""

    def train(self, device: torch.device) -> dict[str, Any]:
        """Train the agent, or go on training it; returns the results."""
        found = self.open(device)
        return found.train() if isinstance(found, Trainer) else found

    def open(self, device: torch.device) -> Trainer | dict[str, Any]:
        """The trainer of the run, or its results if it is over."""
        settings, games = self.settings, self.games
        expect_nobody(settings.name)
        preset = self.preset or find(settings.agent)
        about: dict[str, Mapping[str, Any]]
        about = {"settings": asdict(settings), "agent": asdict(preset)}
        if self.network is not None:
            about["network"] = asdict(self.network)
        if (weights := weights_to_tell(self.folder, preset)) != Weights():
            about["weights"] = asdict(weights)
        if games is not None:
            about["games"] = {split: [game.name for game in games[split]] for split in games}
        run = Run(self.folder, about, self.wandb, folder_option=self.folder_option)
        if (results := run.ended()) is not None:
            run.drop_checkpoint()  # if the process was killed before it did
            return results
        get_ready(device)
        brain = make_brain(preset, seed=settings.seed, device=device, network=self.network)
        return Trainer(settings, brain, games or load_games(settings), run)
