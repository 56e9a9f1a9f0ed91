"""Which runs of a grid are done, which are not, and how long they will take."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from typing import Literal

from gata import console
from gata.agents.presets import find
from gata.errors import GataError, UsageError
from gata.evaluation.record_files import SUFFIX, read_record, read_records
from gata.evaluation.records import Experiment, Record
from gata.models import shipped
from gata.rl.about import Weights
from gata.rl.settings import TrainSettings
from gata.training.run import SETTINGS_FILE

EPISODES_PER_S = "episodes per s"
"""What the measurement calls it."""

State = Literal["done", "other weights", "begun", "to do", "no weights"]
"""Other weights: done, but the updater or graph encoder has been trained anew since."""


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
    measured: str
    """Where the times come from."""

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


def make_plan(
    runs: Sequence[TrainSettings], results: Path, folders: Path, bench: Path | None = None
) -> Plan:
    """See what is there.

    Args:
        runs: the grid.
        results: the folder of records.
        folders: where the folders of runs are.
        bench: what ``gata bench train --json`` printed, for the times of agents without a record.
    """
    speeds = Speeds(read_records(results), bench)
    return Plan(tuple(_planned(run, results, folders, speeds) for run in runs), speeds.origin)


def _planned(run: TrainSettings, results: Path, folders: Path, speeds: "Speeds") -> Planned:
    path = results / f"{run.name}{SUFFIX}"
    if path.exists():
        record = read_record(path)
        _require_same(record, run, path)
        if record.weights == _weights_now(run.agent):
            return Planned(run, "done", (), record.training_seconds)
        console.note(
            f"{path}: not done with the weights of {_trained_parts(run.agent)} that are there now;"
            " to train it with these, move it and the folder of its run"
        )
        return Planned(run, "other weights", (), record.training_seconds)
    lacking = lacking_models(run.agent)
    begun = (folders / run.name / SETTINGS_FILE).exists()
    state: State = "no weights" if lacking else "begun" if begun else "to do"
    return Planned(run, state, lacking, speeds.seconds(run))


@cache
def _weights_now(agent: str) -> Weights | None:
    """Those an agent would be made of; None if one is not there."""
    return None if lacking_models(agent) else Weights.of(find(agent))


def _trained_parts(agent: str) -> str:
    preset = find(agent)
    return " and ".join(name for name in (preset.updater, preset.encoder) if name)


def _require_same(record: Record, run: TrainSettings, path: Path) -> None:
    """A record that was made otherwise is neither done nor to be overwritten."""
    wanted = Experiment(run.learning, find(run.agent))
    for place, (before, now) in record.experiment.differences(wanted).items():
        raise UsageError(
            f"{path}: {place} is {before!r}, not {now!r} as wanted; choose other --results or move"
            " the file"
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
    """How long runs take, from those that are done, else from a measurement.

    Only runs on one kind of hardware count: that of most records.
    """

    def __init__(self, records: Sequence[Record], bench: Path | None = None) -> None:
        kinds = [record.hardware for record in records]
        hardware = max(sorted(set(kinds)), key=kinds.count, default=None)
        self._records = [record for record in records if record.hardware == hardware]
        self._paces = {} if bench is None else read_bench(bench)
        origins = [f"runs on {hardware}"] if hardware else []
        origins += [str(bench)] if bench else []
        self.origin = " and ".join(origins) or "nothing measured yet"

    def seconds(self, run: TrainSettings) -> float | None:
        """Of a run, from those of the same agent: on the same level, else on any."""
        same = [record for record in self._records if record.settings.agent == run.agent]
        same_level = [record for record in same if record.settings.level == run.level]
        paces = [record.training_seconds / record.episodes for record in same_level or same]
        pace = median(paces) if paces else self._paces.get(run.agent)
        return None if pace is None else pace * run.learning.episodes


def read_bench(path: Path) -> dict[str, float]:
    """Seconds per episode by agent, from what ``gata bench train --json`` printed.

    They are of episodes that last as long as they can: a run takes at most about so long.
    """
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        paces = {row["agent"]: 1 / float(row[EPISODES_PER_S]) for row in rows}
    except (OSError, ValueError, ZeroDivisionError) as error:
        raise GataError(f"{path}: cannot be read ({error})") from error
    except (TypeError, KeyError) as error:
        raise GataError(
            f"{path}: expected a list of objects with agent and {EPISODES_PER_S!r}, as"
            " `gata bench train --json` prints it"
        ) from error
    return paces
