import pytest
import torch

from gata.nn.aggregator import Aggregator
from gata.nn.masking import Encoded
from tests.nn import slow
from tests.nn.samples import (
    HIDDEN,
    assert_same,
    assert_same_gradients,
    batch,
    rows,
    shaken,
)


@pytest.mark.parametrize("alike", [False, True])
def test_follows_the_formula_both_ways(alike: bool) -> None:
    module = shaken(Aggregator(HIDDEN, alike=alike))
    texts, graphs = rows(4, 1), rows(2, 3)
    text, graph = module(batch(texts, 6), batch(graphs, 5))
    pairs = [slow.aggregator(module, list(o), list(g)) for o, g in zip(texts, graphs, strict=True)]
    found = torch.cat(
        [text.values[i, : len(o)] for i, o in enumerate(texts)]
        + [graph.values[i, : len(g)] for i, g in enumerate(graphs)]
    )
    expected = torch.cat([torch.stack(pair[side]) for side in (0, 1) for pair in pairs])
    assert_same(found, expected)
    assert_same_gradients(module, found, expected)


def test_sides_of_one_kind_can_be_exchanged() -> None:
    module = shaken(Aggregator(HIDDEN, alike=True))
    one, other = batch(rows(4, 1)), batch(rows(2, 3))
    for found, expected in zip(module(other, one), reversed(module(one, other)), strict=True):
        assert_same(found.values, expected.values)
    first, second = module(one, one)
    assert_same(first.values, second.values)


def test_company_and_padding_change_nothing() -> None:
    module = shaken(Aggregator(HIDDEN))
    texts, graphs = rows(2, 7), rows(3, 5)
    alone = module(batch(texts[:1]), batch(graphs[:1]))
    together = module(batch(texts, 9), batch(graphs, 8))
    for side, other, length in zip(alone, together, (2, 3), strict=True):
        assert_same(other.values[:1, :length], side.values)
        assert not other.values[0, length:].any()


def test_one_side_may_be_empty() -> None:
    module = shaken(Aggregator(HIDDEN))
    nothing = Encoded(torch.randn(1, 3, HIDDEN), torch.zeros(1, 3, dtype=torch.bool))
    text, graph = module(batch(rows(2)), nothing)
    assert text.values.isfinite().all()
    assert not graph.values.any()
    text.values.sum().backward()
    assert all(p.grad is None or p.grad.isfinite().all() for p in module.parameters())


def test_one_row_meets_several() -> None:
    module = shaken(Aggregator(HIDDEN))
    one, several = batch(rows(3)), batch(rows(2, 4, 1))
    wide = Encoded(several.values[None], several.mask[None])
    first, second = module(Encoded(one.values[:, None], one.mask[:, None]), wide)
    for i in range(3):
        a, b = module(one, Encoded(several.values[i : i + 1], several.mask[i : i + 1]))
        assert_same(first.values[:, i], a.values)
        assert_same(second.values[:, i], b.values)
        assert torch.equal(first.mask[:, i], a.mask)
