"""Running what is missing of a grid."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from gata.errors import GataError
from gata.evaluation.collect import collect
from gata.evaluation.record_files import write_record
from gata.evaluation.records import Record
from gata.nn.settings import NetworkSettings
from gata.rl.settings import TrainSettings
from gata.rl.sweep import Job, default_at_once, train_together
from gata.training.device import get_ready
from gata.training.run import RESULTS_FILE


@dataclass(frozen=True)
class Outcome:
    """How a run ended."""

    name: str
    record: Record | None
    """None if there is none,"""
    problem: str = ""
    """for this reason."""


def run_all(
    runs: Sequence[TrainSettings],
    *,
    folders: Path,
    results: Path,
    device: torch.device,
    at_once: int | None = None,
    network: NetworkSettings | None = None,
) -> list[Outcome]:
    """Train all runs, or go on with them, and record those that are over.

    A run that fails does not stop the others. Ctrl-C saves all of them; what is over by then is
    recorded, and the same call goes on with the rest.

    Args:
        runs: which.
        folders: each run gets one of its name in here.
        results: each run's record goes here, once all are over.
        device: of all runs.
        at_once: how many runs share it; by default what it carries well.
        network: sizes of the networks, if not the paper's.
    """
    get_ready(device)
    jobs = [Job(run, folders / run.name, network=network) for run in runs]
    company = min(at_once or default_at_once(device), len(jobs))
    try:
        train_together(jobs, device, company or None)
    except KeyboardInterrupt:
        _record_all(jobs, results, device, company)
        raise
    except GataError:  # each run's reason was told when it failed
        pass
    return _record_all(jobs, results, device, company)


def _record_all(
    jobs: Sequence[Job], results: Path, device: torch.device, at_once: int
) -> list[Outcome]:
    return [_record(job, results, device, at_once) for job in jobs]


def _record(job: Job, results: Path, device: torch.device, at_once: int) -> Outcome:
    name = job.settings.name
    try:
        if not (job.folder / RESULTS_FILE).exists():
            return Outcome(name, None, "not over; the reason is told above")
        record = collect(job.folder, device, at_once)
        if record.settings != job.settings:
            raise GataError(f"{job.folder}: a run with other settings; choose other --runs")
        write_record(record, results)
    except GataError as error:
        return Outcome(name, None, str(error))
    return Outcome(name, record)
