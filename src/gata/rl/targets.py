"""What Q-values should be: pure functions of tensors."""

from typing import NamedTuple

import torch
from torch import Tensor

GOES_ON, TERMINAL, TIME_OUT = 0, 1, 2
"""How a step ended: the episode went on, was won or lost, or had no steps left."""


class Returns(NamedTuple):
    """What came of a step, up to n steps later."""

    value: Tensor
    """(...,) the discounted sum of the rewards of these steps."""
    steps: Tensor
    """(...,) int64: how many they are: n, or fewer if the episode ended."""
    bootstraps: Tensor
    """(...,) booleans: whether the state after them has a value to be added."""


def n_step(
    rewards: Tensor,
    ends: Tensor,
    n: Tensor,
    *,
    discount: float,
    bootstrap_time_outs: bool,
) -> Returns:
    """The first n rewards, exactly n unless the episode ends before.

    Args:
        rewards: (..., N) of the step and its followers; what follows an episode's end is ignored.
        ends: (..., N) how each step ended.
        n: (...,) from 1 to N.
        discount: of a reward, per step it is later.
        bootstrap_time_outs: whether a time-out leaves a state whose value counts. A terminal
            state's never does.
    """
    later = torch.arange(rewards.shape[-1], device=rewards.device)
    counts = _alive(ends) & (later < n.unsqueeze(-1))
    value = (rewards * counts * discount**later).sum(-1)
    steps = counts.sum(-1)
    last = ends.gather(-1, (steps - 1).unsqueeze(-1)).squeeze(-1)
    bootstraps = last == GOES_ON
    if bootstrap_time_outs:
        bootstraps = bootstraps | (last == TIME_OUT)
    return Returns(value, steps, bootstraps)


def _alive(ends: Tensor) -> Tensor:
    """(..., N): no step before this one ended the episode."""
    over = (ends != GOES_ON).cumsum(-1)
    return (over - (ends != GOES_ON).to(over.dtype)) == 0


def double_dqn(online: Tensor, target: Tensor) -> Tensor:
    """The target network's value of the command that the online network prefers.

    Args:
        online: (..., candidates) Q-values, the lowest number where there is no candidate.
        target: (..., candidates) likewise.

    Returns:
        (...,)
    """
    best = online.argmax(-1, keepdim=True)
    return target.gather(-1, best).squeeze(-1)


def bellman(returns: Tensor, discounts: Tensor, following: Tensor) -> Tensor:
    """Returns + discounts * following, where a discount of 0 means that nothing follows."""
    # Nothing times something: the value of a state that is not there may be any number.
    return returns + torch.where(discounts > 0, discounts * following, 0)
