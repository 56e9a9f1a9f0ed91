"""``gata reproduce``: the runs behind the paper's tables."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import tyro

from gata import console
from gata.cli.cautions import tell_if_idle, tell_if_short
from gata.cli.options import unset
from gata.cli.report import RESULTS
from gata.devices import choose_device
from gata.errors import UsageError
from gata.files import check_folder, check_writable
from gata.paper.grid import Table, grid
from gata.rl.settings import Games, LearningSettings, TrainSettings

if TYPE_CHECKING:
    from gata.paper.plan import Plan
    from gata.paper.reproduce import Outcome

AUTO = "auto"
SPEEDS = "speed/train_*.json"
"""What is there of ``gata bench train --json`` among the results of a repository."""
_OWN_FOLDERS = "--results mine --runs mine/runs"
"""What to type for runs that are not to stand among the paper's."""


@dataclass(frozen=True)
class Reproduce:
    """Train what a table of the paper asks for: every row, level, training size and seed.

    Runs that are done are left alone, runs that were stopped go on. Each leaves one JSON file in
    agents/ of --results; `gata report` makes the tables from them.
    """

    table: Table = "test"
    """test: the ten rows in the paper's text; test-full and training: all 27, the same runs;
    beyond: agents that have no row there, which are those with a frozen graph encoder."""
    rows: Annotated[tuple[str, ...] | None, unset("AGENT [AGENT ...]")] = None
    """These rows only, whichever table has them, by the agents' names (`gata agents`); by default
    all of --table, but of beyond only the rows of test with their encoder frozen."""
    levels: tuple[int, ...] = (1, 2, 3, 4, 5)
    """Some levels only; they are run in the order given."""
    games: tuple[Games, ...] = ("20", "100")
    """Sizes of the training sets, in the order given."""
    seeds: int = 3
    """How many runs of each, with the seeds 1, 2 and so on."""
    plan: bool = False
    """Only print the grid: what is done, what is to do, how long it will take."""
    price: Annotated[float | None, unset("PRICE")] = None
    """The price of an hour of the device (of one GPU of a cluster); with it the plan has costs."""
    at_once: Annotated[int | None, unset("N")] = None
    """How many runs share the device; by default 4 on a GPU, 1 on a CPU."""
    ray: Annotated[str | None, unset("ADDRESS")] = None
    """Run on a Ray cluster: its address, auto, or local to start one on this machine."""
    gpus_per_run: Annotated[float | None, unset("SHARE")] = None
    """With --ray: the share of a GPU that a run needs, 0 for none; by default 0.25, or 0 where
    there is no GPU."""
    speeds: Annotated[tuple[Path, ...] | None, unset("FILE [FILE ...]")] = None
    """What `gata bench train --json` printed, for the times of agents without a record; by default
    results/speed/train_*.json of the current folder, as far as they are there."""
    results: Annotated[Path | None, unset("DIR")] = None
    """The folder of raw results, as of `gata report`: the records are, and go, in its agents/. By
    default results, where only runs with the paper's learning settings may go."""
    runs: Annotated[Path, tyro.conf.arg(metavar="DIR")] = Path("runs/train")
    """Where the runs' folders are; `gata train` puts them there too."""
    device: str = AUTO
    """cpu, cuda, cuda:1 ...; auto takes a GPU if there is one."""
    json: bool = False
    """Print JSON for a program to read."""
    learning: LearningSettings = field(default_factory=LearningSettings)

    def run(self) -> int:
        """Plan, and run unless only the plan is wanted."""
        from gata.paper.plan import make_plan
        from gata.paper.plan_words import plan_as_json, plan_table, summary, totals

        runs = grid(
            self.table,
            rows=self.rows,
            levels=self.levels,
            games=self.games,
            seeds=self.seeds,
            learning=self.learning,
        )
        self._check()
        self._require_paper(runs[0].agent)
        plan = make_plan(
            runs,
            self._records,
            self.runs,
            at_once=self._company(),
            benches=self._benches,
            here=self._hardware(),
        )
        if not self.plan:
            _tell(summary(plan, self.price))
            if not plan.wanted:
                own = "" if self.results else f"; for runs of your own, give {_OWN_FOLDERS}"
                console.note(f"nothing is left to train{own}")
            return self._train(plan)
        if self.json:
            console.print_json(plan_as_json(plan, self.price))
            _tell(totals(plan, self.price))
            return 0
        columns, rows = plan_table(plan, self.price)
        console.table(columns, rows, unbroken=columns[:-1])
        for line in totals(plan, self.price):
            console.text(line)
        return 0

    @property
    def _records(self) -> Path:
        """Where the records are, and go."""
        from gata.paper.tables import AGENTS

        return (self.results or RESULTS) / AGENTS

    @property
    def _benches(self) -> Sequence[Path]:
        """Measurements of speed: the repository's, if nobody says which."""
        return sorted(RESULTS.glob(SPEEDS)) if self.speeds is None else self.speeds

    def _check(self) -> None:
        """See that the options make sense, also together."""
        problem = ""
        if self.at_once is not None and self.at_once < 1:
            problem = f"--at-once is {self.at_once}, expected 1 or more"
        elif self.gpus_per_run is not None and not 0 <= self.gpus_per_run <= 1:
            problem = f"--gpus-per-run is {self.gpus_per_run}, expected 0 to 1"
        elif self.price is not None and not 0 <= self.price < inf:
            problem = f"--price is {self.price}, expected 0 or more"
        elif self.ray is None and self.gpus_per_run is not None:
            problem = "--gpus-per-run is for --ray; here --at-once says how many runs share a GPU"
        elif self.ray is not None and self.at_once is not None:
            problem = "--at-once is not for --ray; there --gpus-per-run says how many share a GPU"
        elif self.ray is not None and self.device != AUTO:
            problem = "--device is not for --ray; there --gpus-per-run says what a run gets"
        elif missing := next((path for path in self._benches if not path.is_file()), None):
            kind = "a folder, expected a file" if missing.is_dir() else "no such file"
            problem = f"--speeds {missing}: {kind}"
        if problem:
            raise UsageError(problem)

    def _require_paper(self, agent: str) -> None:
        """Keep trials out of the results that make the paper's tables, unless that is wanted."""
        from gata.agents.presets import find
        from gata.evaluation.records import Experiment

        departures = Experiment(self.learning, find(agent)).departures()
        if departures and self.results is None:
            raise UsageError(
                f"{self._records} has runs with the paper's learning settings, and here"
                f" {' and '.join(departures)}; give a folder of your own: {_OWN_FOLDERS}"
            )

    def _company(self) -> int:
        """How many runs will share a device."""
        if self.ray is not None:
            from gata.paper.cluster import expected_share, runs_per_gpu

            return runs_per_gpu(expected_share(self.ray, self.gpus_per_run)) or 1
        from gata.rl.sweep import default_at_once

        return self.at_once or default_at_once(choose_device(self.device))

    def _hardware(self) -> str | None:
        """What the runs will be trained on; of a cluster elsewhere, that is not known."""
        from gata.paper.cluster import hardware_of
        from gata.training.checkpoint import hardware

        if self.ray is not None:
            return hardware_of(self.ray, self.gpus_per_run)
        return hardware(choose_device(self.device))

    def _train(self, plan: "Plan") -> int:
        from gata.agents.presets import find

        if plan.wanted:
            check_folder(self.runs, "--runs")
            check_writable(self._records)
        wanted = [run.settings for run in plan.wanted]
        runs = {self.runs / settings.name: find(settings.agent) for settings in wanted}
        tell_if_short(self.learning, runs, self.runs)
        tell_if_idle(self.learning, runs)
        outcomes = self._outcomes(wanted)
        columns = ["run", "valid score %", "test score %", "test won %", "hours", "problem"]
        rows = [_row(outcome) for outcome in outcomes]
        if rows or self.json:
            console.table(columns, rows, as_json=self.json)
        lacking = [run for run in plan.runs if run.state == "no weights"]
        for run in lacking:
            console.note(f"{run.settings.name}: not run, needs {', '.join(run.lacking)}")
        others = [run for run in plan.runs if run.state == "other weights"]
        for run in others:
            console.note(
                f"{run.settings.name}: not run, there is a record of other weights; move it and the"
                " folder of its run to train with those there are now"
            )
        if any(run.state == "done" for run in plan.runs) or any(each.record for each in outcomes):
            console.note(f"the records are in {self._records}; {self._next()}")
        missing = bool(lacking or others) or any(outcome.record is None for outcome in outcomes)
        return int(missing)

    def _next(self) -> str:
        """What makes tables of the records."""
        is_usual = self.results is None or self.results.resolve() == RESULTS.resolve()
        where = "" if is_usual else f" --results {self.results}"
        return f"`gata report{where}` makes the tables"

    def _outcomes(self, runs: Sequence[TrainSettings]) -> "list[Outcome]":
        if self.ray is not None:
            from gata.paper.cluster import connected, run_on_ray

            with connected(self.ray) as ray:
                return run_on_ray(
                    ray,
                    runs,
                    folders=self.runs,
                    results=self._records,
                    gpus_per_run=self.gpus_per_run,
                )
        from gata.paper.reproduce import run_all

        return run_all(
            runs,
            folders=self.runs,
            results=self._records,
            device=choose_device(self.device),
            at_once=self.at_once,
        )


def _tell(lines: Iterable[str]) -> None:
    for line in lines:
        console.note(line)


def _row(outcome: "Outcome") -> list[Any]:
    record = outcome.record
    if record is None:
        return [outcome.name, None, None, None, None, outcome.problem]
    scores = [record.valid_score, record.test_score, record.test_success]
    return [outcome.name, *scores, record.hours, None]
