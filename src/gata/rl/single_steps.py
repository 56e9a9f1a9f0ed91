"""Learning from one step at a time."""

import torch
from torch import Tensor

from gata.agents.selector import ActionSelector
from gata.nn.branch import Branch
from gata.nn.words import Tables
from gata.rl.lesson import Batch, Goals, Lesson, Seen, compare, rate_one
from gata.rl.looking_up import Offers
from gata.rl.replay import Drawn
from gata.rl.targets import double_dqn
from gata.training.capture import Tensors


class SingleSteps(Lesson):
    """Each drawn step and the state some steps later."""

    @property
    def most_steps(self) -> int:
        """What the settings say."""
        return self.settings.multi_step

    def batch(self, drawn: Drawn, n: Tensor) -> Batch:
        """See ``Lesson``."""
        places = drawn.places
        value, discounts, following, _ = self.returns_of(places, n)
        goals = Goals(value, discounts, drawn.weights / len(places))
        is_real = torch.ones_like(places, dtype=torch.bool)
        need = self.lookup.need([places, following], places, following)
        return Batch(places, is_real, (places, following, *goals), need)

    def loss(self, *arguments: Tensor) -> Tensors:
        """See ``Lesson``."""
        places, following, *rest = arguments
        goals = Goals(*rest)
        asked = self.lookup.worth_asking(goals.discounts)
        following = following[asked]
        offers = self.lookup.offers(places, following)
        now, then = self.see(places, following)
        by_target, by_online, reading = Branch("target"), Branch("online"), Branch("commands")
        with by_target.aside(), torch.no_grad():
            tables = self.target.tables()
            commands = self.target.commands(offers.words, tables)
            target = _rate_all(self.target, then, offers, commands, tables)
        tables = self.online.tables()
        # Those that were given are read twice: the others need no gradients, and are many more.
        given = offers.words[offers.chosen]
        with reading.aside(given, *tables):
            command = self.online.commands(given, tables)
        with by_online.aside(), torch.no_grad():
            commands = self.online.commands(offers.words, tables)
            online = _rate_all(self.online, then, offers, commands, tables)
        state = self.online.pool(*now, tables)
        reading.join(command)
        estimate = rate_one(self.online, state, command)
        by_target.join(target)
        by_online.join(online)
        values = torch.zeros_like(estimate)
        values[asked] = double_dqn(online, target)
        return compare(estimate, values, goals)


def _rate_all(
    selector: ActionSelector, seen: Seen, offers: Offers, commands: Tensor, tables: Tables
) -> Tensor:
    """The values of all candidates of states: (states, most)."""
    state = selector.pool(*seen, tables)
    return selector.rate(state, commands[offers.candidates], offers.allowed)
