"""The sum tree against numpy."""

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

from gata.rl.sum_tree import SumTree

CPU = torch.device("cpu")
WEIGHTS = st.lists(st.floats(0, 1e6, allow_subnormal=False), min_size=1, max_size=70)


def tree_of(weights: list[float]) -> SumTree:
    tree = SumTree(len(weights), CPU)
    tree.set(torch.arange(len(weights)), torch.tensor(weights, dtype=torch.float64))
    return tree


@given(WEIGHTS, st.data())
def test_changes_are_summed(weights: list[float], data: st.DataObject) -> None:
    tree = tree_of(weights)
    changes = data.draw(st.dictionaries(st.integers(0, len(weights) - 1), st.floats(0, 1e6)))
    if changes:
        tree.set(torch.tensor(list(changes)), torch.tensor(list(changes.values())))
    expected = np.array(weights)
    for number, weight in changes.items():
        expected[number] = np.float32(weight)
    np.testing.assert_array_equal(tree.weights.numpy(), expected)
    np.testing.assert_allclose(float(tree.total), expected.sum(), rtol=1e-12)


@given(WEIGHTS.filter(any), st.lists(st.floats(0, 1), min_size=1, max_size=9))
def test_draws_are_where_numpy_finds_them(weights: list[float], shares: list[float]) -> None:
    tree = tree_of(weights)
    drawn = tree.draw(torch.tensor(shares, dtype=torch.float64)).numpy()
    sums = np.cumsum(weights)
    for number, share in zip(drawn, shares, strict=True):
        assert weights[number] > 0
        slack = 1e-9 * sums[-1]
        assert sums[number] - weights[number] <= share * sums[-1] + slack
        assert share * sums[-1] <= sums[number] + slack


def test_draws_are_proportional_to_weights() -> None:
    weights = [0.0, 3.0, 1.0, 0.0, 4.0, 2.0]
    shares = (torch.arange(10_000) + 0.5) / 10_000
    counts = np.bincount(tree_of(weights).draw(shares).numpy(), minlength=6)
    np.testing.assert_array_equal(counts, [0, 3000, 1000, 0, 4000, 2000])


def test_a_tree_of_the_papers_size_has_few_nodes_beside_its_leaves() -> None:
    assert SumTree(500_000, CPU).bytes < 500_000 * 8 * 1.05
