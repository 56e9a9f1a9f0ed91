"""When layers take the kernels, and when they do not."""

from collections.abc import Iterator

import pytest
import torch

from gata.errors import UsageError
from gata.nn import fused

GPU = torch.device("cuda", 0)


@pytest.fixture(autouse=True)
def _asked_anew() -> Iterator[None]:
    fused.available.cache_clear()
    yield
    fused.available.cache_clear()


@pytest.mark.parametrize(
    ("switch", "capability", "expected"),
    [
        (None, (9, 0), True),
        ("on", (8, 0), True),
        ("off", (9, 0), False),
        (None, (7, 5), False),
    ],
)
def test_kernels_want_a_new_gpu_and_no_switch_against_them(
    switch: str | None,
    capability: tuple[int, int],
    expected: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda _: capability)
    if switch is None:
        monkeypatch.delenv(fused.SWITCH, raising=False)
    else:
        monkeypatch.setenv(fused.SWITCH, switch)
    assert fused.available(GPU) == expected


def test_another_word_for_the_switch_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(fused.SWITCH, "maybe")
    with pytest.raises(UsageError, match="GATA_KERNELS is 'maybe', expected on or off"):
        fused.available(GPU)


def test_a_cpu_takes_none() -> None:
    assert not fused.usable(torch.zeros(2, 32))
