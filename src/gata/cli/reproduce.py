"""``gata reproduce``: the runs behind the paper's tables."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import tyro

from gata import console
from gata.cli.pretrain_tasks import choose_device
from gata.errors import UsageError
from gata.rl.settings import Games, LearningSettings

if TYPE_CHECKING:
    from gata.paper.plan import Plan, Planned
    from gata.paper.reproduce import Outcome

HOUR = 3600


@dataclass(frozen=True)
class Reproduce:
    """Train what a table of the paper asks for: every row, level, training size and seed.

    Runs that are done are left alone, runs that were stopped go on. Each leaves one JSON file in
    --results; `gata report` makes the tables from them.
    """

    table: Literal["test", "test-full", "training"] = "test"
    """test: the ten rows in the paper's text; test-full and training: all 27, the same runs."""
    rows: tuple[str, ...] = ()
    """Some rows only, by the agents' names (`gata agents`)."""
    levels: tuple[int, ...] = (1, 2, 3, 4, 5)
    """Some levels only; they are run in the order given."""
    games: tuple[Games, ...] = ("20", "100")
    """Sizes of the training sets, in the order given."""
    seeds: int = 3
    """How many seeds of each."""
    plan: bool = False
    """Only print the grid: what is done, what is to do, how long it will take."""
    price: float | None = None
    """Of an hour of the device: the plan then has costs."""
    at_once: int | None = None
    """How many runs share the device; by default 4 on a GPU, 1 on a CPU."""
    speeds: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """What `gata bench train --json` printed: for the times of agents without a record."""
    results: Annotated[Path, tyro.conf.arg(metavar="DIR")] = Path("results/agents")
    """Where the records are, and go."""
    runs: Annotated[Path, tyro.conf.arg(metavar="DIR")] = Path("runs/train")
    """Where the runs' folders are; `gata train` puts them there too."""
    device: str = "auto"
    """cpu, cuda, cuda:1 ...; auto takes a GPU if there is one."""
    json: bool = False
    """Print JSON for a program to read."""
    learning: LearningSettings = field(default_factory=LearningSettings)

    def run(self) -> int:
        """Plan, and run unless only the plan is wanted."""
        from gata.paper.grid import grid
        from gata.paper.plan import make_plan

        runs = grid(
            self.table,
            rows=self.rows,
            levels=self.levels,
            games=self.games,
            seeds=self.seeds,
            learning=self.learning,
        )
        if self.at_once is not None and self.at_once < 1:
            raise UsageError(f"--at-once is {self.at_once}, expected 1 or more")
        plan = make_plan(runs, self.results, self.runs, self.speeds)
        if self.plan:
            self._show(plan)
            return 0
        console.note(summary(plan, self.price))
        return self._train(plan)

    def _show(self, plan: "Plan") -> None:
        if self.json:
            console.print_json([self._as_json(run) for run in plan.runs])
        else:
            cells: dict[tuple[Any, ...], list[Planned]] = {}
            for run in plan.runs:
                key = (run.settings.agent, run.settings.level, run.settings.games)
                cells.setdefault(key, []).append(run)
            columns = ["agent", "level", "games", "seeds", "done", "to do", "hours each", "remark"]
            rows = [[*key, *self._cell(runs)] for key, runs in cells.items()]
            console.table(columns, rows)
        console.note(summary(plan, self.price))

    def _cell(self, runs: "list[Planned]") -> list[Any]:
        known = [run.seconds for run in runs if run.seconds is not None]
        begun = sum(run.state == "begun" for run in runs)
        remarks = [f"{begun} begun"] if begun else []
        if lacking := sorted({name for run in runs for name in run.lacking}):
            remarks.append(f"needs {', '.join(lacking)}")
        return [
            len(runs),
            sum(run.state == "done" for run in runs),
            sum(run.state != "done" for run in runs),
            sum(known) / len(known) / HOUR if known else "unknown",
            "; ".join(remarks) or None,
        ]

    def _as_json(self, run: "Planned") -> dict[str, Any]:
        settings = {key: getattr(run.settings, key) for key in ("agent", "level", "games", "seed")}
        hours = None if run.seconds is None else run.seconds / HOUR
        cost = None if hours is None or self.price is None else hours * self.price
        about = {"name": run.settings.name, **settings, "state": run.state}
        return {**about, "lacking": list(run.lacking), "hours": hours, "cost": cost}

    def _train(self, plan: "Plan") -> int:
        from gata.paper.reproduce import run_all

        outcomes = run_all(
            [run.settings for run in plan.wanted],
            folders=self.runs,
            results=self.results,
            device=choose_device(self.device),
            at_once=self.at_once,
        )
        columns = ["run", "valid score %", "test score %", "test won %", "hours", "problem"]
        rows = [_row(outcome) for outcome in outcomes]
        if rows or self.json:
            console.table(columns, rows, as_json=self.json)
        lacking = [run for run in plan.runs if run.state == "no weights"]
        for run in lacking:
            console.note(f"{run.settings.name}: not run, needs {', '.join(run.lacking)}")
        return 1 if lacking or any(outcome.record is None for outcome in outcomes) else 0


def summary(plan: "Plan", price: float | None) -> str:
    """A plan in a sentence."""
    done = sum(run.state == "done" for run in plan.runs)
    lacking = sum(run.state == "no weights" for run in plan.runs)
    parts = [f"{len(plan.runs)} runs: {done} done, {len(plan.wanted)} to run"]
    if lacking:
        parts.append(f"{lacking} need weights that are not there")
    if plan.wanted and plan.unknown < len(plan.wanted):
        hours = plan.seconds / HOUR
        cost = "" if price is None else f", costing {hours * price:,.2f}"
        parts.append(f"about {hours:,.1f} hours one after the other{cost} ({plan.measured})")
    if plan.unknown:
        parts.append(
            f"the time of {plan.unknown} is unknown: no record or measured speed of their agents"
        )
    return "; ".join(parts)


def _row(outcome: "Outcome") -> list[Any]:
    record = outcome.record
    if record is None:
        return [outcome.name, None, None, None, None, outcome.problem]
    scores = [record.valid_score, record.test_score, record.test_success]
    return [outcome.name, *scores, record.hours, None]
