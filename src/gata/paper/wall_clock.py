"""How long the paper's experiments took (its Table 9), as printed: one NVIDIA P40 or P100 each."""

from collections.abc import Mapping

PRETRAINING_DAYS: Mapping[str, float] = {
    "og": 2,
    "coc": 2,
    "cg": 2,
    "ap-full": 2,
    "ap-seen": 2,
    "sp-full": 5,
    "sp-seen": 5,
    "dgi-full": 1,
    "dgi-seen": 1,
}
"""By the name of the weights."""

PRETRAINING_BATCH: Mapping[str, int] = {
    "og": 48,
    "coc": 64,
    "cg": 128,
    "ap-full": 256,
    "ap-seen": 256,
    "sp-full": 48,
    "sp-seen": 48,
    "dgi-full": 256,
    "dgi-seen": 256,
}
"""Examples per update, by the name of the weights."""

AGENT_DAYS = 2.0
"""Every agent's reinforcement learning, in days."""
AGENT_BATCH = 64
"""Steps per update of an agent."""
