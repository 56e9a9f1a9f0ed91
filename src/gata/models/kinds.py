"""The kinds of models there are: how each is built, and which of its parts are of use elsewhere."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
from torch import nn

from gata.nn.command_generator import CommandGenerator
from gata.nn.models import (
    ContrastiveClassification,
    NodeInfomax,
    ObservationGeneration,
    TextObservationGeneration,
    TransitionModel,
)
from gata.nn.settings import NetworkSettings
from gata.nn.words import Lexicon

WHOLE = ""
"""The name of the part that is the model itself."""


@dataclass(frozen=True)
class Kind:
    """A kind of model."""

    about: str
    """What it learnt to do, in a few words."""
    build: Callable[[Lexicon, NetworkSettings], nn.Module]
    """Makes one, untrained."""
    parts: Mapping[str, str]
    """By role, the dotted name of the part that plays it. Roles are the first half of the names
    that ``gata.load`` takes."""


_GRAPH_TASK = {"pretrain": WHOLE, "encoder": "encoders"}
_UPDATER_TASK = {"pretrain": WHOLE, "updater": "updater", "encoder": "updater.encoders"}

KINDS: Mapping[str, Kind] = {
    "og": Kind("observation generation", ObservationGeneration, _UPDATER_TASK),
    "coc": Kind("contrastive observation classification", ContrastiveClassification, _UPDATER_TASK),
    "text-og": Kind(
        "observation generation without a graph", TextObservationGeneration, {"pretrain": WHOLE}
    ),
    "cg": Kind(
        "command generation",
        CommandGenerator,
        {"pretrain": WHOLE, "updater": WHOLE, "encoder": "encoders"},
    ),
    "ap": Kind("action prediction", TransitionModel, _GRAPH_TASK),
    "sp": Kind("state prediction", TransitionModel, _GRAPH_TASK),
    "dgi": Kind("deep graph infomax", NodeInfomax, _GRAPH_TASK),
}

AGENT = "agent"
"""The kind of files that hold a whole agent, and the role in their names. What an agent is built of
depends on its preset: ``gata.agents.stored`` knows."""

ROLES = tuple(sorted({role for kind in KINDS.values() for role in kind.parts}))


def about(kind: str) -> str:
    """What a model of a kind learnt to do."""
    return "a trained agent" if kind == AGENT else KINDS[kind].about


def roles(kind: str) -> tuple[str, ...]:
    """The first halves of the names under which a model of a kind can be loaded."""
    return (AGENT,) if kind == AGENT else tuple(KINDS[kind].parts)


def build(kind: str, lexicon: Lexicon, settings: NetworkSettings) -> nn.Module:
    """An untrained model of ``kind`` on the CPU, in float32.

    Its weights, mostly about to be replaced, are drawn with the caller's random numbers, which are
    left as they were.
    """
    with torch.random.fork_rng(devices=[]), torch.device("cpu"):
        return KINDS[kind].build(lexicon, settings).float()
