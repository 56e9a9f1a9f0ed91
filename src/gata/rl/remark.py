"""What stands below the bar of a training."""

from gata.rl.progress import Progress, Recent


def remark(
    progress: Progress, recent: Recent, epsilon: float, per_second: tuple[float, float]
) -> str:
    """Pace, exploration and scores in a line; what is not known yet is a dash.

    Args:
        progress: of the run.
        recent: its last episodes.
        epsilon: how often commands are chosen by chance.
        per_second: episodes and updates.
    """
    episodes, updates = per_second
    evaluated = progress.evaluations > 0
    return (
        f"{_pace(episodes)} episodes/s, {_pace(updates)} updates/s, epsilon {epsilon:.2f},"
        f" train {_score(recent.training_score)},"
        f" valid {_score(progress.valid if evaluated else None)},"
        f" best {_score(progress.best if evaluated else None)}"
    )


def _pace(per_second: float) -> str:
    """In few digits, so that a line of 80 columns has room for all; slow agents get one more."""
    digits = 0 if per_second >= 10 else 1 if per_second >= 0.1 else 2
    return f"{per_second:.{digits}f}"


def _score(percent: float | None) -> str:
    return "-" if percent is None else f"{percent:.1f}"
