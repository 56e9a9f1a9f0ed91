"""Weights & Biases, for those who have it: a run's metrics go there too."""

import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gata.errors import GataError, UsageError, install_extra
from gata.files import atomic_write

ID_FILE = "wandb-id.txt"
"""The run's name on their side: a run that goes on stays the same run there."""


class Tracker:
    """A run on Weights & Biases.

    Their own settings hold: ``WANDB_MODE=offline`` writes to the run's folder and asks nobody.
    """

    def __init__(self, project: str, folder: Path, about: Mapping[str, Any]) -> None:
        """Begin the run there, or go on with it.

        Args:
            project: its name there.
            folder: of our run.
            about: what decides the run's course.
        """
        try:
            import wandb
        except ImportError as error:
            raise UsageError(
                "--wandb needs Weights & Biases, which is not installed:"
                f" {install_extra('wandb')} ({error})"
            ) from error
        path = folder / ID_FILE
        if not path.exists():
            with atomic_write(path) as stream:
                stream.write(uuid.uuid4().hex[:12].encode())
        try:
            self._run = wandb.init(
                project=project,
                name=folder.name,
                id=path.read_text(encoding="utf-8"),
                resume="allow",
                reinit="create_new",  # runs of a sweep go on side by side in one process
                dir=folder,
                config=dict(about),
            )
        except (wandb.errors.Error, OSError) as error:
            raise GataError(f"--wandb {project}: {error}") from error
        # Reports that come again after a restart fall onto the old ones.
        self._run.define_metric("*", step_metric="update")

    def report(self, kind: str, update: int, values: Mapping[str, float]) -> None:
        """A point of each curve."""
        self._run.log({"update": update, **{f"{kind}/{name}": v for name, v in values.items()}})

    def finish(self, results: Mapping[str, Any]) -> None:
        """The last word."""
        self._run.summary.update(dict(results))
        self._run.finish()
