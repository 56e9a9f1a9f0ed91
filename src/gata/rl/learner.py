"""Updates of the action selector from the replay: Double DQN."""

import copy
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from gata.agents.making import Brain
from gata.agents.selector import ActionSelector, LstmMemory
from gata.belief.interface import BeliefGraph
from gata.nn.branch import Branch
from gata.nn.tokens import Grouped
from gata.nn.words import Tables
from gata.rl.looking_up import Lookup, Offers
from gata.rl.replay import Drawn, Replay
from gata.rl.settings import LearningSettings
from gata.rl.targets import bellman, double_dqn
from gata.training.capture import Captured, Tensors
from gata.training.rows import to_device
from gata.training.update import Update


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


class Learner:
    """The online network of a brain, its target network, and the optimiser."""

    def __init__(
        self,
        brain: Brain,
        settings: LearningSettings,
        replay: Replay,
        lookup: Lookup,
        *,
        threads: int = 1,
    ) -> None:
        """Start from the brain as it is.

        Args:
            brain: who learns.
            settings: how.
            replay: where the steps are.
            lookup: of that replay.
            threads: work on parts of a batch, on a CPU.
        """
        self.brain, self.settings, self.replay = brain, settings, replay
        self.device = brain.device
        self.lookup = lookup
        self.online = brain.selector
        self.target: ActionSelector = copy.deepcopy(brain.selector).requires_grad_(False).eval()
        self.update = Update(
            list(self.online.parameters()),
            self._recurrent_loss if brain.preset.recurrent else self._loss,
            learning_rate=settings.learning_rate,
            clip=settings.clip,
            parts=threads,
        )
        self._sampling = Captured(self._sample, self.device)
        self._learning = Captured(self._learn, self.device)

    @property
    def most_steps(self) -> int:
        """The largest n of n-step returns."""
        return 1 if self.brain.preset.recurrent else self.settings.multi_step

    def copy_to_target(self) -> None:
        """Let the target network be what the online network is."""
        self.target.load_state_dict(self.online.state_dict())

    def learn(self, random: np.random.Generator, progress: float) -> Tensor:
        """One update; returns its loss.

        Args:
            random: decides what is drawn.
            progress: how much of the training is over, 0 to 1.
        """
        version = self.lookup.version
        need, *batch = self._sampling(self.chance(random, progress), version=version)
        variant = self.lookup.make_room(need)
        (loss,) = self._learning(*batch, version=version, variant=variant)
        return loss

    def chance(self, random: np.random.Generator, progress: float) -> Tensor:
        """What decides an update, in one row: one copy to the device."""
        batch = self.settings.batch
        shares = random.random(batch)
        n = random.integers(1, self.most_steps + 1, batch)
        row = np.concatenate([shares, n, [self.replay.power(progress)]])
        return to_device(row, self.device)

    def _sample(self, chance: Tensor) -> Tensors:
        """What ``sample`` gives, in a row."""
        batch = self.sample(chance)
        return batch.need, batch.places, batch.is_real, *batch.arguments

    def _learn(self, places: Tensor, is_real: Tensor, *arguments: Tensor) -> Tensors:
        """Update, set priorities."""
        loss, errors = self.update.run(*arguments)
        self.replay.learnt(places.flatten(), torch.where(is_real, errors, 0).flatten())
        return (loss,)

    def sample(self, chance: Tensor) -> Batch:
        """Draw a batch, and add up what its steps brought.

        Args:
            chance: (2 * batch + 1,) float64: shares of the priorities, numbers of steps to look
                ahead, and the power of importance weights.
        """
        draws = self.settings.batch
        shares, n, power = chance[:draws], chance[draws:-1].long(), chance[-1]
        drawn = self.replay.draw(shares, power)
        return self._windows(drawn, n) if self.brain.preset.recurrent else self._steps(drawn, n)

    # Looking up what was drawn.

    def _returns(self, places: Tensor, n: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
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

    # One step at a time.

    def _steps(self, drawn: Drawn, n: Tensor) -> Batch:
        places = drawn.places
        value, discounts, following, _ = self._returns(places, n)
        goals = Goals(value, discounts, drawn.weights / len(places))
        is_real = torch.ones_like(places, dtype=torch.bool)
        need = self.lookup.need(places, following)
        return Batch(places, is_real, (places, following, *goals), need)

    def _loss(self, places: Tensor, following: Tensor, *rest: Tensor) -> Tensors:
        goals = Goals(*rest)
        asked = self.lookup.worth_asking(goals.discounts)
        following = following[asked]
        offers = self.lookup.offers(places, following)
        now, then = self._see(places, following)
        by_target, by_online, reading = Branch("target"), Branch("online"), Branch("commands")
        with by_target.aside(), torch.no_grad():
            tables = self.target.tables()
            commands = self.target.commands(offers.words, tables)
            target = _rate_all(self.target, then, offers, commands, tables)
        tables = self.online.tables()
        with reading.aside(*tables):
            commands = self.online.commands(offers.words, tables)
        with by_online.aside(), torch.no_grad():
            reading.join()
            online = _rate_all(self.online, then, offers, commands, tables)
        state = self.online.pool(*now, tables)
        reading.join(commands)
        estimate = _rate_one(self.online, state, commands[offers.chosen])
        by_target.join(target)
        by_online.join(online)
        values = torch.zeros_like(estimate)
        values[asked] = double_dqn(online, target)
        return _compare(estimate, values, goals)

    def _see(self, *places: Tensor) -> list[Seen]:
        """The states at each of some rows of places; all beliefs are decoded together."""
        states = [self.lookup.states(each) for each in places]
        graph = self.brain.graph(torch.cat([each.beliefs for each in states]))
        if graph is None:
            return [Seen(each.texts, None) for each in states]
        sizes = [len(each) for each in places]
        parts = map(BeliefGraph, *(torch.split(tensor, sizes) for tensor in graph))
        return [Seen(each.texts, part) for each, part in zip(states, parts, strict=True)]

    # Windows of steps, for recurrent agents.

    def _windows(self, drawn: Drawn, n: Tensor) -> Batch:
        """Around each drawn step: those before it, for the memory, and those from it on, to learn.

        A window that reaches beyond its episode is masked there, so short episodes serve as well.
        """
        settings = self.settings
        learnt = settings.window - settings.burn_in
        offsets = torch.arange(-settings.burn_in, learnt + self.most_steps, device=self.device)
        window, is_same = self.replay.same_episode(drawn.places, offsets)
        # What is not there is never looked at; any state will do in its place.
        window = torch.where(is_same, window, drawn.places.unsqueeze(1))
        past, present = window[:, : settings.burn_in], window[:, settings.burn_in :]
        places = present[:, :learnt]
        is_step = is_same[:, settings.burn_in :][:, :learnt] & self.replay.is_step(places)
        value, discounts, _, steps = self._returns(places, n.unsqueeze(1).expand_as(places))
        weights = drawn.weights.unsqueeze(1) * is_step
        goals = Goals(value, discounts, weights / (weights > 0).sum().clamp(min=1))
        arguments = (places, past, present, steps, is_same, *goals)
        # What is no step leaves the priority of its place alone.
        places = torch.where(is_step, places, drawn.places.unsqueeze(1))
        return Batch(places, is_step, arguments, self.lookup.need(past, present))

    def _recurrent_loss(
        self,
        places: Tensor,
        past: Tensor,
        present: Tensor,
        steps: Tensor,
        is_same: Tensor,
        *rest: Tensor,
    ) -> Tensors:
        goals = Goals(*rest)
        offers = self.lookup.offers(places, present)
        before, now = self._see(past.flatten(), present.flatten())
        by_target = Branch("target")
        with by_target.aside(), torch.no_grad():
            tables = self.target.tables()
            candidates = self.target.commands(offers.words, tables)[offers.candidates]
            later = self._walk(self.target, before, now, is_same, tables)
            target = self.target.rate(later, candidates, offers.allowed)
        tables = self.online.tables()
        commands = self.online.commands(offers.words, tables)
        states = self._walk(self.online, before, now, is_same, tables)
        learnt = places.shape[1]
        estimate = _rate_one(self.online, states[:, :learnt], commands[offers.chosen])
        by_target.join(target)
        with torch.no_grad():
            online = self.online.rate(states, commands[offers.candidates], offers.allowed)
            ahead = torch.arange(learnt, device=steps.device) + steps
            values = double_dqn(online, target).gather(1, ahead)
        return _compare(estimate, values, goals)

    def _walk(
        self,
        selector: ActionSelector,
        past: Seen,
        present: Seen,
        is_same: Tensor,
        tables: Tables,
    ) -> Tensor:
        """What a recurrent selector knows in each present state: (windows, steps, H)."""
        burn_in = self.settings.burn_in
        shape = is_same.shape
        with torch.no_grad():
            before = selector.pool(*past, tables).view(shape[0], burn_in, -1)
            _, memory = _remember(selector, before, is_same[:, :burn_in], None)
        after = selector.pool(*present, tables).view(shape[0], shape[1] - burn_in, -1)
        known, _ = _remember(selector, after, is_same[:, burn_in:], memory)
        return known


def _remember(
    selector: ActionSelector, pooled: Tensor, is_there: Tensor, memory: LstmMemory | None
) -> tuple[Tensor, LstmMemory]:
    """Walk through (windows, steps, size); steps that are not there change nothing.

    Returns:
        What is known at each step, (windows, steps, H), and the memory after the last.
    """
    known = []
    for step, there in zip(pooled.unbind(1), is_there.unbind(1), strict=True):
        state, new = selector.remember(step, memory)
        old = memory or tuple(map(torch.zeros_like, new))
        mask = there.unsqueeze(1)
        memory = torch.where(mask, new[0], old[0]), torch.where(mask, new[1], old[1])
        known.append(state)
    assert memory is not None
    return torch.stack(known, 1), memory


def _rate_all(
    selector: ActionSelector, seen: Seen, offers: Offers, commands: Tensor, tables: Tables
) -> Tensor:
    """The values of all candidates of states: (states, most)."""
    state = selector.pool(*seen, tables)
    return selector.rate(state, commands[offers.candidates], offers.allowed)


def _rate_one(selector: ActionSelector, state: Tensor, command: Tensor) -> Tensor:
    """The value of one command per state: (..., H), (..., H) -> (...,)."""
    single = command.unsqueeze(-2)
    allowed = torch.ones(single.shape[:-1], dtype=torch.bool, device=single.device)
    return selector.rate(state, single, allowed).squeeze(-1)


def _compare(estimate: Tensor, following: Tensor, goals: Goals) -> Tensors:
    """The loss and the errors of estimates, (...,), given the values of what follows, (...,)."""
    goal = bellman(goals.value, goals.discounts, following)
    loss = functional.smooth_l1_loss(estimate, goal, reduction="none") * goals.weights
    return loss.sum(), (estimate - goal).abs()
