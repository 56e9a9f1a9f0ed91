"""Which runs of a grid are done, which are not, and how long they will take."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Literal

from gata.agents.presets import find
from gata.errors import UsageError
from gata.evaluation.records import SUFFIX, Record, changed, read_record, read_records
from gata.models import shipped
from gata.rl.settings import TrainSettings
from gata.training.run import SETTINGS_FILE

State = Literal["done", "begun", "to do", "no weights"]


@dataclass(frozen=True)
class Planned:
    """A run of a grid."""

    settings: TrainSettings
    state: State
    lacking: tuple[str, ...]
    """Trained models it needs and that are not there."""
    seconds: float | None
    """What it took, or is expected to take from its beginning; None if unknown."""

    @property
    def wanted(self) -> bool:
        """Whether it can be run, or gone on with."""
        return self.state in ("begun", "to do")


@dataclass(frozen=True)
class Plan:
    """All runs of a grid."""

    runs: tuple[Planned, ...]
    hardware: str | None
    """On which the times were measured; None if no run was."""

    @property
    def wanted(self) -> list[Planned]:
        """What can be run."""
        return [run for run in self.runs if run.wanted]

    @property
    def seconds(self) -> float:
        """Of the wanted runs whose time is known, one after the other."""
        return sum(run.seconds or 0.0 for run in self.wanted)

    @property
    def unknown(self) -> int:
        """Wanted runs whose time is not known."""
        return sum(run.seconds is None for run in self.wanted)


def make_plan(runs: Sequence[TrainSettings], results: Path, folders: Path) -> Plan:
    """See what is there.

    Args:
        runs: the grid.
        results: the folder of records.
        folders: where the folders of runs are.
    """
    speeds = Speeds(read_records(results))
    return Plan(tuple(_planned(run, results, folders, speeds) for run in runs), speeds.hardware)


def _planned(run: TrainSettings, results: Path, folders: Path, speeds: "Speeds") -> Planned:
    path = results / f"{run.name}{SUFFIX}"
    if path.exists():
        record = read_record(path)
        _require_same(record.settings, run, path)
        return Planned(run, "done", (), record.training_seconds)
    lacking = lacking_models(run.agent)
    begun = (folders / run.name / SETTINGS_FILE).exists()
    state: State = "no weights" if lacking else "begun" if begun else "to do"
    return Planned(run, state, lacking, speeds.seconds(run))


def _require_same(before: TrainSettings, now: TrainSettings, path: Path) -> None:
    """A record that was made otherwise is neither done nor to be overwritten."""
    if before != now:
        theirs: dict[str, Any] = changed(before.learning)
        ours = changed(now.learning)
        field = sorted(name for name in theirs | ours if theirs.get(name) != ours.get(name))[0]
        raise UsageError(
            f"{path}: settings.learning.{field} is {getattr(before.learning, field)!r}, not"
            f" {getattr(now.learning, field)!r} as wanted; choose other --results or move the file"
        )


def lacking_models(agent: str) -> tuple[str, ...]:
    """The trained models an agent is made of and that this version does not have."""
    preset = find(agent)
    lacking = []
    for name in (preset.updater, preset.encoder):
        try:
            if name is not None:
                shipped.find(name)
        except UsageError:
            lacking.append(name)
    return tuple(name for name in lacking if name)


class Speeds:
    """How long runs take, from those that are done.

    Only runs on one kind of hardware count: that of most records.
    """

    def __init__(self, records: Sequence[Record]) -> None:
        kinds = [record.hardware for record in records]
        self.hardware = max(sorted(set(kinds)), key=kinds.count, default=None)
        self._records = [record for record in records if record.hardware == self.hardware]

    def seconds(self, run: TrainSettings) -> float | None:
        """Of a run, from those of the same agent: on the same level, else on any."""
        same = [record for record in self._records if record.settings.agent == run.agent]
        same_level = [record for record in same if record.settings.level == run.level]
        paces = [record.training_seconds / record.episodes for record in same_level or same]
        return median(paces) * run.learning.episodes if paces else None
