"""Learning from windows of steps, for recurrent agents."""

import torch
from torch import Tensor

from gata.agents.selector import ActionSelector, LstmMemory
from gata.nn.branch import Branch
from gata.nn.words import Tables
from gata.rl.lesson import Batch, Goals, Lesson, Seen, compare, rate_one
from gata.rl.replay import Drawn
from gata.rl.targets import double_dqn
from gata.training.capture import Tensors


class Windows(Lesson):
    """Around each drawn step: those before it, for the memory, and those from it on, to learn.

    A window that reaches beyond its episode is masked there, so short episodes serve as well.
    """

    @property
    def most_steps(self) -> int:
        """As in the authors' code."""
        return 1

    def batch(self, drawn: Drawn, n: Tensor) -> Batch:
        """See ``Lesson``."""
        settings = self.settings
        learnt = settings.window - settings.burn_in
        offsets = torch.arange(
            -settings.burn_in, learnt + self.most_steps, device=self.replay.device
        )
        window, is_same = self.replay.same_episode(drawn.places, offsets)
        # What is not there is never looked at; any state will do in its place.
        window = torch.where(is_same, window, drawn.places.unsqueeze(1))
        past, present = window[:, : settings.burn_in], window[:, settings.burn_in :]
        places = present[:, :learnt]
        is_step = is_same[:, settings.burn_in :][:, :learnt] & self.replay.is_step(places)
        value, discounts, _, steps = self.returns_of(places, n.unsqueeze(1).expand_as(places))
        weights = drawn.weights.unsqueeze(1) * is_step
        goals = Goals(value, discounts, weights / (weights > 0).sum().clamp(min=1))
        arguments = (places, past, present, steps, is_same, *goals)
        need = self.lookup.need([past, present], places, present)
        # What is no step leaves the priority of its place alone.
        places = torch.where(is_step, places, drawn.places.unsqueeze(1))
        return Batch(places, is_step, arguments, need)

    def loss(self, *arguments: Tensor) -> Tensors:
        """See ``Lesson``."""
        places, past, present, steps, is_same, *rest = arguments
        goals = Goals(*rest)
        offers = self.lookup.offers(places, present)
        before, now = self.see(past.flatten(), present.flatten())
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
        estimate = rate_one(self.online, states[:, :learnt], commands[offers.chosen])
        by_target.join(target)
        with torch.no_grad():
            online = self.online.rate(states, commands[offers.candidates], offers.allowed)
            ahead = torch.arange(learnt, device=steps.device) + steps
            values = double_dqn(online, target).gather(1, ahead)
        return compare(estimate, values, goals)

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
