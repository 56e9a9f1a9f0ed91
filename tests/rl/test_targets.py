"""Targets against plain Python loops."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from gata.rl.targets import GOES_ON, TERMINAL, TIME_OUT, bellman, double_dqn, n_step

LENGTH = 4


def slowly(rewards, ends, n, discount, bootstrap_time_outs):
    """The same, step by step."""
    value = 0.0
    for k in range(n):
        value += discount**k * rewards[k]
        if ends[k] == TERMINAL:
            return value, k + 1, False
        if ends[k] == TIME_OUT:
            return value, k + 1, bootstrap_time_outs
    return value, n, True


@given(
    st.lists(
        st.tuples(
            st.lists(st.floats(-9, 9, width=32), min_size=LENGTH, max_size=LENGTH),
            st.lists(
                st.sampled_from([GOES_ON, GOES_ON, TERMINAL, TIME_OUT]),
                min_size=LENGTH,
                max_size=LENGTH,
            ),
            st.integers(1, LENGTH),
        ),
        min_size=1,
        max_size=5,
    ),
    st.booleans(),
)
def test_n_step_returns(rows, bootstrap_time_outs: bool) -> None:
    rewards, ends, n = map(torch.tensor, zip(*rows, strict=True))
    found = n_step(rewards, ends, n, discount=0.9, bootstrap_time_outs=bootstrap_time_outs)
    expected = [slowly(*row, 0.9, bootstrap_time_outs) for row in rows]
    values, steps, bootstraps = zip(*expected, strict=True)
    torch.testing.assert_close(found.value, torch.tensor(values), atol=1e-4, rtol=1e-5)
    assert tuple(found.steps.tolist()) == steps
    assert tuple(found.bootstraps.tolist()) == bootstraps


def test_an_n_step_return_is_the_sum_of_n_rewards() -> None:
    rewards = torch.tensor([[1.0, 10.0, 100.0]])
    ends = torch.zeros(1, 3, dtype=torch.int8)
    for n, value in ((1, 1.0), (2, 6.0), (3, 31.0)):
        returns = n_step(rewards, ends, torch.tensor([n]), discount=0.5, bootstrap_time_outs=False)
        assert returns.value.item() == value


def test_double_dqn_takes_the_targets_value_of_the_onlines_choice() -> None:
    low = torch.finfo(torch.float32).min
    online = torch.tensor([[1.0, 3.0, 2.0], [5.0, 4.0, low]])
    target = torch.tensor([[9.0, 0.5, 7.0], [0.25, 8.0, low]])
    assert double_dqn(online, target).tolist() == [0.5, 0.25]


@pytest.mark.parametrize("nothing", [float("nan"), torch.finfo(torch.float32).min])
def test_what_follows_a_terminal_state_is_ignored(nothing: float) -> None:
    found = bellman(torch.tensor([1.0, 2.0]), torch.tensor([0.0, 0.9]), torch.tensor([nothing, 10]))
    assert found.tolist() == [1.0, 11.0]
