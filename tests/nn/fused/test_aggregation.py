"""The kernels of the aggregator against its plain formulas in float64."""

import copy
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from gata.nn.aggregator import Aggregator
from gata.nn.fused import aggregation
from gata.nn.fused.aggregation import aggregate
from gata.nn.masking import Encoded
from tests.nn.fused.comparing import assert_near, assert_near_gradients

Sides = tuple[Encoded, Encoded]


def new(hidden: int, device: torch.device, *, alike: bool = False) -> Aggregator:
    module = Aggregator(hidden, alike=alike)
    nn.init.normal_(module.output.bias)
    return module.to(device)


def sides(
    states: int, length: int, others: int, hidden: int, device: torch.device, there: float = 0.7
) -> Sides:
    """Random vectors, of which some are there."""
    return tuple(
        Encoded(
            torch.randn(states, count, hidden, device=device),
            torch.rand(states, count, device=device) < there,
        )
        for count in (length, others)
    )


def inner(module: Aggregator, first: Encoded, second: Encoded) -> Sides:
    """Only what comes after the MLPs, by its kernels."""
    informed = aggregate(*first, *second, module.similarity, module.output)
    return Encoded(informed[0], first.mask), Encoded(informed[1], second.mask)


def assert_as_plain(
    module: Aggregator,
    inputs: Sides,
    fast: Callable[[Aggregator, Encoded, Encoded], Sides] = inner,
    slow: Callable[[Aggregator, Encoded, Encoded], Sides] = Aggregator.aggregate,
) -> Sides:
    """Both results, and the gradients of all that they depend on."""
    reference = copy.deepcopy(module).double()
    quick = [Encoded(side.values.clone().requires_grad_(), side.mask) for side in inputs]
    exact = [Encoded(side.values.double().requires_grad_(), side.mask) for side in inputs]
    found, expected = fast(module, *quick), slow(reference, *exact)
    for left, right in zip(found, expected, strict=True):
        assert_near(left.values, right.values)
        assert torch.equal(left.mask, right.mask)
        assert not left.values[~left.mask].any()
    assert_near_gradients(
        _all(found),
        _all(expected),
        _leaves(module, quick, without_mlp=fast is inner),
        _leaves(reference, exact, without_mlp=fast is inner),
    )
    return found


def _all(results: Sides) -> Tensor:
    return torch.cat([side.values.flatten() for side in results])


def _leaves(module: Aggregator, inputs: list[Encoded], *, without_mlp: bool) -> list[Tensor]:
    used = [p for name, p in module.named_parameters() if not (without_mlp and "mlp" in name)]
    return [*(side.values for side in inputs), *used]


# Around the sizes of blocks, of which a program has 16 of its own and reads 32 of the others.
@pytest.mark.parametrize(
    ("states", "length", "others"), [(1, 1, 1), (2, 8, 20), (2, 16, 32), (2, 33, 17), (1, 70, 5)]
)
@pytest.mark.parametrize("alike", [False, True])
def test_values_and_gradients_are_those_of_the_formulas(
    device: torch.device, states: int, length: int, others: int, alike: bool
) -> None:
    assert_as_plain(new(16, device, alike=alike), sides(states, length, others, 16, device))


def test_sizes_of_the_paper(device: torch.device) -> None:
    assert_as_plain(new(64, device), sides(2, 24, 99, 64, device))


def test_programs_that_take_several_blocks_add_them_up(
    device: torch.device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aggregation, "PROGRAMS", 3)
    # Three blocks of rows and five: two or three for each program, of both sides.
    assert_as_plain(new(16, device), sides(2, 20, 35, 16, device))


def test_nothing_on_one_side_or_on_both(device: torch.device) -> None:
    first, second = sides(4, 20, 35, 16, device)
    first.mask[0] = False
    second.mask[1] = False
    first.mask[2], second.mask[2] = False, False
    found = assert_as_plain(new(16, device), (first, second))
    assert all(side.values.isfinite().all() for side in found)


def test_blocks_with_nothing_in_them(device: torch.device) -> None:
    first, second = sides(1, 80, 70, 16, device, there=1)
    first.mask[:, :66] = False
    second.mask[:, 3:] = False
    assert_as_plain(new(16, device), (first, second))


def test_large_scores_neither_overflow_nor_vanish(device: torch.device) -> None:
    module = new(16, device)
    first, second = sides(2, 20, 35, 16, device)
    for factor in (30, -30):
        values = Encoded(first.values * factor, first.mask), Encoded(second.values, second.mask)
        values = [Encoded(side.values.requires_grad_(), side.mask) for side in values]
        found = _all(inner(module, *values))
        expected = _all(copy.deepcopy(module).double().aggregate(*map(_double, values)))
        assert_near(found, expected)
        gradients = torch.autograd.grad(found.sum(), [values[0].values, module.similarity])
        assert all(gradient.isfinite().all() for gradient in gradients)


def _double(side: Encoded) -> Encoded:
    return Encoded(side.values.detach().double(), side.mask)


def test_masks_need_not_lie_side_by_side(device: torch.device) -> None:
    first, second = sides(3, 20, 18, 16, device)
    turned = torch.rand(20, 3, device=device).T < 0.5
    shared = (torch.rand(18, device=device) < 0.5).expand(3, -1)
    assert_as_plain(
        new(16, device), (Encoded(first.values, turned), Encoded(second.values, shared))
    )
    first, second = sides(3, 80, 70, 16, device)
    starts = torch.tensor([75, 40, 78], device=device)
    turned = (torch.arange(80, device=device).unsqueeze(1) >= starts).T
    shared = (torch.arange(70, device=device) < 50).expand(3, -1)
    assert_as_plain(
        new(16, device), (Encoded(first.values, turned), Encoded(second.values, shared))
    )


def test_what_is_not_there_changes_nothing(device: torch.device) -> None:
    module = new(16, device)
    first, second = sides(2, 20, 35, 16, device)
    expected = inner(module, first, second)
    for side in (first, second):
        side.values[~side.mask] = 100.0
    for found, other in zip(inner(module, first, second), expected, strict=True):
        assert_near(found.values, other.values.double())


def test_padding_gives_nothing_on_the_way_back_however_large_it_is(device: torch.device) -> None:
    first, second = sides(1, 40, 16, 16, device)
    # Blocks are of 16 rows, and 32 are read at once.
    first.mask[:] = torch.arange(40, device=device) < 10
    first.values[:, 10:] *= 1_000
    assert_as_plain(new(16, device), (first, second))


def test_the_same_twice_is_the_same(device: torch.device) -> None:
    module = new(16, device)
    inputs = sides(2, 40, 35, 16, device)
    results = []
    for _ in range(2):
        module.zero_grad()
        _all(inner(module, *inputs)).square().sum().backward()
        results.append([module.similarity.grad, module.output.weight.grad, module.output.bias.grad])
    assert all(torch.equal(*pair) for pair in zip(*results, strict=True))


def test_no_gradients_where_none_are_wanted(device: torch.device) -> None:
    module = new(16, device)
    first, second = sides(2, 9, 20, 16, device)
    with torch.no_grad():
        found = _all(inner(module, first, second))
    assert not found.requires_grad
    assert_near(
        found, _all(copy.deepcopy(module).double().aggregate(_double(first), _double(second)))
    )


@pytest.mark.usefixtures("everywhere")
@pytest.mark.parametrize("alike", [False, True])
def test_the_whole_aggregator_by_its_kernels(device: torch.device, alike: bool) -> None:
    module = new(32, device, alike=alike)
    inputs = sides(3, 21, 34, 32, device)
    assert_as_plain(module, inputs, Aggregator.forward, Aggregator.forward)


@pytest.mark.usefixtures("everywhere")
def test_one_row_may_still_meet_several(device: torch.device) -> None:
    module = new(16, device)
    first, second = sides(3, 4, 5, 16, device)
    one = Encoded(first.values[:1], first.mask[:1])
    assert_near(
        module(one, second)[1].values,
        copy.deepcopy(module).double()(_double(one), _double(second))[1].values,
    )


@pytest.mark.usefixtures("everywhere")
def test_one_side_enters_once_and_meets_two(device: torch.device) -> None:
    def both(module: Aggregator, first: Encoded, second: Encoded) -> Sides:
        graph = module.enter_second(second)
        early, late = (
            module.enter_first(Encoded(*(part[:, half] for part in first)))
            for half in (slice(None, 6), slice(6, None))
        )
        return module.aggregate(early, graph)[1], module.aggregate(late, graph)[1]

    assert_as_plain(new(16, device), sides(2, 15, 18, 16, device), both, both)
