"""Which runs of a grid are done, which are not, and how long they will take."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from gata.agents.presets import Preset, find
from gata.errors import UsageError
from gata.evaluation.raw_files import SUFFIX
from gata.evaluation.record_files import read_records
from gata.evaluation.records import Experiment, Record
from gata.files import check_folder
from gata.models import shipped
from gata.paper.begun import is_begun, share_left
from gata.paper.hardware import kind_of
from gata.paper.speeds import Duration, Speeds
from gata.rl.about import Weights
from gata.rl.settings import TrainSettings

State = Literal["done", "other weights", "begun", "to do", "no weights"]
"""Other weights: there is a record, but an updater or graph encoder was trained anew since."""


@dataclass(frozen=True)
class Planned:
    """A run of a grid."""

    settings: TrainSettings
    state: State
    lacking: tuple[str, ...]
    """Trained models it needs and that are not there."""
    duration: Duration | None
    """What it took, or is expected to take from its beginning; None if unknown."""
    left: float = 1.0
    """Of a wanted run: the share of its episodes that is still to be played."""

    @property
    def wanted(self) -> bool:
        """Whether it can be run, or gone on with."""
        return self.state in ("begun", "to do")


@dataclass(frozen=True)
class Plan:
    """All runs of a grid."""

    runs: tuple[Planned, ...]
    at_once: int
    """How many runs will share the device."""
    here: str | None = None
    """The hardware that the runs will have, if that is known."""

    @property
    def wanted(self) -> list[Planned]:
        """What can be run."""
        return [run for run in self.runs if run.wanted]

    @property
    def unknown(self) -> int:
        """Wanted runs whose time is not known."""
        return sum(run.duration is None for run in self.wanted)

    def of_device(self, run: Planned, duration: Duration) -> float:
        """A run's part of the device's time, in seconds: what it was, or what is to come of it."""
        if not run.wanted:
            return duration.of_device(duration.at_once)
        return run.left * duration.of_device(self.at_once)

    def is_of_other_hardware(self, duration: Duration) -> bool:
        """Whether it was measured on another kind of hardware than the wanted runs will have.

        Or may have been. Another number of a CPU's threads is no other kind.
        """
        if self.here is None:
            return False
        return duration.hardware is None or kind_of(duration.hardware) != kind_of(self.here)

    def is_bound(self, duration: Duration) -> bool:
        """Whether a run's part of the device's time is at most so long; elsewhere, who knows."""
        return duration.is_bound_of_device and self.here in (None, duration.hardware)


def make_plan(
    runs: Sequence[TrainSettings],
    results: Path,
    folders: Path,
    *,
    at_once: int = 1,
    benches: Sequence[Path] = (),
    here: str | None = None,
) -> Plan:
    """See what is there.

    Args:
        runs: the grid.
        results: the folder of records.
        folders: where the folders of runs are.
        at_once: how many runs will share the device.
        benches: files of ``gata bench train --json``, for the times of agents without a record.
        here: the hardware that the runs will have, if that is known.
    """
    check_folder(results)
    records = {record.name: record for record in read_records(results)}
    speeds = Speeds(list(records.values()), benches, here)

    def planned(run: TrainSettings) -> Planned:
        if run.name in records:
            record = records[run.name]
            _require_same(record, run, results / f"{run.name}{SUFFIX}")
            is_done = record.weights == _weights_now(find(run.agent))
            took = Duration(record.training_seconds, record.at_once, hardware=record.hardware)
            return Planned(run, "done" if is_done else "other weights", (), took)
        lacking = lacking_models(find(run.agent))
        begun = is_begun(folders / run.name)
        state: State = "no weights" if lacking else "begun" if begun else "to do"
        left = share_left(folders / run.name, run.learning.episodes)
        return Planned(run, state, lacking, speeds.of(run, at_once), left)

    found = tuple(planned(run) for run in runs)
    company = max(1, min(at_once, sum(run.wanted for run in found)))
    return Plan(found, company, here)


@cache
def _weights_now(preset: Preset) -> Weights | None:
    """What an agent would be made of; None if a part is not there."""
    return None if lacking_models(preset) else Weights.of(preset)


def _require_same(record: Record, run: TrainSettings, path: Path) -> None:
    """A record that was made otherwise is neither done nor to be overwritten."""
    wanted = Experiment(run.learning, find(run.agent))
    for place, (before, now) in record.experiment.differences(wanted).items():
        raise UsageError(
            f"{path}: {place} is {before!r}, not {now!r} as wanted; choose other --results or move"
            " the file"
        )


def lacking_models(preset: Preset) -> tuple[str, ...]:
    """The trained models an agent is made of and that this version does not have."""
    lacking = []
    for name in (preset.updater, preset.encoder):
        try:
            if name is not None:
                shipped.find(name)
        except UsageError:
            lacking.append(name)
    return tuple(name for name in lacking if name)
