"""How much of a training was undone by taking up the best weights again."""

from dataclasses import dataclass

from gata.evaluation.records import Record
from gata.rl.patience import Verdict, judge


@dataclass(frozen=True)
class Reloads:
    """Of one training."""

    count: int
    """How often the best weights were taken up again."""
    undone: int
    """Episodes whose learning was thrown away then; what they left in the replay stayed."""
    last_best: int
    """Episodes played when the weights that were tested came about."""


def reloads(record: Record) -> Reloads:
    """What the rule made of the evaluations on the record's curve.

    A reload throws away what was learnt since the weights that it takes up were last in use: since
    they were found, or since the reload before it.
    """
    patience = record.settings.learning.patience
    count = undone = setbacks = in_use = last_best = 0
    best = 0.0
    for point in record.curve:
        if point.valid_score is None:
            continue
        verdict = judge(point.valid_score, best, setbacks, patience)
        setbacks = setbacks + 1 if verdict is Verdict.SETBACK else 0
        if verdict is Verdict.BEST:
            best, in_use, last_best = point.valid_score, point.episodes, point.episodes
        elif verdict is Verdict.RELOAD:
            count, undone, in_use = count + 1, undone + point.episodes - in_use, point.episodes
    return Reloads(count, undone, last_best)
