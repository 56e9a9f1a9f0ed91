"""How well texts and sets agree."""

from collections import Counter
from collections.abc import Collection, Hashable, Sequence


def bag_f1(written: Sequence[Hashable], true: Sequence[Hashable]) -> float:
    """F1 of two bags of words; 1 if both are empty, 0 if one is."""
    if not written or not true:
        return float(len(written) == len(true))
    common = sum((Counter(written) & Counter(true)).values())
    # Twice the common ones by all of them: the harmonic mean of precision and recall.
    return 2 * common / (len(written) + len(true))


def set_f1(written: Collection[Hashable], true: Collection[Hashable]) -> float:
    """F1 of two sets; 1 if both are empty, 0 if one is."""
    return bag_f1(list(set(written)), list(set(true)))
