"""How long runs take, from those that are done or from a measurement."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from statistics import median

from gata.errors import GataError
from gata.evaluation.records import Record
from gata.rl.settings import TrainSettings

EPISODES_PER_S = "episodes per s"
"""What the measurement calls it."""


@dataclass(frozen=True)
class Duration:
    """What a run took, or is expected to take from its beginning."""

    seconds: float
    """Wall clock."""
    at_once: int = 1
    """How many runs shared the device meanwhile; 1 if that is not known."""
    is_bound: bool = False
    """Whether it takes at most so long, or about."""

    def of_device(self, at_once: int) -> float:
        """The run's part of the device's time, in seconds, if so many runs share it.

        Among fewer runs than were measured a run takes no longer; among more, the device is no
        slower. So this is rather too much than too little.
        """
        return self.seconds / min(self.at_once, at_once)


class Speeds:
    """How long runs take.

    Only records of one kind of hardware count: that of most of them.
    """

    def __init__(self, records: Sequence[Record], bench: Path | None = None) -> None:
        """What is known.

        Args:
            records: runs that are done.
            bench: what ``gata bench train --json`` printed, for agents without a record.
        """
        kinds = [record.hardware for record in records]
        self.hardware = max(sorted(set(kinds)), key=kinds.count, default=None)
        self._records = [record for record in records if record.hardware == self.hardware]
        self._paces = {} if bench is None else read_bench(bench)

    def of(self, run: TrainSettings, at_once: int) -> Duration | None:
        """The time of a run among so many; None if nothing is known.

        From records of the same agent with as many games played at once; if there are some, from
        those on the same level, and of these from those with as many runs at once.
        """
        same = [
            record
            for record in self._records
            if record.settings.agent == run.agent
            and record.settings.learning.parallel == run.learning.parallel
        ]
        same = _rather(same, lambda record: record.settings.level == run.level)
        same = _rather(same, lambda record: record.at_once == at_once)
        if same:
            # Runs that were shared otherwise took otherwise long: one company for all.
            company = min(record.at_once or 1 for record in same)
            same = [record for record in same if (record.at_once or 1) == company]
            pace = median(record.training_seconds / record.episodes for record in same)
            return Duration(pace * run.learning.episodes, company)
        if run.agent in self._paces:
            return Duration(self._paces[run.agent] * run.learning.episodes, is_bound=True)
        return None


def _rather(records: list[Record], wanted: Callable[[Record], bool]) -> list[Record]:
    """Those that are as wanted, or all if none is."""
    return [record for record in records if wanted(record)] or records


def read_bench(path: Path) -> dict[str, float]:
    """Seconds per episode by agent, from what ``gata bench train --json`` printed.

    They are of episodes that last as long as they can: a run takes at most about so long.
    """
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        rates = {row["agent"]: float(row[EPISODES_PER_S]) for row in rows}
    except (OSError, ValueError) as error:
        raise GataError(f"{path}: cannot be read ({error})") from error
    except (TypeError, KeyError) as error:
        raise GataError(
            f"{path}: expected a list of objects with agent and {EPISODES_PER_S!r}, as"
            " `gata bench train --json` prints it"
        ) from error
    for agent, rate in rates.items():
        if not 0 < rate < inf:
            raise GataError(
                f"{path}: {EPISODES_PER_S!r} of {agent} is {rate}, expected more than 0"
            )
    return {agent: 1 / rate for agent, rate in rates.items()}
