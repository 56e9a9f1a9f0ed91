"""How long runs take, from those that are done or from a measurement."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from statistics import fmean, median
from typing import Literal

from gata.agents.presets import Preset, find
from gata.evaluation.records import Record
from gata.games.settings import LEVELS, MIXED_LEVEL
from gata.paper.hardware import kind_of, threads_of
from gata.paper.measured import Measured, from_record, read_bench
from gata.rl.settings import TrainSettings


@dataclass(frozen=True)
class Duration:
    """What a run took, or is expected to take from its beginning."""

    seconds: float
    """Wall clock."""
    at_once: int | None
    """How many runs shared the device meanwhile; None if that is not known."""
    bench: Path | None = None
    """The measurement it comes from, if not from runs that are done."""
    like: tuple[str, ...] = ()
    """Agents of the same kind that it was measured with, if not with the run's own."""
    parallel: int | None = None
    """How many games were played at once when it was measured, if not as many as in the run."""
    level: int | Literal["unknown"] | None = None
    """The level that it was measured on, if not on the run's own."""
    hardware: str | None = field(default=None, compare=False)
    """What it was measured on; None if that is not known."""

    @property
    def is_bound(self) -> bool:
        """Whether it takes at most so long, or about: a measurement is of the longest episodes."""
        return self.bench is not None and self._is_of_such_runs

    @property
    def is_bound_of_device(self) -> bool:
        """The same of its part of the device's time, which others may have had a part of too."""
        return self.is_bound or (self.at_once is None and self._is_of_such_runs)

    @property
    def _is_of_such_runs(self) -> bool:
        """Whether it can bound anything.

        Nothing is known of what more or fewer games at once change, or another level.
        """
        return self.parallel is None and self.level is None

    def of_device(self, at_once: int | None) -> float:
        """The run's part of the device's time, in seconds, if so many runs share it.

        Among fewer runs than were measured a run takes no longer; among more, the device is no
        slower. So this is rather too much than too little; all of the time where it is not known.
        """
        return self.seconds / min(self.at_once or 1, at_once or 1)


class Speeds:
    """How long runs take.

    What was measured on hardware of the kind at hand comes first, then what was on that of most
    records.
    """

    def __init__(
        self, records: Sequence[Record], benches: Sequence[Path] = (), here: str | None = None
    ) -> None:
        """What is known.

        Args:
            records: runs that are done.
            benches: files of ``gata bench train --json``, for what no record tells.
            here: the hardware at hand, if that is known.
        """
        names = [record.hardware for record in records]
        kinds = [kind_of(name) for name in names]
        usual = max(
            sorted(set(names)),
            key=lambda name: (kinds.count(kind_of(name)), names.count(name)),
            default=None,
        )
        self._preferred = [name for name in (here, usual) if name is not None]
        self._measured = [from_record(record) for record in records]
        self._measured += [each for bench in benches for each in read_bench(bench)]

    def of(self, run: TrainSettings, at_once: int) -> Duration | None:
        """The time of a run among so many; None if nothing is known.

        From what was measured with agents of the same kind, on one kind of hardware: with as many
        games at once, or about as many; rather on the same level, or the nearest one, with the same
        agent, in runs, with about as many threads, with as many runs at once. A level can more than
        double the time, a second thread at best halves it.
        """
        parallel, preset = run.learning.parallel, find(run.agent)
        found = [each for each in self._measured if _are_alike(find(each.agent), preset)]
        if not found:
            return None
        kinds = {kind_of(each.hardware) for each in found if each.hardware is not None}
        model = next((name for name in self._preferred if kind_of(name) in kinds), None)
        kind = min(kinds, default=None) if model is None else kind_of(model)
        found = [each for each in found if each.hardware is None or kind_of(each.hardware) == kind]
        found = _nearest(found, lambda each: each.parallel, parallel)
        found = _nearest(found, lambda each: _difficulty(each.level), _difficulty(run.level))
        found = _rather(found, lambda each: each.agent == run.agent)
        found = _rather(found, lambda each: each.bench is None)
        found = _nearest(found, lambda each: threads_of(each.hardware), threads_of(model))
        found = _rather(found, lambda each: each.at_once == at_once)
        # Runs that were shared otherwise took otherwise long: one company for all.
        company = min((each.at_once for each in found if each.at_once), default=None)
        found = [each for each in found if each.at_once == company]
        return Duration(
            median(each.seconds_per_episode for each in found) * run.learning.episodes,
            company,
            bench=found[0].bench,
            like=tuple(sorted({each.agent for each in found} - {run.agent})),
            parallel=None if found[0].parallel == parallel else found[0].parallel,
            level=None if found[0].level == run.level else found[0].level or "unknown",
            hardware=found[0].hardware,
        )


def _are_alike(one: Preset, other: Preset) -> bool:
    """Whether steps and updates of two agents are as much work.

    Where the weights of its parts come from makes no difference; frozen ones are rather less.
    """
    return all(
        getattr(one, part) == getattr(other, part) for part in ("uses", "belief", "recurrent")
    )


def _difficulty(level: int | None) -> float:
    """Where a level stands among the others; what does not tell its own is far from all."""
    if level is None:
        return inf
    return fmean(LEVELS) if level == MIXED_LEVEL else level


def _nearest(
    found: list[Measured], number: Callable[[Measured], float], wanted: float
) -> list[Measured]:
    """Those whose number comes nearest to what is wanted, all with the same one."""
    best = min(map(number, found), key=lambda each: (abs(each - wanted), each))
    return [each for each in found if number(each) == best]


def _rather(found: list[Measured], wanted: Callable[[Measured], bool]) -> list[Measured]:
    """Those that are as wanted, or all if none is."""
    return [each for each in found if wanted(each)] or found
