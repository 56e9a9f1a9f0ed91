"""Programs that are killed in the middle of their work; those that fail or hang are told."""

import signal
import subprocess
import time
from collections.abc import Callable

PATIENCE_S = 300.0
"""What is slower than this on the busiest machine will never come."""


def comes(moment: Callable[[], bool], *, every_s: float = 0.02) -> bool:
    """Wait for a moment; returns whether it came before patience was lost."""
    deadline = time.monotonic() + PATIENCE_S
    while not moment():
        if time.monotonic() > deadline:
            return False
        time.sleep(every_s)
    return True


def never() -> bool:
    """The moment for a program that shall come to its end."""
    return False


def kill_at(process: "subprocess.Popen[str]", moment: Callable[[], bool]) -> bool:
    """Kill a program when a moment comes; returns whether it had not come to its end before.

    Args:
        process: its errors go to a pipe, as text. It is over afterwards, whatever happens.
        moment: whether it is time.
    """
    came = comes(lambda: process.poll() is not None or moment())
    process.kill()
    _, errors = process.communicate(timeout=PATIENCE_S)
    assert came, f"neither the moment nor the end came; the program told:\n{errors}"
    assert process.returncode in (0, -signal.SIGKILL), errors
    return process.returncode != 0
