"""What networks need of remembered states and commands, looked up by where they stand.

There are two ways, equal in what is learnt. A CPU calculates as little as it can: texts of similar
length stand together, only the commands that occur are encoded, and where single steps are learnt
only those of the states that follow are looked at whose value counts (recurrent agents walk through
every state of a window). A GPU captures what has a fixed shape, and its host looks at one number
only, the length of most texts: a few texts are as wide as the longest there is, the others as that
number says, and all commands are encoded.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from gata.agents.commands import START, CommandBook
from gata.agents.presets import Preset
from gata.agents.thinking import with_actions
from gata.nn.tokens import Grouped
from gata.rl.replay import Replay
from gata.rl.texts import TextBook
from gata.training.rows import ROOM_STEP, round_up, to_device

TEXT_GROUPS = 4
"""Into how many groups a CPU puts texts by their length."""


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
    def need(self, *places: Tensor) -> Tensor:
        """What ``make_room`` wants to know of the places whose states will be looked up.

        No dimensions; on the device.
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


class NarrowLookup(Lookup):
    """For a CPU: as little padding as there can be."""

    @property
    def version(self) -> Hashable:
        """Nothing is captured."""
        return None

    def need(self, *places: Tensor) -> Tensor:
        """Nothing is known before."""
        return torch.zeros((), dtype=torch.int64)

    def make_room(self, need: Tensor) -> Hashable:
        """Nothing is captured."""
        return None

    def worth_asking(self, discounts: Tensor) -> Tensor | slice:
        """Those whose value counts; one if there are none, since networks want something."""
        return discounts.nonzero().squeeze(1) if discounts.any() else slice(1)

    def _read(self, places: Tensor) -> Grouped:
        steps = self.replay.steps
        groups = min(TEXT_GROUPS, len(places))
        texts = steps.texts[places].numpy().astype(np.int64)
        grouped = self.texts.tokens.look_up_grouped(texts, groups)
        if not self._reads_actions:
            return grouped
        previous = steps.previous[places].numpy().astype(np.int64)
        return with_actions(grouped, self.book.tokens.look_up(previous))

    def offers(self, chosen_at: Tensor, asked_at: Tensor) -> Offers:
        """See ``Lookup``; only commands that occur are among the words."""
        steps, device = self.replay.steps, self.replay.device
        counts = steps.counts[asked_at].numpy().astype(np.int64)
        most = max(1, int(counts.max()))
        asked = steps.candidates[asked_at][..., :most].numpy().astype(np.int64)
        allowed = np.arange(most) < counts[..., None]
        asked[~allowed] = START
        chosen = self._given(chosen_at).numpy()
        distinct, lookup = np.unique(
            np.concatenate([chosen.ravel(), asked.ravel()]), return_inverse=True
        )
        first, rest = lookup[: chosen.size], lookup[chosen.size :]
        return Offers(
            self.book.tokens.look_up(distinct),
            to_device(first.reshape(chosen.shape), device),
            to_device(rest.reshape(asked.shape), device),
            to_device(allowed, device),
        )


class FixedLookup(Lookup):
    """For a GPU: shapes that depend on what is drawn by one number alone."""

    def __init__(self, preset: Preset, replay: Replay, texts: TextBook, book: CommandBook) -> None:
        super().__init__(preset, replay, texts, book)
        self._room = 0
        """For the short texts."""

    def need(self, *places: Tensor) -> Tensor:
        """The length of the longest text that is taken for a short one."""
        if not self._reads:
            return torch.zeros((), dtype=torch.int64, device=self.replay.device)
        texts = self.replay.steps.texts
        longest = [self.texts.tokens.longest_short(texts[at.flatten()].long()) for at in places]
        return torch.stack(longest).amax()

    def make_room(self, need: Tensor) -> Hashable:
        """Waits for the device if there are texts to read."""
        if self._reads:
            self._room = min(round_up(int(need), ROOM_STEP), self.texts.tokens.widest)
        return self._room

    @property
    def version(self) -> Hashable:
        """Of the replay and of both books; a new command counts too."""
        books = (self.texts.tokens.version, self.book.tokens.version)
        return self.replay.version, books, len(self.book)

    def worth_asking(self, discounts: Tensor) -> Tensor | slice:
        """All: their number is fixed."""
        return slice(None)

    def _read(self, places: Tensor) -> Grouped:
        steps, tokens = self.replay.steps, self.texts.tokens
        texts = tokens.take_grouped(steps.texts[places].long(), self._room)
        if not self._reads_actions:
            return texts
        commands = self.book.tokens
        previous = commands.take(steps.previous[places].long(), commands.widest)
        return with_actions(texts, previous)

    def offers(self, chosen_at: Tensor, asked_at: Tensor) -> Offers:
        """See ``Lookup``; all commands are among the words, and are their own numbers."""
        steps = self.replay.steps
        asked = steps.candidates[asked_at].long()
        places = torch.arange(asked.shape[-1], device=asked.device)
        allowed = places < steps.counts[asked_at].unsqueeze(-1)
        return Offers(
            self.book.everything,
            self._given(chosen_at),
            torch.where(allowed, asked, START),
            allowed,
        )


def make_lookup(preset: Preset, replay: Replay, texts: TextBook, book: CommandBook) -> Lookup:
    """The way that suits the device of the replay."""
    way = NarrowLookup if replay.device.type == "cpu" else FixedLookup
    return way(preset, replay, texts, book)
