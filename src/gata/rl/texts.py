"""Observations by number: they repeat enormously, so each is kept once."""

import numpy as np
import numpy.typing as npt
import torch

from gata.language.vocabulary import PAD
from gata.training.rows import Ids, Rows

ROOM_TEXTS, ROOM_WORDS = 2**16, 2**22
"""Room from the beginning, 9 MB of it: what a GPU has captured must be captured again when texts
move. 150,000 steps of random play on level 4 meet 8,000 texts of 900,000 words in all."""


class TextBook:
    """Every observation that was ever met, its number and its words on a device."""

    def __init__(self, device: torch.device) -> None:
        self._numbers: dict[bytes, int] = {}
        self.tokens = Rows(np.zeros(0, np.int16), np.zeros(0, np.int64), PAD, device)
        """The words of each."""
        self.tokens.reserve(ROOM_TEXTS, ROOM_WORDS)

    def __len__(self) -> int:
        return len(self._numbers)

    def enter(self, texts: npt.NDArray[np.int32], lengths: npt.NDArray[np.int32]) -> Ids:
        """The numbers of texts; new ones get the next.

        Args:
            texts: (texts, width) word ids.
            lengths: (texts,).
        """
        short = texts.astype(np.int16)
        # Every step of every game comes through here: plain bytes are quicker to cut than arrays.
        data, width = short.tobytes(), short.shape[1] * short.itemsize
        known = len(self)
        numbers = np.empty(len(texts), np.int64)
        new: list[npt.NDArray[np.int16]] = []
        for row, length in enumerate(lengths.tolist()):
            key = data[row * width : row * width + length * short.itemsize]
            number = self._numbers.setdefault(key, len(self._numbers))
            if number == known + len(new):
                new.append(short[row, :length])
            numbers[row] = number
        self.tokens.add(new)
        return numbers

    def restore(self, values: npt.NDArray[np.int16], lengths: Ids) -> None:
        """Fill an empty book with the texts of another, end to end."""
        ends = np.cumsum(lengths)
        rows = [values[end - length : end] for end, length in zip(ends, lengths, strict=True)]
        self._numbers = {row.tobytes(): number for number, row in enumerate(rows)}
        self.tokens.add(rows)
