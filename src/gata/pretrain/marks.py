"""Texts to be written: where they begin and end."""

import torch
from torch import Tensor

from gata.language.vocabulary import BOS, EOS, PAD
from gata.nn.tokens import token_mask


def teacher_forcing(ids: Tensor) -> tuple[Tensor, Tensor]:
    """What a decoder reads and what it must say at each place.

    Args:
        ids: (..., length) words of texts, padding on the right.

    Returns:
        (..., length + 1) each: the text after a begin mark, and the text before an end mark.
    """
    begin = torch.full_like(ids[..., :1], BOS)
    room = torch.full_like(begin, PAD)
    read = torch.cat([begin, ids], dim=-1)
    length = token_mask(ids).sum(-1, keepdim=True)
    said = torch.cat([ids, room], dim=-1).scatter(-1, length, EOS)
    return read, said


def text_loss(odds: Tensor, said: Tensor) -> Tensor:
    """Minus the log-likelihood of whole texts.

    Args:
        odds: (texts, length, V) log-probabilities.
        said: (texts, length) the true words; padding does not count.

    Returns:
        (texts,).
    """
    of_words = odds.gather(-1, said.unsqueeze(-1)).squeeze(-1)
    return -(of_words * token_mask(said)).sum(-1)
