"""A run from its settings: begun, gone on with, or found to be over."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from gata import console
from gata.agents.making import make_brain
from gata.agents.presets import Preset, find
from gata.nn.settings import NetworkSettings
from gata.rl.about import Weights, weights_to_tell
from gata.rl.game_sets import GameSets, load_games
from gata.rl.loop import Trainer
from gata.rl.settings import TrainSettings
from gata.training.device import get_ready
from gata.training.run import Run
from gata.training.together import expect_nobody


def train(
    settings: TrainSettings,
    folder: Path,
    device: torch.device,
    *,
    preset: Preset | None = None,
    network: NetworkSettings | None = None,
    games: GameSets | None = None,
    wandb: str | None = None,
) -> dict[str, Any]:
    """Train an agent, or go on training it, in a run's folder; returns the results.

    The arguments are those of ``open_run``.
    """
    found = open_run(
        settings, folder, device, preset=preset, network=network, games=games, wandb=wandb
    )
    return found.train() if isinstance(found, Trainer) else found


def open_run(
    settings: TrainSettings,
    folder: Path,
    device: torch.device,
    *,
    preset: Preset | None = None,
    network: NetworkSettings | None = None,
    games: GameSets | None = None,
    wandb: str | None = None,
) -> Trainer | dict[str, Any]:
    """The trainer of a run, or its results if it is over.

    Args:
        settings: who learns what, and how.
        folder: of the run.
        device: where.
        preset: the agent, if not the one of the settings' name.
        network: sizes of the networks, if not the paper's.
        games: if not those the settings say.
        wandb: the project on Weights & Biases that gets the metrics too, if any.
    """
    expect_nobody(settings.name)
    preset = preset or find(settings.agent)
    about: dict[str, Mapping[str, Any]] = {"settings": asdict(settings), "agent": asdict(preset)}
    if network is not None:
        about["network"] = asdict(network)
    if (weights := weights_to_tell(folder, preset)) != Weights():
        about["weights"] = asdict(weights)
    if games is not None:
        about["games"] = {split: [game.name for game in games[split]] for split in games}
    run = Run(folder, about, wandb)
    if run.results is not None:
        console.note(f"{folder}: this run is over, nothing to do")
        return run.results
    get_ready(device)
    brain = make_brain(preset, seed=settings.seed, device=device, network=network)
    return Trainer(settings, brain, games or load_games(settings), run)
