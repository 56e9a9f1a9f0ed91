"""Getting a device ready: kernels that are wrong on a GPU are not used there.

There may be no GPU here, so that one is there and what it found are told; the check itself is
tested with its kernels (``tests/nn/fused/test_checking.py``).
"""

import os
from collections.abc import Iterator

import pytest
import torch

from gata.nn import fused
from gata.nn.fused import checking
from gata.training import device as devices
from gata.training.device import get_ready

GPU = torch.device("cuda", 0)


@pytest.fixture(autouse=True)
def _as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(fused.SWITCH, "on")
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda _: (9, 0))
    monkeypatch.setattr(fused, "find_spec", lambda _: "there")
    monkeypatch.setattr(devices, "_checked", set())
    fused.available.cache_clear()
    before = torch.get_float32_matmul_precision()
    yield
    torch.set_float32_matmul_precision(before)
    fused.available.cache_clear()


def test_wrong_kernels_are_switched_off(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(checking, "fault", lambda _: "values are off by 0.5")
    assert fused.available(GPU)
    get_ready(GPU)
    assert not fused.available(GPU)
    assert os.environ[fused.SWITCH] == "off"
    assert "kernels are switched off" in capsys.readouterr().err


def test_right_kernels_stay_and_are_checked_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[torch.device] = []
    monkeypatch.setattr(checking, "fault", asked.append)
    get_ready(GPU)
    get_ready(GPU)
    assert asked == [GPU]
    assert fused.available(GPU)
    assert not capsys.readouterr().err


def test_kernels_that_nobody_wants_are_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(fused.SWITCH, "off")
    asked: list[torch.device] = []
    monkeypatch.setattr(checking, "fault", asked.append)
    get_ready(GPU)
    assert asked == []
