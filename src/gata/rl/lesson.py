"""What updates learn from: batches of what was drawn, and the loss of the networks on them."""

from abc import ABC, abstractmethod
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from gata.agents.making import Brain
from gata.agents.selector import ActionSelector
from gata.belief.interface import BeliefGraph
from gata.nn.tokens import Grouped
from gata.rl.looking_up import Lookup
from gata.rl.replay import Drawn, Replay
from gata.rl.settings import LearningSettings
from gata.rl.targets import bellman
from gata.training.capture import Tensors


class Seen(NamedTuple):
    """States as a selector sees them; both networks look at the same graphs."""

    texts: Grouped | None
    graph: BeliefGraph | None


class Goals(NamedTuple):
    """What is known of the values that are to be learnt; (batch, ...) each."""

    value: Tensor
    """What the steps brought."""
    discounts: Tensor
    """Of the value of what follows; 0 if nothing does."""
    weights: Tensor
    """Of the steps in the loss, which is a sum; 0 for what is no step."""


class Batch(NamedTuple):
    """What was drawn; a row of each tensor belongs to one draw."""

    places: Tensor
    """(batch, ...) where the steps stand in the replay; what is no step has another's place."""
    is_real: Tensor
    """(batch, ...) whether there is a step."""
    arguments: Tensors
    """Of the loss."""
    need: Tensor
    """Of the states that will be looked at; see ``Lookup``."""


class Lesson(ABC):
    """A way to learn from what was drawn; its networks are learnt by others."""

    def __init__(
        self,
        brain: Brain,
        target: ActionSelector,
        settings: LearningSettings,
        replay: Replay,
        lookup: Lookup,
    ) -> None:
        """For a brain and its target network.

        Args:
            brain: who learns.
            target: values what follows.
            settings: how to learn.
            replay: where the steps are.
            lookup: of that replay.
        """
        self.brain, self.online, self.target = brain, brain.selector, target
        self.settings, self.replay, self.lookup = settings, replay, lookup

    @property
    @abstractmethod
    def most_steps(self) -> int:
        """The largest n of n-step returns."""

    @abstractmethod
    def batch(self, drawn: Drawn, n: Tensor) -> Batch:
        """Add up what the drawn steps brought.

        Args:
            drawn: from the replay.
            n: (draws,) how many steps to look ahead.
        """

    @abstractmethod
    def loss(self, *arguments: Tensor) -> Tensors:
        """Of the arguments in a batch: the loss, and the errors of the steps, (batch, ...)."""

    def returns_of(self, places: Tensor, n: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Returns, discounts of what follows, where that is, and after how many steps."""
        settings = self.settings
        returns, following = self.replay.look_ahead(
            places,
            n,
            self.most_steps,
            discount=settings.discount,
            bootstrap_time_outs=settings.bootstrap_time_outs,
        )
        value = returns.value
        if self.brain.preset.counting:
            novel = self.replay.bonus(places, n, self.most_steps, settings.bonus_discount)
            value = value + settings.bonus * novel
        discounts = settings.discount**returns.steps * returns.bootstraps
        return value, discounts, following, returns.steps

    def see(self, *places: Tensor) -> list[Seen]:
        """The states at each of some rows of places; all beliefs are decoded together."""
        states = [self.lookup.states(each) for each in places]
        graph = self.brain.graph_to_encode(torch.cat([each.beliefs for each in states]))
        if graph is None:
            return [Seen(each.texts, None) for each in states]
        parts = graph.split([len(each) for each in places])
        return [Seen(each.texts, part) for each, part in zip(states, parts, strict=True)]


def rate_one(selector: ActionSelector, state: Tensor, command: Tensor) -> Tensor:
    """The value of one command per state: (..., H), (..., H) -> (...,)."""
    single = command.unsqueeze(-2)
    allowed = torch.ones(single.shape[:-1], dtype=torch.bool, device=single.device)
    return selector.rate(state, single, allowed).squeeze(-1)


def compare(estimate: Tensor, following: Tensor, goals: Goals) -> Tensors:
    """The loss and the errors of estimates, (...,), given the values of what follows, (...,)."""
    goal = bellman(goals.value, goals.discounts, following)
    loss = functional.smooth_l1_loss(estimate, goal, reduction="none") * goals.weights
    return loss.sum(), (estimate - goal).abs()
