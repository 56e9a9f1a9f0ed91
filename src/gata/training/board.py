"""Curves for TensorBoard."""

import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from tensorboardX.event_file_writer import EventsWriter
from tensorboardX.proto.event_pb2 import Event
from tensorboardX.proto.summary_pb2 import Summary


class Board:
    """A folder that TensorBoard shows.

    Points are written at once, not by a thread: where the disk is full, whoever reports is told.
    What is there already is written anew from the lines of the metrics, which know what counts: of
    a run that was killed, TensorBoard shows no point twice.
    """

    def __init__(self, folder: Path, lines: Iterable[Mapping[str, Any]]) -> None:
        """Begin the folder's only file.

        Args:
            folder: need not be there.
            lines: of the metrics so far.
        """
        folder.mkdir(parents=True, exist_ok=True)
        for path in folder.glob("events.*"):
            path.unlink()
        self._writer = EventsWriter(str(folder / "events"))
        for line in lines:
            values = {name: value for name, value in line.items() if name not in ("kind", "update")}
            self._write(line["kind"], line["update"], values)
        self._writer.flush()

    def report(self, kind: str, update: int, values: Mapping[str, float]) -> None:
        """A point of each curve."""
        self._write(kind, update, values)
        self._writer.flush()

    def _write(self, kind: str, update: int, values: Mapping[str, float]) -> None:
        points = [Summary.Value(tag=f"{kind}/{name}", simple_value=v) for name, v in values.items()]
        summary = Summary(value=points)
        self._writer.write_event(Event(wall_time=time.time(), step=update, summary=summary))

    def close(self) -> None:
        """Let go of the file; all that could be written is."""
        with suppress(OSError):
            self._writer.close()
