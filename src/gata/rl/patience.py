"""When the best weights are taken up again: the rule of the paper's Algorithm 1."""

from enum import Enum
from typing import NamedTuple


class Verdict(Enum):
    """What an evaluation on the validation games means."""

    BEST = "best"
    """As good as the best so far or better: these weights are kept."""
    SETBACK = "setback"
    """Worse than the best; nothing happens yet."""
    RELOAD = "reload"
    """Worse once too often: the best weights are taken up again."""


class Judged(NamedTuple):
    """An evaluation, judged."""

    verdict: Verdict
    setbacks: int
    """How many there are now; counting begins anew with a best and with a reload."""


def judge(score: float, best: float, setbacks: int, patience: int) -> Judged:
    """Judge an evaluation.

    Args:
        score: on the validation games.
        best: of the evaluations before it; 0 before the first.
        setbacks: as the judgement before it counted them; 0 before the first.
        patience: a reload comes with evaluation number ``patience + 2`` in a row that is worse
            than the best.
    """
    if score >= best:
        return Judged(Verdict.BEST, 0)
    if setbacks > patience:
        return Judged(Verdict.RELOAD, 0)
    return Judged(Verdict.SETBACK, setbacks + 1)
