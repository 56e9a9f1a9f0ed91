"""How a CPU divides texts into groups, against all the ways there are."""

from itertools import combinations, pairwise

import numpy as np

from gata.training.rows import GROUP_COST, cheapest_sizes


def cost(lengths: list[int], cuts: tuple[int, ...]) -> int:
    """Of sorted lengths, divided at some places."""
    edges = (0, *cuts, len(lengths))
    groups = [lengths[start:end] for start, end in pairwise(edges)]
    return sum(len(group) * max(group) + GROUP_COST for group in groups)


def test_no_division_is_cheaper() -> None:
    random = np.random.default_rng(4)
    numbers = set()
    for longest in (1, 20, 60, 60, 200, 200, 900):
        lengths = random.integers(1, longest + 1, 9)
        ordered = sorted(lengths.tolist())
        ways = [cuts for count in range(9) for cuts in combinations(range(1, 9), count)]
        sizes = cheapest_sizes(lengths)
        assert sum(sizes) == 9
        found = cost(ordered, tuple(np.cumsum(sizes)[:-1].tolist()))
        assert found == min(cost(ordered, cuts) for cuts in ways)
        numbers.add(len(sizes))
    assert 1 in numbers
    assert max(numbers) > 2
