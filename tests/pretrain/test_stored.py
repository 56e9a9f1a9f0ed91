"""Trained weights: what is shipped does what its card says, and its card says what was measured."""

import json
from pathlib import Path

import pytest
import torch

from gata.errors import GataError
from gata.models.shipped import find, names
from gata.models.weights import read_model
from gata.paper.pretraining import PAPER_SCORES
from gata.pretrain.stored import load_task, settings_of
from tests.models.samples import saved

RESULTS = Path(__file__).parents[2] / "results" / "pretrain"
EVERY_MODEL = pytest.mark.parametrize("name", names())

SURE = {"og": 0.8, "text-og": 0.8, "coc": 0.97, "cg": 0.9, "ap": 0.9, "sp": 0.9, "dgi": 0.999}
"""By kind, the F1 or accuracy of which a change of the networks would leave little."""


@EVERY_MODEL
def test_shipped_weights_fit_the_networks_of_today(
    name: str, data_folder: Path, one_thread: None
) -> None:
    """On games of level 1, which they were not trained with."""
    settings, task = load_task(find(name), data_folder, "train", torch.device("cpu"))
    metrics = task.evaluate("train", 2)
    assert metrics.get("f1", metrics.get("accuracy")) >= SURE[settings.task]


@EVERY_MODEL
def test_a_card_says_what_the_run_s_files_say(name: str) -> None:
    card = dict(read_model(find(name)).card)
    settings = card.pop("settings")
    assert card == json.loads((RESULTS / name / "results.json").read_text())
    of_run = json.loads((RESULTS / name / "settings.json").read_text())["settings"]
    of_run.pop("task", None)
    assert settings == of_run


@EVERY_MODEL
def test_shipped_weights_reach_the_paper_s_figures(name: str) -> None:
    ours = read_model(find(name)).card["metrics"]
    for metric, paper in PAPER_SCORES.get(name, {}).items():
        if metric == "loss":
            assert ours[metric] <= paper
        else:
            assert ours[metric] >= min(paper, 0.999), "the paper's 1.000 is rounded"


def test_weights_that_do_not_say_how_they_were_trained(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    saved(path, "dgi")
    with pytest.raises(GataError, match=f"{path}: .*'settings'"):
        settings_of(path)
