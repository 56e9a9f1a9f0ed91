"""A game that is over in four commands, small networks, and settings for a training of seconds."""

from pathlib import Path

import torch

from gata.games import load_game
from gata.rl.opening import Job
from gata.rl.settings import LearningSettings, TrainSettings
from tests.agents.brains import small_preset
from tests.belief.networks import settings as network_settings

GAME = "difficulty1/train/2230"
"""Open the fridge, take the cheese, prepare the meal, eat it: three points."""


def game_sets():
    game = load_game(GAME)
    return {"train": [game], "valid": [game], "test": [game]}


def learning(**changes) -> LearningSettings:
    values = {
        "episodes": 60,
        "step_limit": 12,
        "parallel": 8,
        "update_every": 24,
        "learn_after": 10,
        "batch": 8,
        "replay": 2_000,
        "epsilon_episodes": 40,
        "target_every": 10,
        "evaluate_every": 20,
    }
    return LearningSettings(**(values | changes))


def run_tiny(name: str, folder: Path, *, run: str = "run", seed: int = 1, **changes):
    """Train; returns the results."""
    preset = small_preset(name, folder)
    return Job(
        TrainSettings(agent=name, seed=seed, learning=learning(**changes)),
        folder / run,
        preset,
        None if preset.encoder else network_settings(),
        game_sets(),
    ).train(torch.device("cpu"))
