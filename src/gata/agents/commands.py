"""Commands by number, the same in all engines of a run."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from gata.language.tokenizer import tokenize
from gata.language.vocabulary import PAD, Vocabulary
from gata.training.rows import Ids, Rows

START_COMMAND = "restart"
"""Goes before an episode's first observation."""
START = 0
"""Its number."""

COMMANDS_STEP = 64
"""Where shapes are captured, the room for different commands grows by so many."""


class CommandBook:
    """Every command that was ever met, its number and its words on a device.

    An engine numbers the commands of its own games; what is remembered beyond it needs numbers
    that other games do not change.
    """

    def __init__(self, words: Vocabulary, device: torch.device) -> None:
        self._words = words
        self._numbers: dict[str, int] = {}
        self.tokens = Rows(np.zeros(0, np.int16), np.zeros(0, np.int64), PAD, device, long=False)
        """The words of each."""
        self.enter([START_COMMAND])

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def commands(self) -> tuple[str, ...]:
        """In the order of their numbers."""
        return tuple(self._numbers)

    def enter(self, commands: Iterable[str]) -> Ids:
        """The numbers of commands; new ones get the next."""
        given = list(commands)
        new = [command for command in dict.fromkeys(given) if command not in self._numbers]
        for command in new:
            self._numbers[command] = len(self._numbers)
        if new:
            self.tokens.add([self._encode(command) for command in new])
        return np.array([self._numbers[command] for command in given], np.int64)

    def words(self, numbers: Tensor) -> Tensor:
        """The words of commands, padded to the widest of all: (...,) -> (..., length) ids."""
        return self.tokens.take(numbers, self.tokens.widest)

    def distinct(self, numbers: Ids) -> tuple[Ids, Ids]:
        """The different ones among commands, ascending, and the place of each among them."""
        occurs = np.zeros(len(self), np.bool_)
        occurs[numbers] = True
        return np.flatnonzero(occurs), (np.cumsum(occurs) - 1)[numbers]

    def _encode(self, command: str) -> npt.NDArray[np.int16]:
        return np.array(self._words.encode(tokenize(command)), np.int16)
