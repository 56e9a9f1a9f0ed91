"""``gata sweep``: several trainings in one process."""

from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Annotated

import tyro

from gata import console
from gata.cli.cautions import tell_if_idle, tell_if_short
from gata.cli.options import unset
from gata.cli.train import RESULT_COLUMNS, result_row
from gata.devices import choose_device
from gata.errors import GataError, UsageError
from gata.files import check_writable
from gata.rl.settings import Games, LearningSettings, TrainSettings


@dataclass(frozen=True)
class Sweep:
    """Train several agents, on several levels, with several seeds, all in one process.

    On a GPU some runs go on side by side, which takes little longer than one. Each is a folder
    like that of `gata train`; the same command goes on with what is not over.
    """

    agents: tuple[str, ...]
    """Which agents to train (`gata agents` lists them)."""
    levels: tuple[int, ...] = (1,)
    """Which levels of difficulty, 1 to 5, to train on."""
    games: tuple[Games, ...] = ("100",)
    """How many training games: the sizes of training sets."""
    seeds: tuple[int, ...] = (1, 2, 3)
    """Which seeds; each is a run of its own."""
    learning: LearningSettings = field(default_factory=LearningSettings)
    at_once: Annotated[int | None, unset("N")] = None
    """How many runs go on at a time; by default 4 on a GPU, 1 on a CPU."""
    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="DIR")] = Path("runs/train")
    """Where the runs' folders are."""
    device: str = "auto"
    """cpu, cuda, cuda:1 ...; auto takes a GPU if there is one."""
    wandb: Annotated[str | None, unset("PROJECT")] = None
    """Send the metrics to this project on Weights & Biases, too (needs the [wandb] extra)."""
    json: bool = False
    """Print the results as JSON."""

    def run(self) -> None:
        """Train, test, print."""
        from gata.agents.presets import find
        from gata.rl.opening import Job
        from gata.rl.sweep import train_together

        if self.at_once is not None and self.at_once < 1:
            raise UsageError(f"--at-once is {self.at_once}, expected 1 or more")
        for option in ("agents", "levels", "games", "seeds"):
            if not getattr(self, option):
                raise UsageError(f"--{option} is empty, expected at least one")
        presets = {agent: find(agent) for agent in self.agents}
        check_writable(self.output, "--output")
        wanted = [
            TrainSettings(agent=agent, level=level, games=games, seed=seed, learning=self.learning)
            for agent, level, games, seed in product(
                self.agents, self.levels, self.games, self.seeds
            )
        ]
        jobs = [Job(settings, self.output / settings.name, wandb=self.wandb) for settings in wanted]
        device = choose_device(self.device)
        runs = {job.folder: presets[job.settings.agent] for job in jobs}
        tell_if_short(self.learning, runs, self.output)
        tell_if_idle(self.learning, runs)
        ended = train_together(jobs, device, self.at_once)
        over = [(each.job.settings, each.results) for each in ended if each.results is not None]
        if self.json:
            console.print_json([results for _, results in over])
        else:
            console.table(RESULT_COLUMNS, [result_row(*pair) for pair in over])
        console.note(f"the runs are in {self.output}")
        if failed := [each.job.settings.name for each in ended if each.results is None]:
            raise GataError(f"{len(failed)} of {len(ended)} runs failed: {', '.join(failed)}")
