"""Networks that walk through games: a few steps of many games at once, state in, state out."""

from abc import ABC, abstractmethod
from typing import NamedTuple

from torch import Tensor, nn

from gata.nn.masking import Encoded
from gata.nn.text_encoder import TextEncoder
from gata.nn.tokens import Grouped
from gata.nn.words import Tables


class Steps(NamedTuple):
    """T consecutive steps of B games."""

    observations: Grouped
    """T * B texts, steps first: O_t."""
    actions: Tensor
    """(T * B, length) word ids: A_{t-1}, the command that led there."""
    starts: Tensor
    """(T, B) booleans: a new game begins here; what was remembered is forgotten."""


class Walked(NamedTuple):
    """What a network made of steps; T and B are one dimension, T * B, steps first."""

    tables: Tables
    texts: Encoded
    """The observations, encoded alone: (T * B, length, H)."""
    memory: Encoded
    """What is believed after each step, informed by the action: (T * B, N or 1, H)."""
    action: Encoded
    """The action, informed by what is believed: (T * B, length, H)."""
    state: Tensor
    """(B, size) after the last step."""


class Recurrent(nn.Module, ABC):
    """Walks through games and says what it believes after each step."""

    @abstractmethod
    def initial(self, batch: int) -> Tensor:
        """The state before a game: (batch, size) zeros."""

    @abstractmethod
    def walk(self, steps: Steps, state: Tensor) -> Walked:
        """Walk on from ``state``, (B, size)."""


def forget(state: Tensor, starts: Tensor) -> Tensor:
    """The states of games that go on, and zeros where a new one begins: (B, size), (B,)."""
    return state.masked_fill(starts.unsqueeze(-1), 0)


def encode_grouped(encoder: TextEncoder, texts: Grouped, words: Tensor) -> Encoded:
    """Encode texts group by group: (texts, widest, H)."""
    encoded = [encoder(group, words) for group in texts.groups]
    values = texts.together([part.values for part in encoded])
    masks = texts.together([part.mask for part in encoded])
    return Encoded(values, masks)
