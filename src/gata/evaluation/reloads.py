"""How often a training took up its best weights again."""

from gata.evaluation.records import Record
from gata.rl.patience import Verdict, judge


def reloads(record: Record) -> int:
    """What the rule made of the evaluations on the record's curve.

    Each throws away what was learnt in ``patience + 2`` evaluations; what was experienced
    meanwhile stays in the replay.
    """
    count = setbacks = 0
    best = 0.0
    for point in record.curve:
        if point.valid_score is None:
            continue
        patience = record.settings.learning.patience
        verdict, setbacks = judge(point.valid_score, best, setbacks, patience)
        best = max(best, point.valid_score)
        count += verdict is Verdict.RELOAD
    return count
