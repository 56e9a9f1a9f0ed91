"""When the best weights are taken up again: the rule of the paper's Algorithm 1."""

from enum import Enum


class Verdict(Enum):
    """What an evaluation on the validation games means."""

    BEST = "best"
    """As good as the best so far or better: these weights are kept, and counting begins anew."""
    SETBACK = "setback"
    """Worse than the best; nothing happens yet."""
    RELOAD = "reload"
    """Worse once too often: the best weights are taken up again, and counting begins anew."""


def judge(score: float, best: float, setbacks: int, patience: int) -> Verdict:
    """Judge an evaluation.

    Args:
        score: on the validation games.
        best: of the evaluations before it; 0 before the first.
        setbacks: how many of these in a row were worse than the best, since the best or since the
            best weights were last taken up again.
        patience: how many are borne; the reload comes with the second one after these.
    """
    if score >= best:
        return Verdict.BEST
    return Verdict.RELOAD if setbacks > patience else Verdict.SETBACK
