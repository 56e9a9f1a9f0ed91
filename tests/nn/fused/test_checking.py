"""The check of the kernels that a GPU is put to: it passes what is right and sees what is not."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from gata.nn.fused import attention, checking, convolution, graph, graph_mix, mean, mlp, norm
from gata.nn.fused.checking import Sizes, differences, fault
from gata.nn.settings import NetworkSettings

SMALL = Sizes(states=3, width=9, commands=3, words=30, nodes=6, relations=2)
NETWORK = NetworkSettings(
    hidden=16, convolutions=1, graph_layers=2, node_embedding=5, relation_embedding=3
)


class _Learns(torch.autograd.Function):
    """The same values, other gradients."""

    @staticmethod
    def forward(ctx: Any, values: Tensor) -> Tensor:
        return values.clone()

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Tensor:
        return 1.5 * gradient


def _leave_out_a_row(values: Tensor) -> Tensor:
    keep = torch.ones_like(values)
    keep.flatten(0, -2)[-1] = 0  # the first text is empty, its rows mean nothing
    return values * keep


def test_kernels_that_are_right_pass(device: torch.device, everywhere: None) -> None:
    assert fault(device, NETWORK, SMALL) is None


def test_it_is_kernels_that_are_compared(device: torch.device, everywhere: None) -> None:
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("high")
    try:
        off = differences(device, NETWORK, SMALL)
    finally:
        torch.set_float32_matmul_precision(before)
    assert off["values"] > 1e-6  # so coarse are products in tf32; torch's are not, on a CPU


def test_the_check_disturbs_nobodys_random_numbers(device: torch.device, everywhere: None) -> None:
    torch.manual_seed(4)
    before = torch.random.get_rng_state()
    differences(device, NETWORK, SMALL)
    assert torch.random.get_rng_state().equal(before)


@pytest.mark.parametrize("change", [_leave_out_a_row, _Learns.apply])
@pytest.mark.parametrize(
    ("module", "name"),
    [
        (mean, "masked_mean"),
        (attention, "attend_to_itself"),
        (convolution, "convolution_layer"),
        (norm, "mlp_norm"),
        (mlp, "two_layers_each"),
        (graph, "run_layers"),
    ],
)
def test_a_wrong_kernel_is_seen(
    module: Any,
    name: str,
    change: Callable[[Tensor], Tensor],
    device: torch.device,
    everywhere: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    right = getattr(module, name)

    def wrong(*args: Any, **kwargs: Any) -> Any:
        values = right(*args, **kwargs)
        if isinstance(values, Tensor):
            return change(values)
        return (change(values[0]), *values[1:])

    monkeypatch.setattr(module, name, wrong)
    problem = fault(device, NETWORK, SMALL)
    assert problem is not None
    expected = "values: off by" if change is _leave_out_a_row else "gradient of "
    assert problem.startswith(expected)
    assert "(continuous graphs, products in precision 'highest')" in problem


def test_a_kernel_that_is_wrong_only_at_play_is_seen(
    device: torch.device, everywhere: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = convolution.convolution_layer

    def wrong(*given: Any) -> Tensor:
        values = right(*given)
        return values if torch.is_grad_enabled() else _leave_out_a_row(values)

    monkeypatch.setattr(convolution, "convolution_layer", wrong)
    problem = fault(device, NETWORK, SMALL)
    assert problem is not None
    assert problem.startswith("values where no gradients are wanted: off by")


def test_a_wrong_gradient_of_graphs_is_seen(
    device: torch.device, everywhere: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody's but theirs depends on it."""
    right = graph_mix._gradient_of_graphs
    monkeypatch.setattr(graph_mix, "_gradient_of_graphs", lambda *given: 1.5 * right(*given))
    problem = fault(device, NETWORK, SMALL)
    assert problem is not None
    assert problem.startswith("gradient of the adjacency: off by")


def test_what_is_no_number_is_seen(
    device: torch.device, everywhere: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mean, "masked_mean", lambda values, mask: values.sum(1) * torch.nan)
    problem = fault(device, NETWORK, SMALL)
    assert problem is not None
    assert problem.startswith("values: off by nan")


def test_a_kernel_that_cannot_be_run_is_told_in_a_line(
    device: torch.device, everywhere: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> Tensor:
        raise RuntimeError("out of resources: shared memory\nand much more")

    monkeypatch.setattr(mean, "masked_mean", fail)
    assert fault(device, NETWORK, SMALL) == "RuntimeError: out of resources: shared memory"


def test_the_precision_of_products_stays_as_it_was(
    device: torch.device, everywhere: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "differences", lambda *_: {"values": 0.0})
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("medium")
    try:
        assert fault(device) is None
        assert torch.get_float32_matmul_precision() == "medium"
    finally:
        torch.set_float32_matmul_precision(before)
