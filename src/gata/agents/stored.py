"""Trained agents to files and back."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import torch

from gata.agents.making import Brain, make_belief
from gata.agents.presets import Preset
from gata.agents.selector import ActionSelector
from gata.errors import GataError, UsageError
from gata.models import shipped
from gata.models.files import content_digest, write_tensors
from gata.models.kinds import AGENT
from gata.models.vocabularies import shipped as shipped_vocabularies
from gata.models.weights import check_fingerprints, check_tensors, read_model, stored_as


class Stored(NamedTuple):
    """An agent from a file."""

    brain: Brain
    card: dict[str, Any]
    """How it came to be, and how good it is."""


def save_agent(
    path: Path, brain: Brain, card: Mapping[str, Any], dtype: torch.dtype = torch.float32
) -> None:
    """Write an agent's selector, and how to build the agent again.

    A trained updater is not part of the file: it is named, and held to by its hash.

    Args:
        path: the file.
        brain: the agent.
        card: free JSON: how it came to be, and how good it is.
        dtype: how floats are stored; half precision halves the file.
    """
    tensors = stored_as(brain.selector, dtype)
    check_tensors(path, tensors, brain.selector.state_dict())
    write_tensors(
        path,
        tensors,
        {
            "kind": AGENT,
            "agent": asdict(brain.preset),
            "settings": asdict(brain.settings),
            "vocabularies": shipped_vocabularies().fingerprints,
            "updater sha256": digest_of(brain.preset.updater),
            "card": dict(card),
        },
    )


def load_agent(name: str | Path, device: torch.device | str) -> Stored:
    """The agent of a name (``agent/NAME``), of a file or of a run's folder."""
    file = shipped.find(name)
    stored = read_model(file)
    if stored.kind != AGENT:
        raise UsageError(
            f"{name}: a model of kind {stored.kind!r}, expected an agent; give {AGENT}/NAME"
            " (`gata models list` shows them) or the folder of a run of `gata train`"
        )
    vocabularies = shipped_vocabularies()
    check_fingerprints(stored, vocabularies)
    try:
        preset = Preset(**stored.header["agent"])
        digest = stored.header["updater sha256"]
    except (KeyError, TypeError, ValueError) as error:
        raise GataError(f"{file}: not the file of an agent ({error})") from error
    if digest != digest_of(preset.updater):
        raise GataError(f"{file}: {preset.updater} is not the updater it was trained with")
    with torch.random.fork_rng(devices=[]):
        selector = ActionSelector(
            vocabularies.lexicon, stored.settings, uses=preset.uses, recurrent=preset.recurrent
        )
    check_tensors(file, stored.tensors, selector.state_dict())
    selector.load_state_dict(stored.tensors)
    belief = make_belief(preset, vocabularies, torch.device(device))
    brain = Brain(preset, stored.settings, selector.to(device).eval(), belief)
    return Stored(brain, dict(stored.card))


def digest_of(model: str | None) -> str | None:
    """The SHA-256 of the trained model of a name or in a file, by its content; None of none."""
    return None if model is None else content_digest(shipped.find(model))
