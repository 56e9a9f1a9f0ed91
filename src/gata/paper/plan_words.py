"""A plan as a table, in lines of text and as JSON."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from gata.paper.counting import counted, two_digits
from gata.paper.hardware import kind_of, mean_hours, short_name, threads_of
from gata.paper.plan import Plan, Planned
from gata.paper.speeds import Duration

HOUR = 3600
_NO_TIMES = (
    "no record or speed of such runs",
    "`gata bench train --agents AGENT --json` measures one, --speeds FILE takes it",
)
_UNKNOWN = "unknown hardware"
_COLUMNS = ("agent", "level", "games", "done", "hours each")


def plan_table(plan: Plan, price: float | None) -> tuple[list[str], list[list[Any]]]:
    """The names of the columns, and a row for each agent, level and training size.

    Args:
        plan: of which runs.
        price: of an hour of the device, if costs are wanted.
    """
    cells: dict[tuple[Any, ...], list[Planned]] = {}
    for run in plan.runs:
        key = (run.settings.agent, run.settings.level, run.settings.games)
        cells.setdefault(key, []).append(run)
    rows = [[*key, *_cell(plan, runs, price)] for key, runs in cells.items()]
    return list(_COLUMNS), rows


def _cell(plan: Plan, runs: list[Planned], price: float | None) -> list[Any]:
    """All that is not short stands in one column: a terminal of 80 letters has room for no more."""
    done = sum(run.state == "done" for run in runs)
    told = [*_hours_each(plan, runs)]
    if price is not None and (cost := _cost(replace(plan, runs=tuple(runs)), price)):
        told.append(f"costing {cost}")
    return [f"{done} of {len(runs)}", "\n".join([*told, *_remarks(plan, runs)])]


def _remarks(plan: Plan, runs: list[Planned]) -> Iterator[str]:
    """What the hours do not say, in few words: the totals say more."""
    if begun := [_left(run.left) for run in runs if run.state == "begun"]:
        yield f"{len(begun)} begun, {' and '.join(begun)} left"
    if replaced := sum(run.state == "other weights" for run in runs):
        yield f"{replaced} with other weights"
    if lacking := sorted({name for run in runs for name in run.lacking}):
        yield f"needs {', '.join(lacking)}"
    expected = [run.duration for run in runs if run.wanted and run.duration is not None]
    for remark in (_unlike_such_runs, partial(_unlike_here, plan)):
        yield from sorted({told for duration in expected if (told := remark(duration))})


def _left(share: float) -> str:
    """Of a run's episodes: a run that was begun has not all of them left."""
    return "over 99%" if share > 0.99 else f"{share:.0%}"


def _unlike_such_runs(duration: Duration) -> str:
    """With what else it was measured: ``like gtf on level 1``."""
    agents = [f"like {', '.join(duration.like)}"] if duration.like else []
    level = [] if duration.level is None else [_level(duration)]
    return " ".join(agents + level)


def _unlike_here(plan: Plan, duration: Duration) -> str:
    """In what other hardware differs from that at hand, if the short name of both is the same."""
    there, here = duration.hardware, plan.here
    if there is None or here is None or there == here or short_name(there) != short_name(here):
        return ""
    if kind_of(there) != kind_of(here):
        return _place(duration)
    return f"with {counted(threads_of(there), 'thread')}"


def _place(duration: Duration) -> str:
    """What it was measured on."""
    return f"on {duration.hardware or _UNKNOWN}"


def _level(duration: Duration) -> str:
    """On which level it was measured, where that is not the run's own."""
    told = "a level that is not told" if duration.level == "unknown" else f"level {duration.level}"
    return f"on {told}"


def _hours_each(plan: Plan, runs: list[Planned]) -> Iterator[str]:
    """What a run that is to do is expected to take; of runs that are all done, what they took.

    On each kind of hardware.
    """
    to_do = [run for run in runs if run.wanted] or runs
    known = [run.duration for run in to_do if run.duration is not None]
    if not known:
        yield "unknown"
    bound = "at most " if all(each.is_bound and plan.is_bound(each) for each in known) else ""
    hours = mean_hours((duration.hardware, duration.seconds / HOUR) for duration in known)
    for hardware, each in hours.items():
        yield f"{bound}{two_digits(each)} {short_name(hardware or '')}".rstrip()


def _cost(plan: Plan, price: float) -> str | None:
    """Of the runs of a row, whose times are of one kind of hardware: of that, if it is another."""
    if not plan.wanted or plan.unknown:
        return None
    known = [(run, run.duration) for run in plan.wanted if run.duration is not None]
    cost = f"{sum(plan.of_device(*pair) for pair in known) / HOUR * price:,.2f}"
    durations = [duration for _, duration in known]
    if all(map(plan.is_bound, durations)):
        return f"at most {cost}"
    if plan.is_of_other_hardware(durations[0]):
        return f"{cost} on {short_name(durations[0].hardware or _UNKNOWN)}"
    return cost


_TIMES = (
    *("hours", "device hours", "at most", "cost"),
    *("like", "measured with parallel", "measured on level", "measured on", "shared by"),
)
"""What the object of a run tells of its time: null if that is unknown."""


def plan_as_json(plan: Plan, price: float | None) -> list[dict[str, Any]]:
    """An object per run; its cost is that of its part of the device's time.

    "At most" is of these two. "Left" is the share of its episodes that a run has still to play, and
    null if it is not to run: cost and part are of that share, "hours" of the whole run. All are of
    the hardware that it was "measured on", whatever the runs will have. The last
    five say what the time was measured with, if not with such runs, on what hardware, and how many
    shared the device then, if that is known: see ``Duration``.
    """
    return [_run_as_json(plan, run, price) for run in plan.runs]


def _run_as_json(plan: Plan, run: Planned, price: float | None) -> dict[str, Any]:
    names = ("agent", "level", "games", "seed")
    about = {"name": run.settings.name, **{key: getattr(run.settings, key) for key in names}}
    about |= {"state": run.state, "lacking": list(run.lacking)}
    about["left"] = run.left if run.wanted else None
    duration = run.duration
    if duration is None:
        return {**about, **dict.fromkeys(_TIMES)}
    device = plan.of_device(run, duration) / HOUR
    return {
        **about,
        "hours": duration.seconds / HOUR,
        "device hours": device,
        "at most": plan.is_bound(duration),
        "cost": None if price is None else device * price,
        "like": list(duration.like),
        "measured with parallel": duration.parallel,
        "measured on level": duration.level,
        "measured on": duration.hardware,
        "shared by": duration.at_once,
    }


def totals(plan: Plan, price: float | None) -> list[str]:
    """Lines for each training size, if there are several, and then for all runs.

    Args:
        plan: of which runs.
        price: of an hour of the device, if costs are wanted.
    """
    sizes = list(dict.fromkeys(run.settings.games for run in plan.runs))
    lines = []
    for size in sizes if len(sizes) > 1 else []:
        part = replace(plan, runs=tuple(run for run in plan.runs if run.settings.games == size))
        lines += [f"{size} games, {_counts(part)}", *_times(part, price), *_unknown(part)]
    return [*lines, *summary(plan, price)]


def summary(plan: Plan, price: float | None) -> list[str]:
    """What is to run, then each kind of time with the runs it is of and where it comes from.

    The arguments are those of ``totals``.
    """

    def origin(run: Planned, duration: Duration) -> tuple[str, ...]:
        return tuple(_origin(plan, run, duration))

    return [_counts(plan), *_times(plan, price, origin), *_unknown(plan, _NO_TIMES)]


def _counts(plan: Plan) -> str:
    """How many runs there are, and of what kind."""
    done = sum(run.state == "done" for run in plan.runs)
    told = [f"{counted(len(plan.runs), 'run')}: {done} done, {len(plan.wanted)} to run"]
    if begun := sum(run.state == "begun" for run in plan.runs):
        told.append(f"{begun} of them begun, of which the rest counts")
    if lacking := sum(run.state == "no weights" for run in plan.runs):
        need = "needs" if lacking == 1 else "need"
        told.append(f"{lacking} {need} weights that are not there")
    if others := sum(run.state == "other weights" for run in plan.runs):
        told.append(f"{others} of other weights than there are now")
    return "; ".join(told)


def _times(
    plan: Plan,
    price: float | None,
    origin: Callable[[Planned, Duration], tuple[str, ...]] = lambda run, duration: (),
) -> Iterator[str]:
    """The device's time for the wanted runs: a sum for each kind of it and each origin.

    Times and costs of other hardware than that at hand say of which.
    """
    hours: dict[tuple[str, str, tuple[str, ...]], list[float]] = {}
    for run in plan.wanted:
        if run.duration is not None:
            place = _place(run.duration) if plan.is_of_other_hardware(run.duration) else ""
            key = _certainty(plan, run.duration), place, origin(run, run.duration)
            hours.setdefault(key, []).append(plan.of_device(run, run.duration) / HOUR)
    for (certainty, place, where), each in hours.items():
        told = f"{place} {certainty} {sum(each):,.1f} hours with {plan.at_once} at once".lstrip()
        if price is not None:
            told += f", costing {sum(each) * price:,.2f}{' there' if place else ''}"
        yield from _part(plan, len(each), told, where)


def _unknown(plan: Plan, hints: Sequence[str] = ()) -> Iterator[str]:
    if plan.unknown:
        yield from _part(plan, plan.unknown, "time unknown", hints)


def _part(plan: Plan, runs: int, told: str, remarks: Sequence[str]) -> Iterator[str]:
    """What is told of so many of the wanted runs, and a line for each remark on it."""
    whole = counted(len(plan.wanted), "run")
    yield f"  {'' if runs == len(plan.wanted) else f'{runs} of '}{whole}: {told}"
    yield from (f"    {remark}" for remark in remarks)


def _certainty(plan: Plan, duration: Duration) -> str:
    """How well the device's time is known."""
    if not plan.is_bound(duration):
        return "about"
    return "at most" if duration.is_bound else "at most about"


def _origin(plan: Plan, run: Planned, duration: Duration) -> Iterator[str]:
    """Where a time comes from, and what was otherwise there."""
    where = f"from {duration.bench or 'runs'} {_place(duration)}"
    if plan.here is None:
        yield f"{where}; what the runs will have is not known"
    elif duration.hardware != plan.here:
        yield f"{where}; the device here is {plan.here}"
    else:
        yield where
    if duration.parallel is not None:
        usual = run.settings.learning.parallel
        yield f"measured with {duration.parallel} games at once, not {usual}"
    if duration.level is not None:
        yield f"measured {_level(duration)}"
    if duration.at_once is None:
        yield "how many runs shared the device is not recorded"
