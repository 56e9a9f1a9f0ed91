"""The paper's scores on the pre-training tasks' test data, as printed."""

from collections.abc import Mapping

PAPER_SCORES: Mapping[str, Mapping[str, float]] = {
    "og": {"loss": 22.28, "f1": 0.68},
    "coc": {"loss": 0.06, "accuracy": 0.97},
    "cg": {"f1": 0.968},
    "cg-no-labels": {"f1": 0.910},
    "ap-full": {"accuracy": 0.891},
    "ap-seen": {"accuracy": 0.873},
    "sp-full": {"accuracy": 0.926},
    "sp-seen": {"accuracy": 0.971},
    "dgi-full": {"accuracy": 1.0},
    "dgi-seen": {"accuracy": 1.0},
    "ap-full-no-labels": {"accuracy": 0.472},
    "ap-seen-no-labels": {"accuracy": 0.631},
    "sp-full-no-labels": {"accuracy": 0.419},
    "sp-seen-no-labels": {"accuracy": 0.612},
    "dgi-full-no-labels": {"accuracy": 0.999},
    "dgi-seen-no-labels": {"accuracy": 1.0},
}
"""By the name of the weights, then by metric. The scores of command generation stand in a comment
of the paper's source."""
