"""A plan as a table, in sentences and as JSON."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from gata.paper.counting import counted
from gata.paper.plan import Plan, Planned
from gata.paper.speeds import Duration

HOUR = 3600
_HINT = (
    "--speeds FILE takes what `gata bench train --json` prints, such as"
    " results/speed/train_gpu.json"
)
_COLUMNS = ("agent", "level", "games", "seeds", "done", "to do", "hours each", "remark")


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
    columns = list(_COLUMNS)
    rows = [[*key, *_cell(runs)] for key, runs in cells.items()]
    if price is not None:
        columns.append("cost to come")
        for row, runs in zip(rows, cells.values(), strict=True):
            row.append(_cost(replace(plan, runs=tuple(runs)), price))
    return columns, rows


def _cell(runs: list[Planned]) -> list[Any]:
    begun = sum(run.state == "begun" for run in runs)
    remarks = [f"{begun} begun"] if begun else []
    if others := sum(run.state == "other weights" for run in runs):
        remarks.append(f"{others} with other weights")
    if lacking := sorted({name for run in runs for name in run.lacking}):
        remarks.append(f"needs {', '.join(lacking)}")
    expected = [run.duration for run in runs if run.wanted and run.duration is not None]
    if agents := sorted({agent for duration in expected for agent in duration.like}):
        remarks.append(f"like {', '.join(agents)}")
    if games := sorted({duration.parallel for duration in expected if duration.parallel}):
        remarks.append(f"measured with {', '.join(map(str, games))} games at once")
    return [
        len(runs),
        sum(run.state == "done" for run in runs),
        sum(run.wanted or bool(run.lacking) for run in runs),
        _hours_each(runs),
        "; ".join(remarks) or None,
    ]


def _hours_each(runs: list[Planned]) -> float | str:
    known = [run.duration for run in runs if run.duration is not None]
    if not known:
        return "unknown"
    hours = sum(duration.seconds for duration in known) / len(known) / HOUR
    return f"at most {hours:.2g}" if any(duration.is_bound for duration in known) else hours


def _cost(plan: Plan, price: float) -> str | None:
    if not plan.wanted:
        return None
    if plan.unknown:
        return "unknown"
    known = [(run, run.duration) for run in plan.wanted if run.duration is not None]
    hours = sum(plan.of_device(*pair) for pair in known) / HOUR
    is_bound = any(plan.is_bound(duration) for _, duration in known)
    return f"{'at most ' if is_bound else ''}{hours * price:,.2f}"


_TIMES = (
    *("hours", "device hours", "at most", "cost"),
    *("like", "measured with parallel", "shared by"),
)
"""What the object of a run tells of its time: null if that is unknown."""


def plan_as_json(plan: Plan, price: float | None) -> list[dict[str, Any]]:
    """An object per run; its cost is that of its part of the device's time.

    "At most" is of these two. The last three say what the time was measured with, if not with such
    runs, and how many shared the device then, if that is known: see ``Duration``.
    """
    return [_run_as_json(plan, run, price) for run in plan.runs]


def _run_as_json(plan: Plan, run: Planned, price: float | None) -> dict[str, Any]:
    names = ("agent", "level", "games", "seed")
    about = {"name": run.settings.name, **{key: getattr(run.settings, key) for key in names}}
    about |= {"state": run.state, "lacking": list(run.lacking)}
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
        "shared by": duration.at_once,
    }


def totals(plan: Plan, price: float | None, bench: Path | None = None) -> list[str]:
    """A sentence for each training size, if there are several, and one for all.

    Args:
        plan: of which runs.
        price: of an hour of the device, if costs are wanted.
        bench: the measurement from which times were taken, if there was one.
    """
    sizes = list(dict.fromkeys(run.settings.games for run in plan.runs))
    lines = []
    for size in sizes if len(sizes) > 1 else []:
        part = replace(plan, runs=tuple(run for run in plan.runs if run.settings.games == size))
        told = [*_counts(part), *_times(part, price), *_unknown(part)]
        lines.append(f"{size} games: {'; '.join(told)}")
    return [*lines, summary(plan, price, bench)]


def summary(plan: Plan, price: float | None, bench: Path | None = None) -> str:
    """A plan in a sentence, with where times come from; the arguments are those of ``totals``."""

    def origin(run: Planned, duration: Duration) -> str:
        return f" ({_origin(plan, run, duration, bench)})"

    sentence = "; ".join([*_counts(plan), *_times(plan, price, origin), *_unknown(plan)])
    if plan.unknown and bench is None:
        sentence += f" ({_HINT})"
    return sentence


def _counts(plan: Plan) -> Iterator[str]:
    """How many runs there are, and of what kind."""
    done = sum(run.state == "done" for run in plan.runs)
    yield f"{counted(len(plan.runs), 'run')}: {done} done, {len(plan.wanted)} to run"
    if lacking := sum(run.state == "no weights" for run in plan.runs):
        need = "needs" if lacking == 1 else "need"
        yield f"{lacking} {need} weights that are not there"
    if others := sum(run.state == "other weights" for run in plan.runs):
        yield f"{others} of other weights than there are now"


def _times(
    plan: Plan,
    price: float | None,
    origin: Callable[[Planned, Duration], str] = lambda run, duration: "",
) -> Iterator[str]:
    """The device's time for the wanted runs: a sum for each kind of it and each origin."""
    sums: dict[tuple[str, str], float] = {}
    for run in plan.wanted:
        if run.duration is not None:
            key = _certainty(plan, run.duration), origin(run, run.duration)
            sums[key] = sums.get(key, 0.0) + plan.of_device(run, run.duration) / HOUR
    for (certainty, where), hours in sums.items():
        cost = "" if price is None else f", costing {hours * price:,.2f}"
        yield f"{certainty} {hours:,.1f} hours with {plan.at_once} at once{cost}{where}"


def _certainty(plan: Plan, duration: Duration) -> str:
    """How well the device's time is known."""
    if plan.is_of_other_hardware(duration):
        return "on other hardware about"
    if duration.is_bound:
        return "at most"
    return "at most about" if plan.is_bound(duration) else "about"


def _origin(plan: Plan, run: Planned, duration: Duration, bench: Path | None) -> str:
    """Where a time comes from, and what was otherwise there."""
    where = str(bench) if duration.from_bench else f"runs on {plan.hardware}"
    remarks = []
    if plan.is_of_other_hardware(duration):
        remarks.append(f"the device here is {plan.here}")
    if duration.parallel is not None:
        usual = run.settings.learning.parallel
        remarks.append(f"with {duration.parallel} games at once, not {usual}")
    if duration.at_once is None:
        remarks.append("how many runs shared it is not recorded")
    return "; ".join([where, *remarks])


def _unknown(plan: Plan) -> Iterator[str]:
    if plan.unknown:
        yield f"the time of {plan.unknown} is unknown: no record or speed of such runs"
