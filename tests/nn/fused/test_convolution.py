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


@pytest.mark.parametrize(("texts", "length"), [(3, 20), (5, 8), (1, 1), (9, 33), (3, 170)])
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
    given = torch.randn_like(values) * mask.unsqueeze(-1)
    fast_in, slow_in = values.clone().requires_grad_(), values.double().requires_grad_()

    result = convolution.convolution_layer(fast_in, mask, layer.along, layer.norm)
    expected = slow(Encoded(slow_in, mask)).values

    assert result.isfinite().all()
    if mask.any():
        assert relative(result[mask], expected[mask]) < 1e-5
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


def test_without_gradients_gives_the_same(device: torch.device) -> None:
    torch.manual_seed(3)
    layer = ConvolutionLayer(16, 5, separable=False).to(device)
    values = torch.randn(3, 70, 16, device=device)
    mask = torch.arange(70, device=device) < torch.tensor([[70], [21], [0]], device=device)
    with torch.no_grad():
        found = convolution.convolution_layer(values, mask, layer.along, layer.norm)
    assert not found.requires_grad
    kept = convolution.convolution_layer(values, mask, layer.along, layer.norm)
    assert kept.requires_grad
    assert torch.equal(found[mask], kept[mask])


def test_padding_is_left_out_and_what_was_left_out_is_not_read(
    device: torch.device, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch.manual_seed(1)
    layer = ConvolutionLayer(16, 5, separable=False).to(device)
    values = torch.randn(2, 160, 16, device=device, requires_grad=True)
    mask = torch.arange(160, device=device) < torch.tensor([[40], [0]], device=device)
    unwritten = torch.empty_like
    # What nobody has written may be anything.
    monkeypatch.setattr(torch, "empty_like", lambda *given: unwritten(*given).fill_(torch.nan))
    result = convolution.convolution_layer(values, mask, layer.along, layer.norm)
    # Blocks are of 32 tokens.
    assert result[0, :64].all()
    assert not result[0, 64:].any()
    assert not result[1].any()
    result[mask].square().sum().backward()
    gradients = [values.grad, *(parameter.grad for parameter in layer.parameters())]
    assert all(gradient is not None and gradient.isfinite().all() for gradient in gradients)
    assert values.grad is not None
    assert not values.grad[~mask].any()


def test_gradients_of_what_is_not_there_are_not_looked_at(device: torch.device) -> None:
    torch.manual_seed(2)
    layer = ConvolutionLayer(16, 5, separable=False).to(device)
    values = torch.randn(3, 20, 16, device=device, requires_grad=True)
    mask = torch.arange(20, device=device) < torch.tensor([[20], [7], [0]], device=device)
    given = torch.randn(3, 20, 16, device=device)
    found = []
    for wanted in (given, given * mask.unsqueeze(-1)):
        result = convolution.convolution_layer(values, mask, layer.along, layer.norm)
        found.append(torch.autograd.grad(result, [values, *layer.parameters()], wanted))
    assert all(torch.equal(one, other) for one, other in zip(*found, strict=True))
