"""A plan as a table, in sentences and as JSON."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from gata.paper.counting import counted
from gata.paper.plan import Plan, Planned

HOUR = 3600
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


def _cost(plan: Plan, price: float) -> float | str | None:
    if not plan.wanted:
        return None
    if plan.unknown:
        return "unknown"
    hours = (plan.seconds(is_bound=False) + plan.seconds(is_bound=True)) / HOUR
    return f"{hours * price:,.2f}"


def plan_as_json(plan: Plan, price: float | None) -> list[dict[str, Any]]:
    """An object per run; its cost is that of its part of the device's time."""
    return [_run_as_json(plan, run, price) for run in plan.runs]


def _run_as_json(plan: Plan, run: Planned, price: float | None) -> dict[str, Any]:
    names = ("agent", "level", "games", "seed")
    about = {"name": run.settings.name, **{key: getattr(run.settings, key) for key in names}}
    about |= {"state": run.state, "lacking": list(run.lacking)}
    if run.duration is None:
        return {**about, "hours": None, "device hours": None, "at most": None, "cost": None}
    device = plan.of_device(run, run.duration) / HOUR
    return {
        **about,
        "hours": run.duration.seconds / HOUR,
        "device hours": device,
        "at most": run.duration.is_bound,
        "cost": None if price is None else device * price,
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
        runs = tuple(run for run in plan.runs if run.settings.games == size)
        lines.append(f"{size} games: {'; '.join(_parts(replace(plan, runs=runs), price, bench))}")
    return [*lines, summary(plan, price, bench)]


def summary(plan: Plan, price: float | None, bench: Path | None = None) -> str:
    """A plan in a sentence; the arguments are those of ``totals``."""
    sentence = "; ".join(_parts(plan, price, bench))
    if plan.unknown and bench is None:
        sentence += " (--speeds FILE takes what `gata bench train --json` prints)"
    return sentence


def _parts(plan: Plan, price: float | None, bench: Path | None) -> list[str]:
    done = sum(run.state == "done" for run in plan.runs)
    lacking = sum(run.state == "no weights" for run in plan.runs)
    parts = [f"{counted(len(plan.runs), 'run')}: {done} done, {len(plan.wanted)} to run"]
    if lacking:
        need = "needs" if lacking == 1 else "need"
        parts.append(f"{lacking} {need} weights that are not there")
    if others := sum(run.state == "other weights" for run in plan.runs):
        parts.append(f"{others} of other weights than there are now")
    for is_bound, about, origin in (
        (False, "about", f"runs on {plan.hardware}"),
        (True, "at most", str(bench)),
    ):
        if seconds := plan.seconds(is_bound=is_bound):
            hours = seconds / HOUR
            cost = "" if price is None else f", costing {hours * price:,.2f}"
            parts.append(f"{about} {hours:,.1f} hours with {plan.at_once} at once{cost} ({origin})")
    if plan.unknown:
        parts.append(f"the time of {plan.unknown} is unknown: no record or speed of such runs")
    return parts
