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
from gata.rl.opening import Job
from gata.rl.settings import TrainSettings
from gata.rl.sweep import Ended, default_at_once, train_together
from gata.training.run import RESULTS_FILE

FOLDERS_OPTION = "--runs"
"""Of ``gata reproduce``: where the folders of runs are."""


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
        results: each run's record goes here, as soon as it is over.
        device: of all runs.
        at_once: how many runs share it; by default ``default_at_once``.
        network: sizes of the networks, if not the paper's.
    """
    jobs = [
        Job(run, folders / run.name, network=network, folder_option=FOLDERS_OPTION) for run in runs
    ]
    at_once = at_once or default_at_once(device)
    company = min(at_once, sum(not (job.folder / RESULTS_FILE).exists() for job in jobs))
    outcomes: dict[str, Outcome] = {}

    def record(ended: Ended) -> None:
        outcomes[ended.job.settings.name] = _record(ended, results, company)

    for ended in train_together(jobs, device, at_once, record):
        name = ended.job.settings.name
        outcomes.setdefault(name, Outcome(name, None, ended.problem))
    return [outcomes[run.name] for run in runs]


def _record(ended: Ended, results: Path, company: int) -> Outcome:
    job = ended.job
    name = job.settings.name
    if ended.results is None:
        return Outcome(name, None, ended.problem)
    try:
        # Of what was trained before, nobody knows in whose company.
        record = collect(job.folder, company if ended.from_its_beginning else None)
        write_record(record, results)
    except GataError as error:
        return Outcome(name, None, str(error))
    return Outcome(name, record)
