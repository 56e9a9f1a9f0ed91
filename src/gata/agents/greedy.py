"""A trained brain at play: always the command it values most."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from torch import Tensor

from gata.agents.actor import Actor
from gata.agents.baselines import CommandIds, RowMask
from gata.agents.commands import CommandBook
from gata.agents.making import Brain
from gata.agents.thinking import Thinking
from gata.engine import Outputs
from gata.games.game import Game
from gata.language import vocabulary


class Decision(NamedTuple):
    """What is done in the states of a batch of games, and why."""

    beliefs: Tensor
    """(rows that are followed, *state shape)"""
    values: Tensor
    """(rows that are followed, most) of the candidates, as ``Actor.values`` gives them."""
    ids: CommandIds
    """(batch,) of the best commands."""


class GreedyAgent:
    """Takes the best command, every time. ``gata.agents.playing.play`` lets it play games."""

    def __init__(self, brain: Brain, *, narrow: bool | None = None) -> None:
        """Let a brain play.

        Args:
            brain: whose values count.
            narrow: see ``Actor``.
        """
        self.name = brain.preset.name
        self._narrow = narrow
        self._thinking = Thinking(brain, CommandBook(vocabulary.default(), brain.device))

    def __repr__(self) -> str:
        brain = self._thinking.brain
        return f"<{type(self).__name__} {self.name} on {brain.device}, {brain.preset.about}>"

    def begin(self, games: Sequence[Game], commands: Sequence[str]) -> None:
        """Know the commands, believe nothing yet."""
        numbers = self._thinking.book.enter(commands)
        self._actor = Actor(self._thinking, numbers, len(games), self._narrow)

    def act(self, outputs: Outputs, live: RowMask | None = None) -> CommandIds:
        """The ids of the best commands; any in rows that are not followed any more."""
        return self.decide(outputs, live).ids

    def decide(self, outputs: Outputs, live: RowMask | None = None) -> Decision:
        """What ``act`` does, with what it is done for; once per step, one or the other."""
        actor = self._actor
        if live is not None:
            actor.follow(live)
        situation = actor.observe(outputs)
        values = actor.values(situation)
        best = values.argmax(1).cpu().numpy()
        actor.did(situation.candidates[np.arange(len(best)), best])
        ids: CommandIds = outputs.candidates[:, 0].astype(np.int64)
        ids[actor.rows] = outputs.candidates[actor.rows, best]
        return Decision(situation.beliefs, values, ids)
