"""What networks need of remembered states and commands, looked up by where they stand.

There are two ways, equal in what is learnt: ``narrow_lookup`` for a CPU and ``fixed_lookup`` for a
GPU.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from torch import Tensor

from gata.agents.commands import CommandBook
from gata.agents.presets import Preset
from gata.nn.tokens import Grouped
from gata.rl.replay import Replay
from gata.rl.texts import TextBook


class States(NamedTuple):
    """States as they are drawn."""

    beliefs: Tensor
    """(states, *state shape)"""
    texts: Grouped | None


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


class Lookup(ABC):
    """Looks up what the replay has at some places."""

    def __init__(self, preset: Preset, replay: Replay, texts: TextBook, book: CommandBook) -> None:
        self._reads = preset.uses != "graph"
        self._reads_actions = preset.action_in_text
        self.replay, self.texts, self.book = replay, texts, book

    @property
    @abstractmethod
    def version(self) -> Hashable:
        """Another one whenever what is looked up has moved in the device's memory."""

    @abstractmethod
    def need(self, seen_at: Sequence[Tensor], chosen_at: Tensor, asked_at: Tensor) -> Tensor:
        """What ``make_room`` wants to know before anything is looked up; stays on the device.

        Args:
            seen_at: some rows of places, (...,) each, whose states will be looked up together.
            chosen_at: (...,) and
            asked_at: (...,) where commands will be looked up.
        """

    @abstractmethod
    def make_room(self, need: Tensor) -> Hashable:
        """Get ready to look up these states. Each result is a variant of what is captured."""

    @abstractmethod
    def worth_asking(self, discounts: Tensor) -> Tensor | slice:
        """Which of the states that follow are to be valued, given the discounts of their values."""

    def states(self, places: Tensor) -> States:
        """The states at (states,) places."""
        beliefs = self.replay.steps.beliefs[places]
        return States(beliefs, self._read(places) if self._reads else None)

    @abstractmethod
    def _read(self, places: Tensor) -> Grouped:
        """What the selector reads in these states."""

    @abstractmethod
    def offers(self, chosen_at: Tensor, asked_at: Tensor) -> Offers:
        """The commands given at some places, (...,), and the candidates at others, (...,)."""

    def _given(self, places: Tensor) -> Tensor:
        """The numbers of the commands given at places, (...,)."""
        steps = self.replay.steps
        choices = steps.choices[places].long().unsqueeze(-1)
        return steps.candidates[places].gather(-1, choices).squeeze(-1).long()
