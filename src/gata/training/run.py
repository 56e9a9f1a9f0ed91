"""A run is a folder: settings, metrics, checkpoint, the best weights, results."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from filelock import FileLock, Timeout
from torch import Tensor

from gata import console
from gata.errors import GataError, UsageError, in_words
from gata.files import atomic_write, check_folder, is_leftover, remove_leftovers
from gata.models.files import DamagedError, read_tensors, write_tensors
from gata.models.shipped import SETTINGS_FILE, WEIGHTS_FILE
from gata.models.vocabularies import shipped
from gata.training.board import Board
from gata.training.tracking import Tracker

METRICS_FILE = "metrics.jsonl"
CHECKPOINT_FILE = "checkpoint.safetensors"
RESULTS_FILE = "results.json"
FOLDER_OPTION = "--output"
"""What most commands call the option for the folder of a run."""
LOCK_FILE = ".lock"
"""Held by the process that works at the run; the system lets go of it even after ``kill -9``."""


class Run:
    """The files of a run.

    Nothing is written before it is ``held``: what cannot begin leaves no folder behind.

    ``metrics.jsonl`` gets a line per report. What was written after the last checkpoint is dropped
    when the run goes on, and comes again.
    """

    def __init__(
        self,
        folder: Path,
        about: Mapping[str, Mapping[str, Any]],
        wandb: str | None = None,
        *,
        writes: bool = True,
        folder_option: str = FOLDER_OPTION,
    ) -> None:
        """Open a run, or get ready to make one.

        Args:
            folder: of the run.
            about: what decides its course, as JSON: settings, data. A run can only go on with the
                same.
            wandb: the project on Weights & Biases that gets the metrics too, if any.
            writes: off in a process that works at a run whose files another one writes: what it
                would write is dropped.
            folder_option: with which the user can choose another folder.
        """
        self.folder = folder
        self.weights = folder / WEIGHTS_FILE
        self.checkpoint = folder / CHECKPOINT_FILE
        self._metrics = folder / METRICS_FILE
        self._settings = folder / SETTINGS_FILE
        self._about: dict[str, Any] = json.loads(json.dumps(about))
        self._wandb, self._writes = wandb, writes
        self._choice = f"choose another {folder_option}"
        self._tracker: Tracker | None = None
        self._board: Board | None = None
        check_folder(folder)
        if self._settings.exists():
            self._compare(read_json(self._settings))
        elif writes and folder.is_dir() and self._has_files():
            raise UsageError(
                f"{folder}: has no {SETTINGS_FILE} but other files, expected a folder of a run or"
                f" a new one; {self._choice}"
            )

    def _compare(self, before: dict[str, Any]) -> None:
        """See that the run is about the same as before."""
        hint = f"{self._choice}, or delete the folder to begin anew"
        for part, now in self._about.items():
            if before.get(part, now) != now:
                found = " and ".join(_differences(before[part], now, part))
                raise UsageError(f"{self._settings}: this run has {found}; {hint}")
        for part in sorted(before.keys() ^ self._about.keys()):
            word = "" if part in before else "no "
            raise UsageError(f"{self._settings}: this run has {word}{part} of its own; {hint}")

    @contextmanager
    def held(self) -> Iterator[None]:
        """Within, this process alone writes the files: two would spoil each other's."""
        if not self._writes:
            yield
            return
        lock = FileLock(self.folder / LOCK_FILE)
        is_new = not self.folder.exists()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock.acquire(timeout=0)
        except Timeout:
            raise GataError(
                f"{self.folder}: another process is at work on this run; let it end, or stop it"
                " with Ctrl-C, which saves"
            ) from None
        except OSError as error:
            raise GataError(f"{self.folder}: cannot write there ({error.strerror})") from error
        try:
            remove_leftovers(self.folder)
            yield
        finally:
            if self._board is not None:
                self._board.close()
            if is_new and not self._has_files():  # it could not begin
                (self.folder / LOCK_FILE).unlink()
                self.folder.rmdir()
            lock.release()

    def _has_files(self) -> bool:
        """Whether there is more than what a process leaves that was killed at once."""
        return any(
            path.name != LOCK_FILE and not is_leftover(path) for path in self.folder.iterdir()
        )

    def save(self, tensors: Mapping[str, Tensor], state: Mapping[str, Any]) -> None:
        """Write the checkpoint; one with numbers that are none would be of no use to go on from."""
        if not self._writes:
            return
        spoilt = next((name for name, tensor in tensors.items() if not is_finite(tensor)), None)
        if spoilt is not None:
            raise GataError(
                f"{self.folder}: {spoilt} has numbers that are none (NaN or infinite); the last"
                " checkpoint is from before, a lower --learning-rate may help"
            )
        write_tensors(
            self.checkpoint, tensors, {**state, **self._marks(), "metrics": self._metrics_size()}
        )

    def resume(self) -> tuple[dict[str, Tensor], dict[str, Any]] | None:
        """Begin, or go on: the checkpoint, if there is one; the metrics go back to where it was.

        Only while the run is ``held``.
        """
        has_begun = self._settings.exists()
        if self._writes:
            self._begin()
        if not self.checkpoint.exists():
            if has_begun:
                console.note(f"{self.folder}: no checkpoint yet, beginning anew")
            if self._writes:
                self._metrics.unlink(missing_ok=True)
                self._open_board()
            return None
        try:
            tensors, state = read_tensors(self.checkpoint)
        except DamagedError as error:
            raise DamagedError(f"{error}; {self._way_out()}") from error
        size = self._checked(state)["metrics"]
        if self._metrics_size() < size:
            raise GataError(
                f"{self._metrics}: has {self._metrics_size()} bytes, expected {size} or more:"
                " lines that were there at the last checkpoint are gone"
            )
        # Also where no line was there yet: later ones come again.
        if self._writes:
            if self._metrics.exists():
                with self._metrics.open("r+b") as stream:
                    stream.truncate(size)
            self._open_board()
        return tensors, state

    @contextmanager
    def taking_up(self) -> Iterator[None]:
        """Within, what ``resume`` returned is put where it belongs.

        The file is whole, so what is missing there, or does not fit, is of another version.
        """
        try:
            yield
        except torch.OutOfMemoryError:
            raise
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            raise GataError(
                f"{self.checkpoint}: not a checkpoint of this version of gata"
                f" ({in_words(error)}); {self._way_out()}"
            ) from error

    def _way_out(self) -> str:
        """What to do if the checkpoint cannot be read."""
        kept = f"; the best weights so far are in {self.weights}, and are replaced then"
        return f"delete the file to begin anew{kept if self.weights.exists() else ''}"

    def _begin(self) -> None:
        """Make what a run has from its beginning on."""
        if self._wandb is not None:
            self._tracker = Tracker(self._wandb, self.folder, self._about)
        if not self._settings.exists():
            write_json(self._settings, self._about)

    def _open_board(self) -> None:
        """Write curves for TensorBoard, beginning with the metrics so far."""
        lines = read_metrics(self._metrics) if self._metrics.exists() else []
        folder = self.folder / "tensorboard"
        try:
            self._board = Board(folder, lines)
        except OSError as error:
            raise GataError(f"{folder}: cannot write ({error.strerror})") from error

    def _marks(self) -> dict[str, Any]:
        """What a checkpoint must agree with to be this run's: its course, and what words mean."""
        return {"about": self._about, "vocabularies": shipped().fingerprints}

    def _checked(self, state: dict[str, Any]) -> dict[str, Any]:
        """The state of a checkpoint, if it is one of this run."""
        marks = self._marks()
        for part in ("metrics", *marks):
            if part not in state:
                raise GataError(
                    f"{self.checkpoint}: has no {part!r}, so it is no checkpoint, or one of an"
                    " earlier version of gata"
                )
        for part, expected in marks.items():
            if state[part] != expected:
                found = " and ".join(_differences(state[part], expected, part))
                raise GataError(f"{self.checkpoint}: not of this run: it has {found}")
        return state

    def report(self, kind: str, update: int, values: Mapping[str, float]) -> None:
        """Add a line to the metrics, and a point to each curve."""
        if not self._writes:
            return
        line = json.dumps({"kind": kind, "update": update, **values})
        try:
            with self._metrics.open("a", encoding="utf-8") as stream:
                stream.write(line + "\n")
            if self._board is not None:
                self._board.report(kind, update, values)
        except OSError as error:
            raise GataError(f"{self._metrics}: cannot write ({error.strerror})") from error
        if self._tracker is not None:
            self._tracker.report(kind, update, values)

    def finish(self, results: Mapping[str, Any]) -> None:
        """Write the results; the run is over."""
        if not self._writes:
            return
        write_json(self.folder / RESULTS_FILE, results)
        if self._tracker is not None:
            self._tracker.finish(results)

    def drop_checkpoint(self) -> None:
        """Free the disk of what a run that is over needs no more."""
        self.checkpoint.unlink(missing_ok=True)

    def ended(self) -> dict[str, Any] | None:
        """The results of a run that is over, and a word on it; None if there is work to do.

        To be asked again when the run is ``held``: another process may have ended it meanwhile.
        """
        results = self.results
        if results is not None:
            console.note(f"{self.folder}: this run is over, nothing to do")
        return results

    @property
    def results(self) -> dict[str, Any] | None:
        """Of a run that is over."""
        path = self.folder / RESULTS_FILE
        return read_json(path) if path.exists() else None

    def result(self, name: str) -> dict[str, Any]:
        """One part of the results of a run that is over."""
        value = (self.results or {}).get(name)
        if not isinstance(value, dict):
            raise GataError(f"{self.folder / RESULTS_FILE}: {name!r} is missing or no object")
        return value

    def _metrics_size(self) -> int:
        return self._metrics.stat().st_size if self._metrics.exists() else 0


def is_finite(tensor: Tensor) -> bool:
    """Whether all numbers are numbers, and not infinite."""
    return not tensor.is_floating_point() or bool(tensor.isfinite().all())


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """Write a readable JSON file, whole or not at all."""
    with atomic_write(path) as stream:
        stream.write(json.dumps(value, indent=2, ensure_ascii=False).encode() + b"\n")


def read_json(path: Path) -> dict[str, Any]:
    """Read what ``write_json`` wrote; a name that stands twice in an object is an error."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=_unique)
    except (OSError, ValueError, RecursionError) as error:
        raise GataError(f"{path}: cannot be read ({error})") from error
    if not isinstance(value, dict):
        raise GataError(f"{path}: expected an object, found {type(value).__name__}")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, whose names must differ: of two values one would be lost."""
    names = [name for name, _ in pairs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"{twice!r} stands there twice")
    return dict(pairs)


def read_metrics(path: Path) -> list[dict[str, Any]]:
    """The lines of a run's metrics."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise GataError(f"{path}: cannot be read ({error})") from error
    reports = []
    for number, line in enumerate(lines, start=1):
        try:
            reports.append(json.loads(line))
        except ValueError as error:
            raise GataError(f"{path}: line {number} is not understood ({error})") from error
    return reports


def _differences(before: Any, now: Any, named: str = "") -> Iterator[str]:
    """What was and what is, of each setting that differs; settings within settings by name."""
    if isinstance(before, dict) and isinstance(now, dict):
        for name in sorted(before.keys() | now.keys()):
            yield from _differences(before.get(name), now.get(name), name)
    elif before != now:
        yield f"{named} {before!r}, not {now!r}"
