"""``gata.load``: models by name."""

from pathlib import Path

import pytest
import torch

import gata
from gata.errors import GataError, UsageError
from gata.models import shipped
from gata.nn.continuous_updater import ContinuousUpdater
from gata.nn.encoders import Encoders
from gata.nn.models import NodeInfomax, ObservationGeneration
from tests.models.samples import saved


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with two models, one of them compressed."""
    monkeypatch.setattr(shipped, "DATA_DIR", tmp_path)
    saved(tmp_path / "og.safetensors.xz", "og")
    saved(tmp_path / "dgi-full.safetensors", "dgi")
    return tmp_path


def test_models_by_role_and_name(folder: Path) -> None:
    assert shipped.names() == ["dgi-full", "og"]
    whole = gata.load("pretrain/og")
    assert isinstance(whole, ObservationGeneration)
    updater = gata.load("updater/og", device="cpu")
    assert isinstance(updater, ContinuousUpdater)
    assert torch.equal(updater.decoder.first.weight, whole.updater.decoder.first.weight)
    assert isinstance(gata.load("encoder/og"), Encoders)
    assert isinstance(gata.load("encoder/dgi-full"), Encoders)


def test_files_by_path(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(gata.load(folder / "dgi-full.safetensors"), NodeInfomax)
    (folder / "updater").mkdir()
    (folder / "og.safetensors.xz").rename(folder / "updater" / "mine.safetensors.xz")
    (folder / "dgi-full.safetensors").rename(folder / "bare")
    monkeypatch.chdir(folder)
    assert isinstance(gata.load("updater/mine.safetensors.xz"), ObservationGeneration)
    assert isinstance(gata.load("updater/mine.safetensors.xz", role="updater"), ContinuousUpdater)
    assert isinstance(gata.load("bare"), NodeInfomax)
    (folder / "bare").rename(folder / "updater" / "weights.safetensors")
    assert isinstance(gata.load("updater"), NodeInfomax)
    assert isinstance(gata.load(folder / "updater", role="encoder"), Encoders)
    with pytest.raises(GataError, match=r"gone\.safetensors: no such file"):
        gata.load("gone.safetensors")


@pytest.mark.parametrize("name", ["updater/coc", "og", "driver/og", "", "updater/", "/og", "."])
def test_unknown_names_are_answered_with_the_command_that_lists_them(
    folder: Path, name: str
) -> None:
    with pytest.raises(UsageError, match=f"no model is called '{name}'.*; `gata models list`"):
        gata.load(name)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("og", "pretrain/og or updater/og or encoder/og"),
        ("dgi-full", "pretrain/dgi-full or encoder/dgi-full"),
        ("encoder/dgi-ful", "encoder/dgi-full"),
        ("dgi-ful", "dgi-full"),
    ],
)
def test_close_names_are_told(folder: Path, name: str, meant: str) -> None:
    with pytest.raises(UsageError, match=rf"\(did you mean {meant}(\?| or)"):
        gata.load(name)


@pytest.mark.parametrize(
    "name",
    [
        *("tr-dqn", "agent/tr-dqn", "agent/tr-dqn-level1", "tr-dqn-level1"),
        "agent/tr-dqn-level1-100games-seed2",
    ],
)
def test_of_a_kind_of_agent_the_trained_ones_are_told(name: str) -> None:
    with pytest.raises(UsageError, match=r"\(did you mean agent/tr-dqn-level1-100games-seed1[? ]"):
        gata.load(name)


def test_a_role_that_a_model_does_not_play(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"^updater/dgi-full: .* no 'updater', only encoder, pre"):
        gata.load("updater/dgi-full")
    with pytest.raises(UsageError, match="expected an encoder, not an updater; give encoder/og"):
        gata.load("updater/og", role="encoder")
    with pytest.raises(UsageError, match="an updater, not an encoder; give updater/NAME"):
        gata.load("encoder/dgi-full", role="updater")


def test_a_package_without_models_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "DATA_DIR", tmp_path / "nowhere")
    assert shipped.names() == []
    with pytest.raises(UsageError, match="no model is called 'updater/og'; `gata models list`"):
        gata.load("updater/og")


def test_the_file_of_a_name(folder: Path) -> None:
    for name in ("og", "updater/og", "pretrain/og"):
        assert shipped.find(name) == folder / "og.safetensors.xz"
    assert shipped.find("some/where.safetensors") == Path("some/where.safetensors")
    with pytest.raises(UsageError, match="no model is called 'coc'"):
        shipped.find("coc")
