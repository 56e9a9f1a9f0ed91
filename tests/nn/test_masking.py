import torch

from gata.nn.masking import Encoded, masked_mean, masked_softmax
from tests.nn.samples import assert_same, batch, rows


def test_softmax_is_over_what_is_there() -> None:
    logits = torch.randn(2, 3, 5)
    mask = torch.tensor([True, False, True, True, False])
    found = masked_softmax(logits, mask)
    assert_same(found[..., mask], torch.softmax(logits[..., mask], -1))
    assert not found[..., ~mask].any()


def test_softmax_over_nothing_is_zero_with_finite_gradients() -> None:
    logits = torch.randn(2, 5, requires_grad=True)
    found = masked_softmax(logits, torch.zeros(2, 5, dtype=torch.bool))
    found.sum().backward()
    assert not found.any()
    assert logits.grad.isfinite().all()


def test_softmax_ignores_huge_masked_logits() -> None:
    logits = torch.tensor([[0.0, 1.0, 1e30]])
    found = masked_softmax(logits, torch.tensor([[True, True, False]]))
    assert_same(found[:, :2], torch.softmax(logits[:, :2], -1))


def test_mean_is_over_what_is_there() -> None:
    samples = rows(4, 1, 2)
    found = masked_mean(batch(samples, 6))
    assert_same(found, torch.stack([s.mean(0) for s in samples]))


def test_mean_of_nothing_is_zero() -> None:
    nothing = Encoded(torch.randn(1, 3, 6), torch.zeros(1, 3, dtype=torch.bool))
    assert not masked_mean(nothing).any()
