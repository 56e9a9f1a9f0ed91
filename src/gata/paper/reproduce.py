"""Running what is missing of a grid."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from gata.agents.presets import find
from gata.errors import GataError
from gata.evaluation.collect import collect
from gata.evaluation.records import Record, write_record
from gata.nn.settings import NetworkSettings
from gata.parallel import all_cores, run_parallel
from gata.rl.loop import train
from gata.rl.settings import TrainSettings


@dataclass(frozen=True)
class Outcome:
    """How a run ended."""

    name: str
    record: Record | None
    """None if it failed,"""
    problem: str = ""
    """for this reason."""


@dataclass(frozen=True)
class Task:
    """A run, where it goes, and where its results go."""

    settings: TrainSettings
    folder: Path
    results: Path
    device: str
    at_once: int
    """How many such tasks share the device."""
    threads: int | None
    """Of torch on a CPU; None: as many as it likes."""
    network: NetworkSettings | None


def run_all(
    runs: Sequence[TrainSettings],
    *,
    folders: Path,
    results: Path,
    device: torch.device,
    at_once: int = 1,
    network: NetworkSettings | None = None,
) -> Iterator[Outcome]:
    """Train all runs, or go on with them; outcomes come as they end.

    A run that fails does not stop the others.

    Args:
        runs: which.
        folders: each run gets one of its name in here.
        results: each run's record goes here, once it is over.
        device: of all runs.
        at_once: how many runs share it, in processes of their own.
        network: sizes of the networks, if not the paper's.
    """
    threads = max(1, all_cores() // at_once) if at_once > 1 and device.type == "cpu" else None
    tasks = [
        Task(run, folders / run.name, results, str(device), at_once, threads, network)
        for run in runs
    ]
    return run_parallel(run_one, tasks, at_once)


def run_one(task: Task) -> Outcome:
    """Train one run and write its record."""
    name, device = task.settings.name, torch.device(task.device)
    if task.threads is not None:
        torch.set_num_threads(task.threads)
    try:
        preset = find(task.settings.agent)
        train(task.settings, task.folder, device, preset=preset, network=task.network)
        record = collect(task.folder, device, task.at_once)
        write_record(record, task.results)
    except (GataError, RuntimeError) as error:  # of torch: no memory left, a broken device
        return Outcome(name, None, str(error) or type(error).__name__)
    return Outcome(name, record)
