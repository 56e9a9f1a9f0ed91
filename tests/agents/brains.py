"""Small brains of every kind; trained parts come from files made on the spot."""

from dataclasses import replace
from pathlib import Path

import torch

from gata.agents.making import Brain, make_brain
from gata.agents.presets import find
from gata.language.vocabulary import EOS
from gata.models.kinds import build
from gata.models.vocabularies import shipped
from gata.models.weights import save_model
from tests.belief.networks import settings

FAMILIES = {"gata-coc": "coc", "gata-og": "og", "gtp": "cg"}
"""Which kind of model a family's updater is part of."""


def stored(folder: Path, kind: str, **changes) -> str:
    """A small untrained model in a file."""
    path = folder / f"{kind}.safetensors"
    if not path.exists():
        network = settings(**changes)
        with torch.random.fork_rng():
            torch.manual_seed(0)
            model = build(kind, shipped().lexicon, network)
        if kind == "cg":
            # Untrained it would write the longest text there is at every step.
            with torch.no_grad():
                model.decoder.vocabulary.bias[EOS] += 10
        save_model(path, model, kind=kind, settings=network, card={}, dtype=torch.float32)
    return str(path)


def small_preset(name: str, folder: Path):
    """The preset with small models in the place of the shipped ones."""
    preset = find(name)
    kind = "discrete" if preset.belief in ("given", "discrete") else "continuous"
    if preset.updater is not None:
        task = preset.updater.partition("/")[2]
        preset = replace(preset, updater=stored(folder, task, graph_kind=kind))
    if preset.encoder is not None:
        task = preset.encoder.partition("/")[2].partition("-")[0]
        preset = replace(preset, encoder=stored(folder, task, graph_kind=kind))
    return preset


def small_brain(name: str, folder: Path, seed: int = 1, device: str = "cpu") -> Brain:
    preset = small_preset(name, folder)
    network = None if preset.encoder else settings()
    return make_brain(preset, seed=seed, device=torch.device(device), network=network)
