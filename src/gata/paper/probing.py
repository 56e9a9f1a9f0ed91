"""The paper's results of probing belief graphs for relations (its Table 7), as printed."""

from collections.abc import Mapping
from typing import NamedTuple


class Probed(NamedTuple):
    """A share, 0 to 1, of pairs of nodes."""

    positive: float
    """Of the pairs that are related."""
    negative: float
    """Of the plausible pairs that are not."""
    average: float


class ProbeRow(NamedTuple):
    """How well a linear probe reads the relations off one kind of belief."""

    exact_train: Probed
    exact_test: Probed
    """All relations of a pair are right."""
    f1_train: Probed
    f1_test: Probed


PROBING: Mapping[str, ProbeRow] = {
    "random": ProbeRow(
        Probed(0.00, 0.99, 0.49),
        Probed(0.00, 0.99, 0.49),
        Probed(0.00, 0.99, 0.49),
        Probed(0.00, 0.99, 0.49),
    ),
    "ground-truth": ProbeRow(
        Probed(0.98, 0.96, 0.97),
        Probed(0.97, 0.96, 0.97),
        Probed(0.98, 0.96, 0.97),
        Probed(0.98, 0.96, 0.97),
    ),
    "tr-drqn": ProbeRow(
        Probed(0.61, 0.84, 0.73),
        Probed(0.61, 0.83, 0.72),
        Probed(0.61, 0.84, 0.73),
        Probed(0.61, 0.83, 0.72),
    ),
    "gata-og": ProbeRow(
        Probed(0.69, 0.86, 0.78),
        Probed(0.70, 0.86, 0.78),
        Probed(0.71, 0.85, 0.78),
        Probed(0.72, 0.86, 0.79),
    ),
    "gata-coc": ProbeRow(
        Probed(0.65, 0.86, 0.75),
        Probed(0.65, 0.84, 0.75),
        Probed(0.67, 0.85, 0.76),
        Probed(0.67, 0.84, 0.75),
    ),
}
"""By what is probed: noise, the true seen graph, the recurrent state of the text model, and the
belief graphs of both updaters."""
