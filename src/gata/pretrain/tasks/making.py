"""From settings to a task."""

from collections.abc import Mapping
from typing import Any

import torch

from gata.belief.lexicon import make_lexicon
from gata.language import vocabulary
from gata.language.vectors import word_vectors
from gata.nn.command_generator import CommandGenerator
from gata.nn.models import (
    ContrastiveClassification,
    NodeInfomax,
    ObservationGeneration,
    TextObservationGeneration,
    TransitionModel,
)
from gata.nn.words import Lexicon
from gata.pretrain.settings import (
    CgSettings,
    CocSettings,
    DgiSettings,
    GraphSettings,
    OgSettings,
    TaskSettings,
    TextOgSettings,
)
from gata.pretrain.tasks.cg import CommandTask
from gata.pretrain.tasks.coc import ContrastiveTask
from gata.pretrain.tasks.dgi import InfomaxTask
from gata.pretrain.tasks.og import ObservationTask
from gata.pretrain.tasks.task import Split, Task
from gata.pretrain.tasks.transitions import TransitionTask
from gata.pretrain.tensors import CorpusTensors
from gata.training.together import ALONE, Together


def shipped_lexicon() -> Lexicon:
    """The package's own words and vectors, the paper's nodes and relations."""
    words = vocabulary.default()
    return make_lexicon(words, torch.tensor(word_vectors(words).matrix))


def make_task(
    settings: TaskSettings,
    data: Mapping[Split, CorpusTensors],
    device: torch.device,
    together: Together = ALONE,
) -> Task:
    """A task with a new model. The first weights depend on the seed, not on the device."""
    lexicon = shipped_lexicon()
    torch.manual_seed(settings.seed)
    network = settings.network
    common: dict[str, Any] = {
        "batch": settings.batch,
        "seed": settings.seed,
        "together": together,
    }
    match settings:
        case OgSettings():
            model = ObservationGeneration(lexicon, network).to(device)
            return ObservationTask(model, data, steps=settings.steps, **common)
        case TextOgSettings():
            rival = TextObservationGeneration(lexicon, network).to(device)
            return ObservationTask(rival, data, steps=settings.steps, **common)
        case CocSettings():
            judge = ContrastiveClassification(lexicon, network).to(device)
            return ContrastiveTask(judge, data, steps=settings.steps, near=settings.near, **common)
        case CgSettings():
            generator = CommandGenerator(lexicon, network).to(device)
            return CommandTask(generator, data, unknown_nodes=settings.unknown_nodes, **common)
        case DgiSettings():
            infomax = NodeInfomax(lexicon, network).to(device)
            return InfomaxTask(
                infomax,
                data,
                graph=settings.graph,
                unknown_nodes=settings.unknown_nodes,
                **common,
            )
        case GraphSettings():
            transitions = TransitionModel(lexicon, network).to(device)
            return TransitionTask(
                transitions,
                data,
                graph=settings.graph,
                question="action" if settings.task == "ap" else "state",
                unknown_nodes=settings.unknown_nodes,
                **common,
            )
    raise AssertionError(f"no task for {settings}")
