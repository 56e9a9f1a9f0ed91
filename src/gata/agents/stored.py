"""Trained agents to files and back."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import torch

from gata.agents.making import Brain, make_belief
from gata.agents.presets import Preset
from gata.agents.selector import ActionSelector
from gata.errors import GataError
from gata.models import shipped
from gata.models.files import read_tensors, write_tensors
from gata.models.vocabularies import shipped as shipped_vocabularies
from gata.nn.settings import NetworkSettings
from gata.training.run import WEIGHTS_FILE


class Stored(NamedTuple):
    """An agent from a file."""

    brain: Brain
    card: dict[str, Any]
    """How it came to be, and how good it is."""


def save_agent(path: Path, brain: Brain, card: Mapping[str, Any]) -> None:
    """Write an agent's selector, in full precision, and how to build the agent again.

    A trained updater is not part of the file: it is named, and held to by its hash.
    """
    write_tensors(
        path,
        brain.selector.state_dict(),
        {
            "agent": asdict(brain.preset),
            "settings": asdict(brain.settings),
            "vocabularies": shipped_vocabularies().fingerprints,
            "updater sha256": _updater_digest(brain.preset),
            "card": dict(card),
        },
    )


def load_agent(path: str | Path, device: torch.device) -> Stored:
    """The agent of a file or of a run's folder."""
    file = Path(path) / WEIGHTS_FILE if Path(path).is_dir() else Path(path)
    tensors, header = read_tensors(file)
    vocabularies = shipped_vocabularies()
    try:
        preset = Preset(**header["agent"])
        settings = NetworkSettings(**header["settings"])
        stored_words, digest = header["vocabularies"], header["updater sha256"]
        card = dict(header["card"])
    except (KeyError, TypeError, ValueError) as error:
        raise GataError(f"{file}: not the file of an agent ({error})") from error
    if stored_words != vocabularies.fingerprints:
        raise GataError(f"{file}: trained over other vocabularies than this version's")
    if digest != _updater_digest(preset):
        raise GataError(f"{file}: {preset.updater} is not the updater it was trained with")
    with torch.random.fork_rng(devices=[]):
        selector = ActionSelector(
            vocabularies.lexicon, settings, uses=preset.uses, recurrent=preset.recurrent
        )
    try:
        selector.load_state_dict(tensors)
    except RuntimeError as error:
        raise GataError(f"{file}: its weights do not fit its settings ({error})") from error
    belief = make_belief(preset, vocabularies, device)
    return Stored(Brain(preset, settings, selector.to(device).eval(), belief), card)


def _updater_digest(preset: Preset) -> str | None:
    if preset.updater is None:
        return None
    return hashlib.sha256(shipped.find(preset.updater).read_bytes()).hexdigest()
