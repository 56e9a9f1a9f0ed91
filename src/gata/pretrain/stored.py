"""Tasks with trained weights: from a file back to the task it was trained for."""

from pathlib import Path
from typing import NamedTuple

import torch

from gata.errors import GataError, UsageError
from gata.models.shipped import find
from gata.models.weights import load_model, read_model
from gata.pretrain.data.corpus import Corpus
from gata.pretrain.settings import SETTINGS, TaskSettings
from gata.pretrain.tasks.making import make_task
from gata.pretrain.tasks.task import Split, Task
from gata.pretrain.tensors import CorpusTensors


class Trained(NamedTuple):
    """A task whose model has learnt."""

    settings: TaskSettings
    task: Task


def load_task(name: str | Path, data_folder: Path, split: Split, device: torch.device) -> Trained:
    """The task of weights, by name or file, with one split of a corpus to look at."""
    path, settings = find(name), settings_of(name)
    data = {split: CorpusTensors(Corpus.open(data_folder / split), device)}
    task = make_task(settings, data, device)
    task.model.load_state_dict(load_model(path, device=device).state_dict())
    task.model.eval()
    return Trained(settings, task)


def settings_of(name: str | Path) -> TaskSettings:
    """With which settings weights were trained, by name or file."""
    stored = read_model(find(name))
    if stored.kind not in SETTINGS:
        raise UsageError(
            f"{name}: kind is {stored.kind!r}, expected {' or '.join(SETTINGS)}; `gata evaluate`"
            " tests agents"
        )
    try:
        return SETTINGS[stored.kind](**stored.card["settings"])
    except (KeyError, TypeError) as error:
        raise GataError(
            f"{name}: its card has no usable 'settings', expected those of {stored.kind} ({error})"
        ) from error
