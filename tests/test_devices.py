"""The device that was named, or a line that says why not."""

import pytest
import torch

import gata
from gata.devices import choose_device
from gata.errors import UsageError


@pytest.mark.parametrize("choose", [choose_device, lambda name: gata.load("updater/coc", name)])
@pytest.mark.parametrize("name", ["tpu", "meta", "xla", "", "cuda:x"])
def test_what_is_no_device_is_told_in_a_line(choose, name: str) -> None:
    with pytest.raises(UsageError) as caught:
        choose(name)
    assert str(caught.value) == f"device is {name!r}, expected cpu or cuda"


@pytest.mark.parametrize("choose", [choose_device, lambda name: gata.load("updater/coc", name)])
@pytest.mark.parametrize("name", ["cuda", "cuda:1"])
def test_no_gpu(choose, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(UsageError, match=r"^no CUDA GPU is usable here, use --device cpu$"):
        choose(name)


def test_what_is_there() -> None:
    assert choose_device("cpu") == choose_device(torch.device("cpu")) == torch.device("cpu")
    assert choose_device("auto").type == ("cuda" if torch.cuda.is_available() else "cpu")
