"""Several runs in one process, sharing a device.

An update of the paper's size keeps a small part of a GPU busy: several runs, each with a thread
and a stream of its own, take little more time than one. A CPU is busy with one run, so there they
take turns.
"""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any

import torch

from gata import console
from gata.errors import GataError, in_words
from gata.rl.loop import Trainer
from gata.rl.opening import Job
from gata.training.capture import let_go
from gata.training.interruption import Interruption

GPU_RUNS = 4
"""How many runs share a GPU if nobody says otherwise, however large it is.

Free memory is easily asked for, but what a run needs of it was never measured: the replay has up to
2 GB, networks and captured graphs come on top. Four were timed on an H200 alone, where they fit
(``results/speed/sweep_gpu.json``). On a smaller GPU a run without room fails and says so; then
fewer have to be asked for.
"""


@dataclass(frozen=True)
class Ended:
    """How a run ended."""

    job: Job
    results: dict[str, Any] | None
    """None if it failed,"""
    problem: str = ""
    """for this reason; or why nobody could be told that it is over."""
    from_its_beginning: bool = False
    """Whether all of its training was in this call: it was neither over nor gone on with."""


def default_at_once(device: torch.device) -> int:
    """How many runs share a device if nobody says otherwise: a fixed number for each kind of it.

    One on a CPU of any size: it is busy with one, which uses all of its cores.
    """
    return GPU_RUNS if device.type == "cuda" else 1


def train_together(
    jobs: Sequence[Job],
    device: torch.device,
    at_once: int | None = None,
    tell: Callable[[Ended], None] | None = None,
) -> list[Ended]:
    """Train, or go on training, all runs; those that are over are left as they are.

    A run that fails does not stop the others. Ctrl-C saves all of them.

    Args:
        jobs: the runs; each needs a folder of its own.
        device: where.
        at_once: how many at a time; by default ``default_at_once``.
        tell: is told of each run as soon as it has ended, one at a time.

    Returns:
        How they ended, in the order of the jobs.
    """
    folders = [job.folder.resolve() for job in jobs]
    twice = next((folder for folder in folders if folders.count(folder) > 1), None)
    if twice is not None:
        raise GataError(f"{twice}: two runs want this folder")
    with Interruption() as stop, console.Bars() as bars:
        work = _Work(device, stop, bars, tell)
        with ThreadPoolExecutor(at_once or default_at_once(device), "gata-run") as pool:
            futures = [pool.submit(work.do, job) for job in jobs]
            wait(futures)
    if stop.wanted:
        raise KeyboardInterrupt
    return [future.result() for future in futures]


class _Work:
    """What a thread does with a run; it may do so while others are at theirs."""

    def __init__(
        self,
        device: torch.device,
        stop: Interruption,
        bars: console.Bars,
        tell: Callable[[Ended], None] | None,
    ) -> None:
        self._device, self._stop, self._bars, self._tell = device, stop, bars, tell
        self._opening, self._telling = threading.Lock(), threading.Lock()

    def do(self, job: Job) -> Ended:
        """Train, and tell; whatever goes wrong, the other runs go on."""
        try:
            ended = self._train(job)
        except Exception as error:
            ended = Ended(job, None, in_words(error))
            console.note(f"{job.folder}: failed; {ended.problem}")
        let_go()  # a replay is large: the next run shall not wait for its memory
        try:
            with self._telling:
                if self._tell is not None:
                    self._tell(ended)
        except Exception as error:
            ended = replace(ended, problem=in_words(error))
            console.note(f"{job.folder}: {ended.problem}")
        return ended

    def _train(self, job: Job) -> Ended:
        if self._stop.wanted:
            raise KeyboardInterrupt
        with stream_of(self._device):
            # One after the other: first weights come from a random source that all share.
            with self._opening:
                found = job.open(self._device)
            if not isinstance(found, Trainer):
                return Ended(job, found)
            begins = not found.run.checkpoint.exists()
            return Ended(job, found.train(self._stop, self._bars), from_its_beginning=begins)


def stream_of(device: torch.device) -> AbstractContextManager[Any]:
    """A stream for the calling thread, where there are streams."""
    if device.type != "cuda":
        return nullcontext()
    return torch.cuda.stream(torch.cuda.Stream(device))  # type: ignore[no-untyped-call]
