"""Work on all cores, in processes. A leaf module: every room may import it."""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import wait
from typing import TypeVar

from gata.errors import GataError, UsageError

Task = TypeVar("Task")
Result = TypeVar("Result")


def all_cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_parallel(
    function: Callable[[Task], Result], tasks: Sequence[Task], jobs: int | None = None
) -> Iterator[Result]:
    """Yield ``function(task)`` for every task, in the order in which they are done.

    ``jobs`` is the number of processes, default one per core; with one, or with a single task,
    everything runs here. ``function`` must live in a module and, like the tasks, be picklable.
    A caller's script needs no ``if __name__ == "__main__"``: workers do not run it again.
    """
    if jobs is not None and jobs < 1:
        raise UsageError(f"jobs is {jobs}, expected at least 1")
    jobs = min(jobs or all_cores(), len(tasks))
    if jobs <= 1:
        yield from map(function, tasks)
        return
    # Fresh interpreters, not forks: a fork of a process with threads (numba, torch) can hang.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, context, initializer=_live_and_die_with_the_parent)
    try:
        with _hidden_script():
            futures = [pool.submit(function, task) for task in tasks]
        for future in as_completed(futures):
            yield future.result()
    except BrokenProcessPool as error:
        raise GataError("a worker process was killed; run the command again") from error
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _hidden_script() -> Iterator[None]:
    """Start processes that do not know which script they serve.

    A spawned process first runs its parent's script again, to find functions defined there; a
    script that calls us at its top level would thereby start itself without end.
    """
    names = vars(sys.modules["__main__"])
    before = dict(names)
    names.update(__file__=None, __spec__=None)
    try:
        yield
    finally:
        for name in ("__file__", "__spec__"):
            # An interactive interpreter has no ``__file__``, which is not the same as None.
            names.pop(name)
            if name in before:
                names[name] = before[name]


def _live_and_die_with_the_parent() -> None:
    """Leave Ctrl-C to the parent, so that no task is cut in half; end when it is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:

        def watch() -> None:
            wait([parent.sentinel])
            os._exit(1)

        threading.Thread(target=watch, daemon=True).start()
