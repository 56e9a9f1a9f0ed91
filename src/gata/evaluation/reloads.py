"""How often a training took up its best weights again."""

from collections.abc import Iterable

from gata.evaluation.records import Record
from gata.rl.patience import Verdict, judge


def reloads(record: Record) -> int:
    """Of the run of a record.

    Each throws away what was learnt in ``patience + 2`` evaluations; what was experienced
    meanwhile stays in the replay.
    """
    scores = (point.valid_score for point in record.curve if point.valid_score is not None)
    return count_reloads(scores, record.settings.learning.patience)


def count_reloads(scores: Iterable[float], patience: int) -> int:
    """What the rule makes of one evaluation after the other, in percent."""
    count = setbacks = 0
    best = 0.0
    for score in scores:
        verdict, setbacks = judge(score, best, setbacks, patience)
        best = max(best, score)
        count += verdict is Verdict.RELOAD
    return count
