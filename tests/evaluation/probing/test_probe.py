"""The linear probe and its scores, on data whose answer is known."""

import numpy as np
import pytest
import torch
from torch.nn import functional

from gata.errors import UsageError
from gata.evaluation.probing.probe import Probes, set_gradients, train_probes
from gata.evaluation.probing.scores import scores
from gata.evaluation.probing.settings import ProbeSettings

SETTINGS = ProbeSettings(epochs=5, batch=32, learning_rate=0.02)


def planted(seed: int, rows: int = 2000) -> tuple[torch.Tensor, torch.Tensor]:
    """Inputs, and labels that are linear in them: (1, rows, 6) and (1, rows, 3)."""
    chance = torch.Generator().manual_seed(seed)
    inputs = torch.randn(1, rows, 6, generator=chance)
    rule = torch.tensor([[2.0, -1, 0, 0, 0, 0], [0, 0, 1, 1, 0, 0], [0, 0, 0, 0, -1, 3]])
    return inputs, (inputs @ rule.T > 0.5).float()


def exact(probes: Probes, inputs: torch.Tensor, labels: torch.Tensor) -> float:
    predicted = (probes.logits(inputs) > 0)[0].numpy()
    return scores(predicted, labels[0].bool().numpy())["exact"]["all"]


def test_a_probe_finds_linear_structure_and_none_in_noise() -> None:
    inputs, labels = planted(1)
    probes = train_probes(inputs, labels, SETTINGS, [1])
    new_inputs, new_labels = planted(2)
    assert exact(probes, new_inputs, new_labels) > 0.9
    noise = torch.randn(inputs.shape, generator=torch.Generator().manual_seed(3))
    blind = train_probes(noise, labels, SETTINGS, [1])
    assert exact(blind, torch.randn_like(new_inputs), new_labels) < 0.4


def test_a_seed_decides_everything_and_seeds_do_not_meet() -> None:
    inputs, labels = planted(1, rows=200)
    alone = train_probes(inputs, labels, SETTINGS, [4])
    again = train_probes(inputs, labels, SETTINGS, [4])
    assert all(torch.equal(a, b) for a, b in zip(alone, again, strict=True))
    pair = train_probes(inputs.repeat(2, 1, 1), labels.repeat(2, 1, 1), SETTINGS, [5, 4])
    assert torch.allclose(pair.weight[1], alone.weight[0], atol=1e-5)
    assert not torch.allclose(pair.weight[0], alone.weight[0], atol=1e-3)


def test_the_written_gradients_are_those_of_the_cross_entropy() -> None:
    inputs, labels = planted(1, rows=20)
    weight, bias = (
        torch.randn(1, 3, 6, requires_grad=True),
        torch.randn(1, 1, 3, requires_grad=True),
    )
    probes = Probes(weight, bias)
    functional.binary_cross_entropy_with_logits(probes.logits(inputs), labels).backward()
    expected = [part.grad.clone() for part in probes if part.grad is not None]
    with torch.no_grad():
        set_gradients(probes, inputs, labels)
    for part, gradient in zip(probes, expected, strict=True):
        assert part.grad is not None
        assert torch.allclose(part.grad, gradient, atol=1e-6)


def test_scores_by_hand() -> None:
    labels = np.array([[1, 1, 0], [1, 0, 0], [0, 0, 0], [0, 0, 0]], bool)
    predicted = np.array([[1, 0, 0], [1, 0, 0], [0, 0, 0], [0, 1, 0]], bool)
    found = scores(predicted, labels)
    assert found["exact"] == {"related": 0.5, "unrelated": 0.5, "all": 0.5}
    assert found["f1"]["related"] == pytest.approx((2 / 3 + 1) / 2)
    assert found["f1"]["unrelated"] == 0.5
    assert found["f1"]["all"] == pytest.approx((2 / 3 + 1 + 1 + 0) / 4)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("epochs", 0, "epochs is 0, expected at least 1"),
        ("train_games", 0, "train_games is 0"),
        ("learning_rate", 0.0, "learning_rate is 0.0, expected more than 0"),
        ("learning_rate", float("nan"), "learning_rate is nan"),
        ("seeds", (), r"seeds are \[\]"),
        ("seeds", (1, 1), r"seeds are \[1, 1\]"),
        ("seeds", (-1,), r"seeds are \[-1\]"),
    ],
)
def test_settings_that_make_no_sense_are_refused(field: str, value: object, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        ProbeSettings(**{field: value})  # type: ignore[arg-type]
