"""``gata bench``: how fast things are, measured here and now."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from gata import console
from gata.cli.bench_pretrain import BenchPretrain
from gata.cli.bench_train import BenchTrain
from gata.errors import UsageError
from gata.files import check_writable


@dataclass(frozen=True)
class BenchEngine:
    """Measure the engine beside TextWorld and TextWorldExpress, in one run on the same games.

    A random player, episodes of 50 steps, resets included; the median of three measurements.
    TextWorld is measured where the [textworld] extra is installed, TextWorldExpress where Java
    and its package are.
    """

    levels: tuple[int, ...] = (1, 4)
    """Levels whose validation games are played."""
    batches: tuple[int, ...] = (1, 16, 256, 1024)
    """How many games our engine plays at once."""
    seconds: float = 2.0
    """Length of one measurement."""
    express_python: str = ""
    """A Python that has textworld_express (it need not have gata); default this one."""
    output: Path = Path("runs/bench-engine")
    """The folder for report.json."""
    json: bool = False
    """Print JSON for a program to read."""

    def run(self) -> None:
        """Measure and print."""
        from gata.engine.benchmark.measure import check_express
        from gata.engine.benchmark.run import benchmark
        from gata.games.settings import LEVELS

        if not self.levels or not set(self.levels) <= set(LEVELS):
            given = " ".join(map(str, self.levels)) or "empty"
            raise UsageError(f"--levels is {given}, expected some of {' '.join(map(str, LEVELS))}")
        if not self.batches or min(self.batches) < 1:
            given = " ".join(map(str, self.batches)) or "empty"
            raise UsageError(f"--batches is {given}, expected numbers of at least 1")
        if not self.seconds > 0:
            raise UsageError(f"--seconds is {self.seconds}, expected more than 0")
        check_writable(self.output, "--output")
        if self.express_python:
            check_express(self.express_python)
        result = benchmark(
            self.levels,
            self.batches,
            seconds=self.seconds,
            express_python=self.express_python or sys.executable,
            folder=self.output,
        )
        if self.json:
            console.print_json(result.to_json())
            return
        rows = [
            [
                speed.engine,
                speed.games,
                speed.batch,
                speed.threads,
                _rounded(speed.steps_per_second),
                _rounded(speed.steps_per_cpu_second),
                speed.steps_per_second and 1e6 / speed.steps_per_second,
                _rounded(result.times_textworld(speed)),
                _rounded(result.times_textworld(speed, "cpu")),
                speed.remark,
            ]
            for speed in result.speeds
        ]
        columns = ["engine", "games", "batch", "threads", "steps/s", "steps/CPU s"]
        columns += ["µs/step", "x TextWorld", "x TextWorld by CPU", "remark"]
        console.table(columns, rows)
        console.text(f"\nstart-up to the first step, warm cache: {result.start_up_s:.2f} s")
        for name, size in result.state_bytes.items():
            console.text(
                f"memory of one game, {name}: {size} bytes of state and "
                f"{result.output_bytes[name]} bytes of outputs"
            )


def _rounded(value: float | None) -> int | None:
    return None if value is None else round(value)


@dataclass(frozen=True)
class BenchCommands:
    """Measure how fast things are, here and now."""

    command: (
        Annotated[BenchEngine, tyro.conf.subcommand("engine")]
        | Annotated[BenchPretrain, tyro.conf.subcommand("pretrain")]
        | Annotated[BenchTrain, tyro.conf.subcommand("train")]
    )

    def run(self) -> int | None:
        """Run the chosen command."""
        return self.command.run()
