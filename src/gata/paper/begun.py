"""How much of a run that was begun is left."""

from pathlib import Path

from gata.errors import GataError
from gata.training.run import CHECKPOINT_FILE, METRICS_FILE, RESULTS_FILE, read_metrics


def is_begun(folder: Path) -> bool:
    """Whether there is something to go on with: what was killed before that would begin anew.

    Args:
        folder: of a run.
    """
    return any((folder / name).exists() for name in (CHECKPOINT_FILE, RESULTS_FILE))


def share_left(folder: Path, episodes: int) -> float:
    """The share of its episodes that a run has still to play.

    All of them if it is not begun, or if its metrics cannot be read. They may be a little
    ahead of the checkpoint, by what is played between two of these.

    Args:
        folder: of the run.
        episodes: how many it has in all.
    """
    if (folder / RESULTS_FILE).exists():
        return 0.0
    if not is_begun(folder):
        return 1.0
    return max(0.0, 1 - _played(folder / METRICS_FILE) / episodes)


def _played(metrics: Path) -> int:
    """The episodes that the last line tells of; 0 if none does."""
    try:
        lines = read_metrics(metrics)
    except GataError:
        return 0
    told = [line["episodes"] for line in lines if isinstance(line, dict) and "episodes" in line]
    return told[-1] if told and type(told[-1]) is int and told[-1] > 0 else 0
