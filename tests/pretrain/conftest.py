"""A small real corpus: a few games of level 1, played once for all tests."""

from pathlib import Path

import pytest
import torch

from gata.games.store import load_set
from gata.pretrain.data.collect import collect
from gata.pretrain.loop import open_data
from gata.pretrain.settings import SETTINGS
from gata.pretrain.tasks.making import make_task
from gata.pretrain.tasks.task import Task


@pytest.fixture(scope="session")
def data_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    games = load_set("level1/valid")
    for split, some in (("train", games[:3]), ("valid", games[3:4]), ("test", games[4:5])):
        collect(some, folder / split, seed=1, branch=3, jobs=1, name=f"few/{split}")
    return folder


@pytest.fixture
def one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture
def make(data_folder: Path, one_thread: None):
    """Make a small task on the small corpus."""

    def make(name: str, **options) -> Task:
        device = torch.device("cpu")
        settings = SETTINGS[name](**({"hidden": 16, "batch": 8} | options))
        return make_task(settings, open_data(data_folder, device), device)

    return make
