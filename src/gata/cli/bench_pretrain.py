"""``gata bench pretrain``: how fast the networks learn on the device at hand."""

from dataclasses import dataclass, replace
from typing import Annotated, Literal, get_args

import tyro

from gata import console
from gata.cli.options import unset
from gata.cli.pretrain_tasks import Folder, corpus_folder
from gata.devices import choose_device
from gata.errors import UsageError

TaskName = Literal["og", "coc", "text-og", "cg", "ap", "sp", "dgi"]

MOST_THREADS = 1024
"""With many more than a machine can have torch crashes."""


@dataclass(frozen=True)
class BenchPretrain:
    """Measure updates of the pre-training tasks: wall clock, sequences a second, CPU seconds."""

    tasks: tuple[TaskName, ...] = get_args(TaskName)
    """Which tasks."""
    batches: Annotated[tuple[int, ...], tyro.conf.arg(help_behavior_hint="")] = ()
    """Batch sizes to measure each task with; by default the paper's."""
    updates: int = 20
    """How many updates the clock runs for."""
    threads: Annotated[int | None, unset("N")] = None
    """How many threads torch takes on a CPU; by default one per core. The authors' code was
    measured with 1, so only 1 is compared with it: several spend CPU time on waiting, too."""
    data: Folder = None
    """The corpus; by default the pre-training games', made first if need be."""
    device: str = "auto"
    """cpu, cuda ...; auto takes a GPU if there is one."""
    json: bool = False
    """Print JSON for a program to read."""

    def run(self) -> None:
        """Measure and print."""
        import torch

        from gata.pretrain.benchmark import Speed, measure
        from gata.pretrain.loop import open_data
        from gata.pretrain.settings import SETTINGS

        if self.updates < 1:
            raise UsageError(f"--updates is {self.updates}, expected 1 or more")
        if not self.tasks:
            raise UsageError(f"--tasks is empty, expected some of {', '.join(get_args(TaskName))}")
        if self.threads is not None:
            if not 1 <= self.threads <= MOST_THREADS:
                raise UsageError(f"--threads is {self.threads}, expected 1 to {MOST_THREADS}")
            torch.set_num_threads(self.threads)
        device = choose_device(self.device)
        data = open_data(corpus_folder(self.data), device)
        defaults = [SETTINGS[task]() for task in self.tasks]
        wanted = [
            replace(settings, batch=batch)
            for settings in defaults
            for batch in self.batches or (settings.batch,)
        ]
        speeds = [
            measure(settings, data, device, self.updates)
            for settings in console.track(wanted, "measuring", len(wanted))
        ]
        columns = [name.replace("_", " ") for name in Speed._fields]
        console.table(columns, speeds, as_json=self.json)
