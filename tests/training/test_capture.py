"""Captured functions: on a GPU they give what the function gives, also when its tensors move."""

import pytest
import torch

from gata.nn.branch import Branch
from gata.training.capture import Captured

DEVICES = [
    "cpu",
    pytest.param("cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")),
]


@pytest.mark.parametrize("device", DEVICES)
def test_every_call_gives_what_the_function_gives(device: str) -> None:
    weight = torch.ones(3, device=device)
    captured = Captured(lambda x: (x * weight, x.sum()), torch.device(device))
    kept = []
    for number in range(6):
        weight.fill_(number)
        for width in (3, 1):
            given = torch.full((2, width), float(number + 1), device=device)
            product, total = captured(given)
            assert torch.equal(product, given * weight)
            assert total.item() == 2 * width * (number + 1)
        kept.append(product)
    # What was returned stays what it was.
    assert [row[0, 2].item() for row in kept] == [n * (n + 1) for n in range(6)]


@pytest.mark.parametrize("device", DEVICES)
def test_another_version_looks_at_tensors_that_have_moved(device: str) -> None:
    table = {"now": torch.zeros(4, device=device)}
    captured = Captured(lambda at: (table["now"][at],), torch.device(device))
    places = torch.tensor([1, 2], device=device)
    for version in range(3):
        table["now"] = torch.full((4,), float(version), device=device)
        for _ in range(4):
            (found,) = captured(places, version=version)
            assert found.tolist() == [version, version]


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
def test_what_others_captured_survives_a_new_version() -> None:
    """Products share what libraries work in, if nobody takes care; here long sums make them."""
    device = torch.device("cuda")
    tables = [torch.rand(20_000, 8, device=device) for _ in range(2)]
    weight = torch.rand(20_000, 8, device=device)
    staying = Captured(lambda x: (x @ weight,), device)
    moving = Captured(lambda x: (x @ tables[-1],), device)
    for version in range(6):
        tables.append(torch.rand(20_000, 8, device=device))
        for _ in range(4):
            given = torch.rand(8, 20_000, device=device)
            for captured, table in ((moving, tables[-1]), (staying, weight)):
                (product,) = captured(given, version=version if captured is moving else None)
                assert torch.allclose(product, given @ table, rtol=1e-2)


@pytest.mark.parametrize("device", DEVICES)
def test_branches_join(device: str) -> None:
    """Long products on a branch, and a branch of that; gradients go back the same ways."""
    weight = torch.rand(600, 600, device=device, requires_grad=True)

    def product(x: torch.Tensor, times: int) -> torch.Tensor:
        for _ in range(times):
            x = (x @ weight).tanh()
        return x

    def work(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        outer = Branch("outer")
        with outer.aside(x):
            inner = Branch("inner")
            with inner.aside(x):
                long = product(x, 12)
            short = product(x, 2)
            inner.join(long)
            both = long * short
        own = product(x, 1)
        outer.join(both)
        total = (own * both).sum()
        return total.detach(), *torch.autograd.grad(total, weight)

    captured = Captured(work, torch.device(device))
    for _ in range(6):
        given = torch.randn(300, 600, device=device) / 600
        found, expected = captured(given), work(given)
        for mine, other in zip(found, expected, strict=True):
            assert torch.allclose(mine, other, rtol=1e-3, atol=1e-5)


@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="no second GPU")
def test_a_second_gpu_captures_its_own_work() -> None:
    device = torch.device("cuda:1")
    captured = Captured(lambda x: (x + 1,), device)
    for number in range(5):
        assert captured(torch.full((2,), float(number), device=device))[0].tolist() == [
            number + 1,
            number + 1,
        ]
