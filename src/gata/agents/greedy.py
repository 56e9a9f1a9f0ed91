"""A trained brain at play: always the command it values most."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from torch import Tensor

from gata.agents.actor import Actor
from gata.agents.baselines import CommandIds
from gata.agents.commands import CommandBook
from gata.agents.making import Brain
from gata.agents.thinking import Thinking
from gata.engine import Outputs
from gata.games.game import Game
from gata.language import vocabulary


class Decision(NamedTuple):
    """What is done in the states of a batch of games, and why."""

    beliefs: Tensor
    """(batch, *state shape)"""
    values: Tensor
    """(batch, most) of the candidates, as ``Actor.values`` gives them."""
    ids: CommandIds
    """(batch,) of the best commands."""


class GreedyAgent:
    """Takes the best command, every time. ``gata.agents.playing.play`` lets it play games."""

    def __init__(self, brain: Brain) -> None:
        self.name = brain.preset.name
        self._thinking = Thinking(brain, CommandBook(vocabulary.default(), brain.device))

    def __repr__(self) -> str:
        brain = self._thinking.brain
        return f"<{type(self).__name__} {self.name} on {brain.device}, {brain.preset.about}>"

    def begin(self, games: Sequence[Game], commands: Sequence[str]) -> None:
        """Know the commands, believe nothing yet."""
        numbers = self._thinking.book.enter(commands)
        self._actor = Actor(self._thinking, numbers, len(games))

    def act(self, outputs: Outputs) -> CommandIds:
        """The ids of the best commands."""
        return self.decide(outputs).ids

    def decide(self, outputs: Outputs) -> Decision:
        """What ``act`` does, with what it is done for; once per step, one or the other."""
        situation = self._actor.observe(outputs)
        values = self._actor.values(situation)
        best = values.argmax(1).cpu().numpy()
        rows = np.arange(len(best))
        self._actor.did(situation.candidates[rows, best])
        return Decision(situation.beliefs, values, outputs.candidates[rows, best].astype(np.int64))
