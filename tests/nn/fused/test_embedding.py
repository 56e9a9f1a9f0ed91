"""The kernels that look words up against torch's own lookup in float64."""

import pytest
import torch

from gata.nn.fused import embedding


@pytest.mark.parametrize(("texts", "length", "words"), [(3, 20, 50), (1, 1, 33), (40, 33, 100)])
def test_values_and_gradients_are_those_of_a_lookup(
    device: torch.device, texts: int, length: int, words: int
) -> None:
    torch.manual_seed(texts)
    ids = torch.randint(0, words, (texts, length), device=device)
    vectors = torch.randn(words, 32, device=device)
    signal = torch.randn(50, 32, device=device)
    given = torch.randn(texts, length, 32, device=device)
    fast, slow = vectors.clone().requires_grad_(), vectors.double().requires_grad_()

    result = embedding.embed(ids, fast, signal)
    expected = slow[ids] + signal[:length]

    assert torch.allclose(result.double(), expected, atol=1e-6)
    result.backward(given)
    expected.backward(given.double())
    assert fast.grad is not None
    assert slow.grad is not None
    assert torch.allclose(fast.grad.double(), slow.grad, atol=1e-4)
