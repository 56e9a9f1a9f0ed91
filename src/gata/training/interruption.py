"""Stopping at a moment of one's own choice when the user presses Ctrl-C, or the system says so."""

import signal
import threading
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from gata import console


class Interruption:
    """Within it, the first Ctrl-C or SIGTERM is only noted; a second one interrupts at once.

    SIGTERM is how torchrun, a cluster or a shutdown asks to stop.

    What is half done when an exception strikes cannot be saved; a loop that asks ``wanted`` where
    everything is in order can.
    """

    def __init__(self) -> None:
        self.wanted = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> "Interruption":
        # Only the main thread gets signals.
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._note)
        return self

    def leave(self, folder: Path) -> NoReturn:
        """When everything is saved: say how to go on, and interrupt."""
        console.note(f"{folder}: saved; the same command goes on from here")
        raise KeyboardInterrupt

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.wanted:
            raise KeyboardInterrupt
        self.wanted = True

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
