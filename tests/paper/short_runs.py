"""Trainings of seconds on the paper's games, with small networks."""

from collections.abc import Sequence
from pathlib import Path

import pytest
import torch

from gata.paper.grid import grid
from gata.paper.reproduce import Outcome, run_all
from gata.rl.loop import Trainer
from gata.rl.opening import Job
from gata.rl.settings import LearningSettings, TrainSettings
from gata.training.interruption import Interruption
from tests.belief.networks import settings as network_settings


def short(**changes) -> LearningSettings:
    values = {
        "episodes": 120,
        "step_limit": 4,
        "parallel": 20,
        "update_every": 80,
        "learn_after": 20,
        "batch": 4,
        "replay": 2_000,
        "evaluate_every": 60,
    }
    return LearningSettings(**(values | changes))


def short_grid(
    rows: Sequence[str] = ("tr-dqn",),
    seeds: int = 1,
    levels: Sequence[int] = (1,),
    **changes,
) -> list[TrainSettings]:
    return grid(
        "test-full", rows=rows, levels=levels, games=("20",), seeds=seeds, learning=short(**changes)
    )


def run_short(
    runs: Sequence[TrainSettings], folder: Path, at_once: int | None = None
) -> list[Outcome]:
    return run_all(
        runs,
        folders=folder / "runs",
        results=folder / "results" / "agents",
        device=torch.device("cpu"),
        at_once=at_once,
        network=network_settings(),
    )


def stop_after_evaluation(
    run: TrainSettings, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Train a part of a run, here."""
    trainer = Job(run, folder, network=network_settings()).open(torch.device("cpu"))
    assert isinstance(trainer, Trainer)
    stop, evaluate = Interruption(), trainer._evaluate

    def evaluate_and_stop(*arguments) -> None:
        evaluate(*arguments)
        stop.wanted = True

    monkeypatch.setattr(trainer, "_evaluate", evaluate_and_stop)
    with pytest.raises(KeyboardInterrupt):
        trainer.train(stop)
