"""Whole networks take their kernels, in both precisions, and notice what is no number."""

import copy
from collections.abc import Iterator
from dataclasses import replace

import pytest
import torch
from torch import Tensor, nn

from gata.agents.selector import ActionSelector
from gata.belief.interface import BeliefGraph
from gata.nn import fused
from gata.nn.fused import graph
from gata.nn.models import ContrastiveClassification, Steps
from gata.nn.settings import NetworkSettings
from gata.nn.tokens import Grouped
from gata.nn.words import Lexicon, Tables

WORDS, NODES, RELATIONS = 40, 6, 2
SIZES = NetworkSettings(
    hidden=16, convolutions=1, graph_layers=2, node_embedding=5, relation_embedding=3
)
TOLERANCES = {"highest": 1e-5, "high": 2e-2}
"""Of gradients. Rounded products can turn the sign of what a ReLU is given, in any code."""


@pytest.fixture(params=TOLERANCES)
def tolerance(request: pytest.FixtureRequest) -> Iterator[float]:
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision(request.param)
    yield TOLERANCES[request.param]
    torch.set_float32_matmul_precision(before)


def lexicon() -> Lexicon:
    return Lexicon(
        torch.randn(WORDS, 10),
        torch.randint(1, WORDS, (NODES, 2)),
        torch.randint(1, WORDS, (2 * RELATIONS + 1, 3)),
    )


def selector(device: torch.device, **changes: object) -> ActionSelector:
    settings = replace(SIZES, **changes)  # type: ignore[arg-type]
    return ActionSelector(lexicon(), settings, uses="both").to(device)


def rate(module: ActionSelector, device: torch.device, dtype: torch.dtype) -> Tensor:
    """Values of commands in three states, of which one has no text; always the same ones."""
    with torch.random.fork_rng():
        torch.manual_seed(3)
        texts = torch.randint(1, WORDS, (3, 9), device=device)
        words = torch.randint(1, WORDS, (4, 3), device=device)
        edges = torch.randn(3, RELATIONS, NODES, NODES, device=device).tanh().to(dtype)
    texts *= torch.arange(9, device=device) < torch.tensor([[9], [4], [0]], device=device)
    present = torch.ones(3, NODES, dtype=torch.bool, device=device)
    tables: Tables = module.tables()
    state = module.pool(Grouped.of(texts), BeliefGraph(edges, present), tables)
    commands = module.commands(words, tables).expand(3, -1, -1)
    return module.rate(state, commands, torch.ones(3, 4, dtype=torch.bool, device=device))


def test_a_selector_values_and_learns_as_the_plain_one(
    device: torch.device, everywhere: None, tolerance: float
) -> None:
    torch.manual_seed(5)
    module = selector(device)
    exact = copy.deepcopy(module).double()
    found, expected = rate(module, device, torch.float32), rate(exact, device, torch.float64)
    assert (found.double() - expected).norm() < tolerance * expected.norm()
    found.square().sum().backward()
    expected.square().sum().backward()
    assert_same_gradients(module, exact, tolerance)


def assert_same_gradients(module: nn.Module, exact: nn.Module, tolerance: float) -> None:
    """All parameters have them."""
    for name, parameter in exact.named_parameters():
        mine = module.get_parameter(name).grad
        assert parameter.grad is not None
        assert mine is not None
        error = (mine.double() - parameter.grad).norm()
        assert error < tolerance * parameter.grad.norm() + 1e-6, name


def wander(module: ContrastiveClassification, device: torch.device) -> Tensor:
    """What three steps of two games come to; in one of them another game begins meanwhile."""
    with torch.random.fork_rng():
        torch.manual_seed(4)
        texts = torch.randint(1, WORDS, (6, 9), device=device)
        actions = torch.randint(1, WORDS, (6, 3), device=device)
    texts *= torch.arange(9, device=device) < torch.tensor(
        [[9], [4], [1], [7], [9], [3]], device=device
    )
    starts = torch.tensor([[True, True], [False, False], [False, True]], device=device)
    walked = module.walk(Steps(Grouped.of(texts), actions, starts), module.initial(2))
    read = (each.values * each.mask.unsqueeze(-1) for each in (walked.action, walked.memory))
    return torch.cat([walked.state.flatten(), *(values.flatten() for values in read)])


def test_an_updater_is_pre_trained_as_the_plain_one(
    device: torch.device, everywhere: None, tolerance: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through its graphs, by way of their kernels, gradients reach back to the first step."""
    asked = []
    encode = graph.encode
    monkeypatch.setattr(
        graph, "encode", lambda *given: asked.append(given[1].requires_grad) or encode(*given)
    )
    torch.manual_seed(6)
    module = ContrastiveClassification(lexicon(), SIZES).to(device)
    exact = copy.deepcopy(module).double()
    found, expected = wander(module, device), wander(exact, device)
    assert len(asked) == 5  # a graph of nothing, one before the steps, and one after each
    assert all(asked)
    assert (found.double() - expected).norm() < tolerance * expected.norm()
    found.square().sum().backward()
    expected.square().sum().backward()
    for each in (module, exact):
        del each.discriminator  # it is asked for nothing here
    # What rounding does adds up from step to step.
    assert_same_gradients(module, exact, 5 * tolerance)


@pytest.mark.parametrize("bits", [0x7FFFFFFF, 0x7FC00000])
@pytest.mark.parametrize(
    "name",
    [
        "encoders.text_encoder.convolutions.0.along.weight",
        "encoders.text_encoder.mlp.0.weight",
        "encoders.graph_encoder.messages.coefficients",
        "encoders.graph_encoder.gates.1.weight",
        "aggregator.first_mlp.0.weight",
    ],
)
def test_what_is_no_number_stays_none(
    device: torch.device, everywhere: None, tolerance: float, name: str, bits: int
) -> None:
    torch.manual_seed(5)
    module = selector(device, graph_kind="discrete")
    with torch.no_grad():
        module.get_parameter(name).view(torch.int32)[0].fill_(bits)
        assert rate(module, device, torch.float32)[0].isnan().all()


def test_nothing_is_differentiated_twice(device: torch.device, everywhere: None) -> None:
    module = selector(device)
    total = rate(module, device, torch.float32).sum()
    weights = list(module.parameters())
    first = torch.autograd.grad(total, weights, create_graph=True, allow_unused=True)
    with pytest.raises(RuntimeError, match=r"once_differentiable|twice"):
        sum(each.square().sum() for each in first if each is not None).backward()


def test_kernels_are_for_float32_of_certain_sizes_on_a_gpu() -> None:
    assert not fused.usable(torch.zeros(3, 64))
    if not torch.cuda.is_available():
        return
    values = torch.zeros(3, 64, device="cuda")
    assert fused.usable(values)
    assert not fused.usable(values.double())
    assert not any(fused.usable(nn.functional.pad(values, (0, more))) for more in (1, 64))
    with torch.autocast("cuda"):
        assert not fused.usable(values)
