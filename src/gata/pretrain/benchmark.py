"""How fast the tasks learn on the device at hand."""

import time
from collections.abc import Mapping
from typing import NamedTuple

import torch

from gata.pretrain.settings import TaskSettings
from gata.pretrain.tasks.making import make_task
from gata.pretrain.tasks.task import Split
from gata.pretrain.tasks.walking import WalkingTask
from gata.pretrain.tensors import CorpusTensors
from gata.training.device import get_ready
from gata.training.update import Update

WARM_UP = 8
"""Updates before the clock starts: on a GPU the common shapes of batches are captured by then."""

AUTHORS_CPU_SECONDS: Mapping[str, tuple[int, float]] = {"og": (48, 45.8), "coc": (64, 47.3)}
"""Batch, and CPU seconds of an update (5 steps back in time) with the authors' code on one core."""


class Speed(NamedTuple):
    """Of one task."""

    task: str
    batch: int
    ms_per_update: float
    """Wall clock, median."""
    sequences_per_s: float
    """Learnt from in a second: sequences of steps (OG, COC, text-og), or single examples."""
    cpu_s_per_update: float
    """CPU seconds of this process, all threads."""
    times_less_cpu: float | None
    """Than the authors' code, where that was measured with this batch; on one thread of a CPU."""
    memory_mb: float | None
    """Most memory allocated on the GPU."""


def measure(
    settings: TaskSettings, data: Mapping[Split, CorpusTensors], device: torch.device, updates: int
) -> Speed:
    """Train for some updates with a clock."""
    task = make_task(settings, data, device)
    update = Update(
        list(task.model.parameters()),
        task.loss,
        learning_rate=settings.learning_rate,
        clip=settings.clip,
    )
    get_ready(device)
    if device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(device)
    seconds, sequences, cpu = [], 0, 0.0
    for number in range(WARM_UP + updates):
        _wait(device)
        drawn = task.drawn
        start, cpu_start = time.perf_counter(), time.process_time()
        _, *others = update(task.batch(number))
        task.after(*others)
        _wait(device)
        if number >= WARM_UP:
            seconds.append(time.perf_counter() - start)
            cpu += time.process_time() - cpu_start
            # Who walks goes on with paths begun earlier; SP's batches are seldom full.
            walks = isinstance(task, WalkingTask)
            sequences += settings.batch if walks else task.drawn - drawn
    batch, theirs = AUTHORS_CPU_SECONDS.get(settings.task, (None, 0.0))
    on_one_thread = device.type == "cpu" and torch.get_num_threads() == 1
    is_comparable = on_one_thread and batch == settings.batch
    return Speed(
        settings.name,
        settings.batch,
        1000 * sorted(seconds)[len(seconds) // 2],
        sequences / sum(seconds),
        cpu / updates,
        theirs * updates / cpu if is_comparable else None,
        torch.cuda.max_memory_allocated(device) / 2**20 if device.type == "cuda" else None,
    )


def _wait(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)
