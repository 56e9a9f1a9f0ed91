"""Tasks with trained weights: from a file back to the task it was trained for."""

from pathlib import Path
from typing import NamedTuple

import torch

from gata.errors import GataError
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


def load_task(path: Path, data_folder: Path, split: Split, device: torch.device) -> Trained:
    """The task of a file of weights, with one split of a corpus to look at."""
    settings = settings_of(path)
    data = {split: CorpusTensors(Corpus.open(data_folder / split), device)}
    task = make_task(settings, data, device)
    task.model.load_state_dict(load_model(path, device=device).state_dict())
    task.model.eval()
    return Trained(settings, task)


def settings_of(path: Path) -> TaskSettings:
    """With which settings a file's weights were trained."""
    stored = read_model(path)
    if stored.kind not in SETTINGS:
        raise GataError(f"{path}: kind is {stored.kind!r}, expected {' or '.join(SETTINGS)}")
    try:
        return SETTINGS[stored.kind](**stored.card["settings"])
    except (KeyError, TypeError) as error:
        raise GataError(
            f"{path}: its card has no usable 'settings', expected those of {stored.kind} ({error})"
        ) from error
