"""Several runs in one process: each is what it would be alone."""

import gc
import weakref
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from gata.errors import GataError
from gata.rl.loop import Trainer
from gata.rl.opening import Job
from gata.rl.settings import TrainSettings
from gata.rl.sweep import Ended, train_together
from tests.agents.brains import small_preset
from tests.belief.networks import settings as network_settings
from tests.rl.tiny import game_sets, learning, run_tiny

CPU = torch.device("cpu")
SHORT = {"episodes": 20, "step_limit": 6}


def job(folder: Path, seed: int) -> Job:
    preset = small_preset("tr-dqn", folder)
    settings = TrainSettings(agent="tr-dqn", seed=seed, learning=learning(**SHORT))
    return Job(settings, folder / f"seed{seed}", preset, network_settings(), game_sets())


def test_runs_side_by_side_are_those_of_single_trainings(tmp_path: Path) -> None:
    jobs = [job(tmp_path, seed) for seed in (1, 2, 3)]
    told: list[Ended] = []
    ended = train_together(jobs, CPU, at_once=2, tell=told.append)
    assert sorted(each.job.settings.seed for each in told) == [1, 2, 3]
    for seed, each in zip((1, 2, 3), ended, strict=True):
        run_tiny("tr-dqn", tmp_path, run=f"alone{seed}", seed=seed, **SHORT)
        together = (tmp_path / f"seed{seed}" / "metrics.jsonl").read_bytes()
        assert together == (tmp_path / f"alone{seed}" / "metrics.jsonl").read_bytes()
        assert each.results is not None
        assert each.results["episodes"] >= 20
        assert each.from_its_beginning
    over = [replace(each, from_its_beginning=False) for each in ended]
    assert train_together(jobs, CPU) == over


def test_who_cannot_be_told_of_one_run_is_told_of_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told: list[Ended] = []

    def tell(ended: Ended) -> None:
        if ended.job.settings.seed == 1:
            raise TypeError("not so")
        told.append(ended)

    first, second = train_together([job(tmp_path, seed) for seed in (1, 2)], CPU, tell=tell)
    assert first.results is not None
    assert first.problem == "TypeError: not so"
    assert told == [second]
    assert f"{tmp_path / 'seed1'}: TypeError: not so" in capsys.readouterr().err


def test_a_run_that_fails_does_not_stop_the_others(tmp_path: Path) -> None:
    good, bad = job(tmp_path, 1), job(tmp_path, 2)
    bad = replace(bad, preset=replace(small_preset("gata-og", tmp_path), updater="no/such.file"))
    first, second = train_together([bad, good], CPU, at_once=1)
    assert first.results is None
    assert first.problem.startswith("no model is called 'no/such.file'; ")
    assert second.results is not None


def test_two_runs_cannot_share_a_folder(tmp_path: Path) -> None:
    with pytest.raises(GataError, match="two runs want this folder"):
        train_together([job(tmp_path, 1), job(tmp_path, 1)], CPU)


def test_a_run_that_is_over_leaves_the_memory_to_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alive: weakref.WeakSet[Trainer] = weakref.WeakSet()
    counts: list[int] = []
    real = Trainer.train

    def train(trainer: Trainer, *arguments):
        alive.add(trainer)
        counts.append(len(alive))
        return real(trainer, *arguments)

    monkeypatch.setattr(Trainer, "train", train)
    gc.collect()
    gc.disable()  # it comes when it likes: here, never
    try:
        train_together([job(tmp_path, seed) for seed in (1, 2, 3)], CPU, at_once=1)
    finally:
        gc.enable()
    assert counts == [1, 1, 1]
