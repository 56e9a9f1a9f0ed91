"""A game that is over in four commands, small networks, and settings for a training of seconds."""

from collections.abc import Sequence
from pathlib import Path

import torch

from gata.agents.presets import Preset
from gata.games import Game, load_game
from gata.games.catalogue import SPLITS
from gata.rl.opening import Job
from gata.rl.settings import LearningSettings, TrainSettings
from tests.agents.brains import small_preset
from tests.belief.networks import settings as network_settings

GAME = "difficulty1/train/2230"
"""Open the fridge, take the cheese, prepare the meal, eat it: three points."""


def game_sets():
    game = load_game(GAME)
    return {split: [game] for split in SPLITS}


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


def run_tiny(
    name: str,
    folder: Path,
    *,
    run: str = "run",
    seed: int = 1,
    preset: Preset | None = None,
    games: Sequence[Game] = (),
    **changes,
):
    """Train; returns the results.

    Args:
        name: of the agent.
        folder: for the run and for models.
        run: the name of the run's folder.
        seed: of the run.
        preset: the agent, if not the one of that name with small untrained models.
        games: to learn, validate and test on, if not ``GAME``.
        changes: to ``learning``.
    """
    preset = preset or small_preset(name, folder)
    return Job(
        TrainSettings(agent=name, seed=seed, learning=learning(**changes)),
        folder / run,
        preset,
        None if preset.encoder else network_settings(),
        {split: list(games) for split in SPLITS} if games else game_sets(),
    ).train(torch.device("cpu"))
