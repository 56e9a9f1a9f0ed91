"""How good predictions of relations are: exact match and F1."""

from collections.abc import Mapping

import numpy as np

from gata.evaluation.probing.walks import Array

Scores = Mapping[str, Mapping[str, float]]
"""By metric (``exact``, ``f1``), then over which pairs: ``related``, ``unrelated``, ``all``."""


def scores(predicted: Array, labels: Array) -> dict[str, dict[str, float]]:
    """Means over pairs; both arguments are (pairs, relations) booleans."""
    related = labels.any(axis=1)
    groups = {"related": related, "unrelated": ~related, "all": np.ones_like(related)}
    by_metric = {"exact": (predicted == labels).all(axis=1), "f1": f1(predicted, labels)}
    return {
        metric: {group: float(values[rows].mean()) for group, rows in groups.items()}
        for metric, values in by_metric.items()
    }


def f1(predicted: Array, labels: Array) -> Array:
    """(pairs,): 2 |both| / (|predicted| + |true|) of each pair; 1 where both are empty."""
    both = (predicted & labels).sum(axis=1)
    sizes = predicted.sum(axis=1) + labels.sum(axis=1)
    values: Array = np.where(sizes == 0, 1.0, 2 * both / np.maximum(sizes, 1))
    return values
