"""Small untrained models over the real vocabularies."""

from pathlib import Path
from typing import Any

import torch
from torch import nn

from gata.models.kinds import KINDS, build
from gata.models.vocabularies import shipped
from gata.models.weights import save_model
from gata.nn.settings import NetworkSettings

SMALL = NetworkSettings(
    hidden=8, convolutions=1, graph_layers=2, node_embedding=4, relation_embedding=2, max_length=32
)

CARD: dict[str, Any] = {
    "task": "a test",
    "command": "gata pretrain og --seed 3",
    "seed": 3,
    "seconds": 1.5,
    "metrics": {"test": {"f1": 0.68125, "loss": 22.28}},
}


def model(kind: str, settings: NetworkSettings = SMALL) -> nn.Module:
    """Weights that float16 holds exactly, so that what is read can be compared exactly."""
    made = build(kind, shipped().lexicon, settings)
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.copy_(torch.randn_like(parameter).half())
    return made


def saved(path: Path, kind: str, **changes: Any) -> nn.Module:
    """A model that has just been written to ``path``."""
    made = model(kind)
    save_model(path, made, **({"kind": kind, "settings": SMALL, "card": CARD} | changes))
    return made


def saved_all(folder: Path) -> list[str]:
    """One model of each kind in a folder; their names."""
    for kind in KINDS:
        saved(folder / f"{kind}.safetensors", kind)
    return sorted(KINDS)
