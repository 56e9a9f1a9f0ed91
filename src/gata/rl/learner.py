"""Updates of the action selector from the replay: Double DQN."""

import copy
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from gata.agents.actor import with_actions
from gata.agents.commands import START, CommandBook
from gata.agents.making import Brain
from gata.agents.selector import ActionSelector, LstmMemory
from gata.belief.interface import BeliefGraph
from gata.nn.tokens import Grouped
from gata.nn.words import Tables
from gata.rl.replay import Drawn, Replay
from gata.rl.settings import LearningSettings
from gata.rl.targets import bellman, double_dqn
from gata.rl.texts import TextBook
from gata.training.rows import round_up, to_device
from gata.training.update import Tensors, Update


class Sizes(NamedTuple):
    """How the shapes of batches are rounded. On a GPU each shape is captured: few are better."""

    groups: int
    """Into how many groups texts are put by length."""
    candidates: int
    """The number of candidates becomes a multiple of this."""
    commands: int
    """So does the number of different commands."""


CPU_SIZES = Sizes(groups=4, candidates=1, commands=1)
GPU_SIZES = Sizes(groups=1, candidates=32, commands=128)


class States(NamedTuple):
    """States as they are drawn."""

    beliefs: Tensor
    """(states, *state shape)"""
    texts: Grouped | None


class Seen(NamedTuple):
    """States as a selector sees them; both networks look at the same graphs."""

    texts: Grouped | None
    graph: BeliefGraph | None


class Offers(NamedTuple):
    """Commands that states are asked about."""

    words: Tensor
    """(different commands, length) ids."""
    chosen: Tensor
    """(...,) which of them was given."""
    candidates: Tensor
    """(..., most) which of them can be given next."""
    allowed: Tensor
    """(..., most) booleans."""


class Learner:
    """The online network of a brain, its target network, and the optimiser."""

    def __init__(
        self,
        brain: Brain,
        settings: LearningSettings,
        replay: Replay,
        texts: TextBook,
        book: CommandBook,
    ) -> None:
        self.brain, self.settings, self.replay = brain, settings, replay
        self.texts, self.book = texts, book
        self.device = brain.device
        self.online = brain.selector
        self.target: ActionSelector = copy.deepcopy(brain.selector).requires_grad_(False).eval()
        sizes = CPU_SIZES if self.device.type == "cpu" else GPU_SIZES
        self.sizes = sizes._replace(groups=min(sizes.groups, settings.batch))
        self.update = Update(
            list(self.online.parameters()),
            self._recurrent_loss if brain.preset.recurrent else self._loss,
            learning_rate=settings.learning_rate,
            clip=settings.clip,
        )

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
        shares = torch.from_numpy(random.random(self.settings.batch))
        n = torch.from_numpy(random.integers(1, self.most_steps + 1, self.settings.batch))
        drawn = self.replay.draw(shares, progress)
        make = self._windows if self.brain.preset.recurrent else self._batch
        places, is_real, batch = make(drawn, n.to(self.device))
        loss, errors = self.update(batch)
        self.replay.learnt(places[is_real], errors[is_real])
        return loss

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

    def _states(self, places: Tensor) -> States:
        beliefs = self.replay.steps.beliefs[places]
        if self.brain.preset.uses == "graph":
            return States(beliefs, None)
        steps = self.replay.steps
        numbers = torch.stack([steps.texts[places].long(), steps.previous[places].long()])
        texts, previous = numbers.cpu().numpy()
        grouped = self.texts.tokens.look_up_grouped(texts, self.sizes.groups)
        if self.brain.preset.action_in_text:
            grouped = with_actions(grouped, self.book.tokens.look_up(previous))
        return States(beliefs, grouped)

    def _offers(self, chosen_at: Tensor, asked_at: Tensor) -> Offers:
        """The commands given at some places, and the candidates at others."""
        steps = self.replay.steps
        choices = steps.choices[chosen_at].long().unsqueeze(-1)
        given = steps.candidates[chosen_at].gather(-1, choices)
        counts = steps.counts[asked_at].cpu().numpy().astype(np.int64)
        most = round_up(max(1, int(counts.max())), self.sizes.candidates)
        most = min(most, steps.candidates.shape[1])
        asked = steps.candidates[asked_at][..., :most].cpu().numpy().astype(np.int64)
        allowed = np.arange(most) < counts[..., None]
        asked[~allowed] = START
        chosen = given.squeeze(-1).cpu().numpy().astype(np.int64)
        distinct, lookup = np.unique(
            np.concatenate([chosen.ravel(), asked.ravel()]), return_inverse=True
        )
        spare = round_up(len(distinct), self.sizes.commands) - len(distinct)
        words = self.book.tokens.look_up(np.pad(distinct, (0, spare)))
        first, rest = lookup[: chosen.size], lookup[chosen.size :]
        return Offers(
            words,
            to_device(first.reshape(chosen.shape), self.device),
            to_device(rest.reshape(asked.shape), self.device),
            to_device(allowed, self.device),
        )

    # One step at a time.

    def _batch(self, drawn: Drawn, n: Tensor) -> tuple[Tensor, Tensor, Tensors]:
        value, discounts, following, _ = self._returns(drawn.places, n)
        offers = self._offers(drawn.places, following)
        batch = (value, discounts, drawn.weights, *offers)
        states = [self._states(drawn.places), self._states(following)]
        is_real = torch.ones_like(drawn.places, dtype=torch.bool)
        return drawn.places, is_real, (*batch, *_flat(states))

    def _loss(self, *batch: Tensor) -> Tensors:
        value, discounts, weights, *rest = batch
        offers = Offers(*rest[:4])
        now, then = self._see(rest[4:])
        tables = self.online.tables()
        commands = self.online.commands(offers.words, tables)
        state = self.online.pool(*now, tables)
        estimate = _rate_one(self.online, state, commands[offers.chosen])
        with torch.no_grad():
            candidates = commands[offers.candidates]
            later = self.online.pool(*then, tables)
            online = self.online.rate(later, candidates, offers.allowed)
            tables = self.target.tables()
            candidates = self.target.commands(offers.words, tables)[offers.candidates]
            later = self.target.pool(*then, tables)
            target = self.target.rate(later, candidates, offers.allowed)
            goal = bellman(value, discounts, double_dqn(online, target))
        loss = functional.smooth_l1_loss(estimate, goal, reduction="none") * weights
        return loss.mean(), (estimate - goal).abs()

    def _see(self, tensors: Sequence[Tensor]) -> list[Seen]:
        states = _unflat(tensors, 2)
        return [Seen(each.texts, self.brain.graph(each.beliefs)) for each in states]

    # Windows of steps, for recurrent agents.

    def _windows(self, drawn: Drawn, n: Tensor) -> tuple[Tensor, Tensor, Tensors]:
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
        offers = self._offers(places, present)
        states = [self._states(past.flatten()), self._states(present.flatten())]
        weights = drawn.weights.unsqueeze(1) * is_step
        batch = (value, discounts, weights, *offers, steps, is_same)
        return places, is_step, (*batch, *_flat(states))

    def _recurrent_loss(self, *batch: Tensor) -> Tensors:
        value, discounts, weights, *rest = batch
        offers = Offers(*rest[:4])
        steps, is_same = rest[4:6]
        past, present = self._see(rest[6:])
        tables = self.online.tables()
        commands = self.online.commands(offers.words, tables)
        states = self._walk(self.online, past, present, is_same, tables)
        learnt = value.shape[1]
        estimate = _rate_one(self.online, states[:, :learnt], commands[offers.chosen])
        with torch.no_grad():
            online = self.online.rate(states, commands[offers.candidates], offers.allowed)
            tables = self.target.tables()
            candidates = self.target.commands(offers.words, tables)[offers.candidates]
            later = self._walk(self.target, past, present, is_same, tables)
            target = self.target.rate(later, candidates, offers.allowed)
            values = double_dqn(online, target)
            ahead = torch.arange(learnt, device=values.device) + steps
            goal = bellman(value, discounts, values.gather(1, ahead))
        loss = functional.smooth_l1_loss(estimate, goal, reduction="none") * weights
        count = (weights > 0).sum().clamp(min=1)
        return loss.sum() / count, (estimate - goal).abs()

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


def _rate_one(selector: ActionSelector, state: Tensor, command: Tensor) -> Tensor:
    """The value of one command per state: (..., H), (..., H) -> (...,)."""
    single = command.unsqueeze(-2)
    allowed = torch.ones(single.shape[:-1], dtype=torch.bool, device=single.device)
    return selector.rate(state, single, allowed).squeeze(-1)


def _flat(states: Sequence[States]) -> Tensors:
    """States as a row of tensors."""
    tensors: list[Tensor] = []
    for beliefs, texts in states:
        tensors += [beliefs] if texts is None else [beliefs, texts.places, *texts.groups]
    return tuple(tensors)


def _unflat(tensors: Sequence[Tensor], count: int) -> list[States]:
    """The reverse of ``_flat`` for ``count`` states with equally many groups."""
    each = len(tensors) // count
    states = []
    for start in range(0, len(tensors), each):
        beliefs, *texts = tensors[start : start + each]
        grouped = Grouped(tuple(texts[1:]), texts[0]) if texts else None
        states.append(States(beliefs, grouped))
    return states
