"""The convolution's kernels against the layer in float64."""

import copy

import pytest
import torch
from torch import Tensor

from gata.nn.fused import convolution
from gata.nn.masking import Encoded
from gata.nn.text_encoder import ConvolutionLayer


def relative(result: Tensor, expected: Tensor) -> float:
    return ((result.detach().double() - expected).norm() / expected.norm()).item()


@pytest.mark.parametrize(("texts", "length"), [(3, 20), (5, 8), (1, 1), (9, 33)])
@pytest.mark.parametrize("kernel", [5, 3])
def test_values_and_gradients_are_those_of_the_layer(
    device: torch.device, texts: int, length: int, kernel: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # So few that the largest case has several blocks of tokens for each.
    monkeypatch.setattr(convolution, "MOST_SUMS", 3)
    torch.manual_seed(texts * length + kernel)
    layer = ConvolutionLayer(64, kernel, separable=False).to(device)
    with torch.no_grad():
        layer.norm.weight.uniform_(0.5, 1.5)
        layer.norm.bias.uniform_(-1, 1)
    slow = copy.deepcopy(layer).double()
    values = torch.randn(texts, length, 64, device=device)
    lengths = torch.randint(0, length + 1, (texts, 1), device=device)
    mask = torch.arange(length, device=device) < lengths
    given = torch.randn_like(values)
    fast_in, slow_in = values.clone().requires_grad_(), values.double().requires_grad_()

    result = convolution.convolution_layer(fast_in, mask, layer.along, layer.norm)
    expected = slow(Encoded(slow_in, mask)).values

    assert relative(result, expected) < 1e-5
    result.backward(given)
    expected.backward(given.double())
    assert fast_in.grad is not None
    assert slow_in.grad is not None
    if slow_in.grad.any():
        assert relative(fast_in.grad, slow_in.grad) < 1e-5
    for name, parameter in slow.named_parameters():
        fast = layer.get_parameter(name).grad
        assert parameter.grad is not None
        assert fast is not None
        if parameter.grad.any():
            assert relative(fast, parameter.grad) < 1e-5, name
