"""Work on all cores, in processes. A leaf module: every room may import it."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from gata.errors import GataError, UsageError

Task = TypeVar("Task")
Result = TypeVar("Result")


def run_parallel(
    function: Callable[[Task], Result], tasks: Sequence[Task], jobs: int | None = None
) -> Iterator[Result]:
    """Yield ``function(task)`` for every task, in the order in which they are done.

    ``jobs`` is the number of processes, default one per core; with one, or with a single task,
    everything runs here. ``function`` and the tasks must be picklable.
    """
    if jobs is not None and jobs < 1:
        raise UsageError(f"jobs is {jobs}, expected at least 1")
    jobs = min(jobs or os.cpu_count() or 1, len(tasks))
    if jobs <= 1:
        yield from map(function, tasks)
        return
    # Fresh interpreters, not forks: a fork of a process with threads (numba, torch) can hang.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, context, initializer=_ignore_interrupt)
    try:
        for future in as_completed([pool.submit(function, task) for task in tasks]):
            yield future.result()
    except BrokenProcessPool as error:
        raise GataError("a worker process was killed; run the command again") from error
    finally:
        pool.shutdown(cancel_futures=True)


def _ignore_interrupt() -> None:
    """Leave Ctrl-C to the parent: it stops handing out work, and no task is cut in half."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
