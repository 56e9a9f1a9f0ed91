"""The lookup of a GPU, which captures what has a fixed shape.

Its host looks at two numbers only: how long most texts are, and how many different commands occur.
A few texts are as wide as the longest there is, the others as the first number says; commands have
as much room as they ever needed.
"""

from collections.abc import Hashable, Sequence

import torch
from torch import Tensor

from gata.agents.commands import COMMANDS_STEP, START, CommandBook
from gata.agents.presets import Preset
from gata.agents.thinking import with_actions
from gata.nn.tokens import Grouped, distinct
from gata.rl.looking_up import Lookup, Offers
from gata.rl.replay import Replay
from gata.rl.texts import TextBook
from gata.training.rows import ROOM_STEP, round_up


class FixedLookup(Lookup):
    """Shapes that depend on what is drawn by two numbers alone."""

    def __init__(self, preset: Preset, replay: Replay, texts: TextBook, book: CommandBook) -> None:
        super().__init__(preset, replay, texts, book)
        self._room = 0
        """For the short texts,"""
        self._most_commands = 0
        """and for different commands."""

    def need(self, seen_at: Sequence[Tensor], chosen_at: Tensor, asked_at: Tensor) -> Tensor:
        """(2,): the length of the longest text that is taken for short, and how many commands."""
        longest = torch.zeros((), dtype=torch.int64, device=self.replay.device)
        if self._reads:
            texts = self.replay.steps.texts
            lengths = [
                self.texts.tokens.longest_short(texts[places.flatten()].long())
                for places in seen_at
            ]
            longest = torch.stack(lengths).amax()
        occurs = torch.zeros(len(self.book), dtype=torch.bool, device=self.replay.device)
        for commands in (self._given(chosen_at), self._asked(asked_at)[0]):
            occurs.index_fill_(0, commands.flatten(), True)
        return torch.stack([longest, occurs.sum()])

    def make_room(self, need: Tensor) -> Hashable:
        """Waits for the device."""
        longest, commands = need.tolist()
        self._room = min(round_up(longest, ROOM_STEP), self.texts.tokens.widest)
        grown = max(self._most_commands, round_up(commands, COMMANDS_STEP))
        self._most_commands = min(grown, len(self.book))
        return self._room, self._most_commands

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
        return with_actions(texts, self.book.words(steps.previous[places].long()))

    def offers(self, chosen_at: Tensor, asked_at: Tensor) -> Offers:
        """See ``Lookup``; the first words are those of the commands that occur."""
        chosen = self._given(chosen_at)
        asked, allowed = self._asked(asked_at)
        both = torch.cat([chosen.flatten(), asked.flatten()])
        numbers, places = distinct(both, len(self.book), self._most_commands)
        first, rest = torch.split(places, [chosen.numel(), asked.numel()])
        words = self.book.words(numbers)
        return Offers(words, first.view_as(chosen), rest.view_as(asked), allowed)

    def _asked(self, places: Tensor) -> tuple[Tensor, Tensor]:
        """The candidates at places, (..., most), and which of them are there."""
        steps = self.replay.steps
        candidates = steps.candidates[places].long()
        numbers = torch.arange(candidates.shape[-1], device=candidates.device)
        allowed = numbers < steps.counts[places].unsqueeze(-1)
        return torch.where(allowed, candidates, START), allowed
