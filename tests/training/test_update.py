"""Updates of weights against the plain loop everybody writes."""

import pytest
import torch
from torch import Tensor, nn

from gata.training.update import Update


def make_model() -> nn.Linear:
    torch.manual_seed(3)
    return nn.Linear(4, 2)


def squares(model: nn.Linear):
    def loss(inputs: Tensor, targets: Tensor) -> tuple[Tensor, ...]:
        outputs = model(inputs)
        return (outputs - targets).square().sum(), outputs

    return loss


def batches(device: str = "cpu") -> list[tuple[Tensor, Tensor]]:
    random = torch.Generator().manual_seed(5)
    sizes = [3, 3, 5, 3, 5, 3, 5, 3, 5, 3, 5, 3]
    return [
        (
            torch.randn(size, 4, generator=random).to(device),
            torch.randn(size, 2, generator=random).to(device),
        )
        for size in sizes
    ]


def plain(model: nn.Linear, rates: list[float]) -> list[float]:
    optimizer = torch.optim.RAdam(model.parameters(), lr=rates[0])
    losses = []
    for (inputs, targets), rate in zip(batches(), rates, strict=True):
        optimizer.param_groups[0]["lr"] = rate
        optimizer.zero_grad()
        loss = (model(inputs) - targets).square().sum()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        losses.append(loss.item())
    return losses


RATES = [0.1, 0.1, 0.05, 0.05, 0.02, 0.02, 0.1, 0.1, 0.1, 0.03, 0.03, 0.03]


@pytest.mark.parametrize(
    ("device", "parts"),
    [
        ("cpu", 1),
        ("cpu", 2),
        ("cpu", 4),
        pytest.param(
            "cuda", 1, marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
        ),
    ],
)
def test_updates_are_those_of_the_plain_loop(device: str, parts: int) -> None:
    """On a GPU most of these are replayed from a captured graph. Some batches have three rows."""
    expected_model = make_model()
    expected = plain(expected_model, RATES)
    model = make_model().to(device)
    update = Update(
        list(model.parameters()), squares(model), learning_rate=0.1, clip=0.5, parts=parts
    )
    losses = []
    for batch, rate in zip(batches(device), RATES, strict=True):
        update.set_rate(rate)
        with torch.no_grad():
            right = model(batch[0])
        loss, outputs = update(batch)
        assert not outputs.requires_grad
        assert torch.allclose(outputs, right, atol=1e-6)
        losses.append(loss.item())
    # A GPU calculates the rectification of the first updates in single precision.
    tolerance = 1e-5 if device == "cpu" else 1e-3
    assert losses == pytest.approx(expected, rel=10 * tolerance)
    assert torch.allclose(model.weight.cpu(), expected_model.weight, atol=tolerance)


def test_an_optimiser_goes_on_from_its_tensors() -> None:
    one, two = make_model(), make_model()
    first = Update(list(one.parameters()), squares(one), learning_rate=0.1, clip=0.5)
    for batch in batches()[:8]:
        first(batch)
    two.load_state_dict(one.state_dict())
    second = Update(list(two.parameters()), squares(two), learning_rate=0.1, clip=0.5)
    second.restore({name: tensor.clone() for name, tensor in first.tensors().items()})
    for batch in batches()[8:]:
        first(batch)
        second(batch)
    assert torch.equal(one.weight, two.weight)


def test_frozen_parameters_stay() -> None:
    model = make_model()
    model.bias.requires_grad_(False)
    before = model.bias.clone()
    update = Update(list(model.parameters()), squares(model), learning_rate=0.1, clip=0.5)
    update(batches()[0])
    assert torch.equal(model.bias, before)


@pytest.mark.parametrize("parts", [1, 2])
def test_what_fails_in_a_part_fails(parts: int) -> None:
    model = make_model()
    update = Update(
        list(model.parameters()), squares(model), learning_rate=0.1, clip=0.5, parts=parts
    )
    with pytest.raises(RuntimeError, match="size"):
        update((torch.zeros(4, 4), torch.zeros(4, 3)))
    update(batches()[0])
