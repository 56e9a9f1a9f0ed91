"""Texts as token ids: (..., length) integers, padding on the right."""

import torch
from torch import Tensor

PAD = 0
"""The id of padding, as in ``gata.language``."""


def token_mask(ids: Tensor) -> Tensor:
    """Which tokens are there: booleans of the same shape."""
    return ids != PAD


def join(first: Tensor, separator: int, second: Tensor) -> Tensor:
    """Each text of ``first``, a separator and its text of ``second``, without a gap.

    Args:
        first: (batch, length) ids.
        separator: the id between them.
        second: (batch, other length) ids.

    Returns:
        (batch, length + 1 + other length) ids, padding on the right.
    """
    width = first.shape[1] + 1 + second.shape[1]
    joined = first.new_full((first.shape[0], width), PAD)
    joined[:, : first.shape[1]] = first
    end = token_mask(first).sum(1, keepdim=True)
    tail = torch.cat([torch.full_like(end, separator, dtype=second.dtype), second], dim=1)
    places = end + torch.arange(tail.shape[1], device=first.device)
    return joined.scatter(1, places, tail.to(first.dtype))


def distinct(ids: Tensor, capacity: int) -> tuple[Tensor, Tensor]:
    """The different values in ``ids``, in shapes that do not depend on them.

    Commands repeat between games: encode each once, then look the results up.

    Args:
        ids: integers from 0 on, any shape.
        capacity: room for this many different values. With fewer places than values the last ones
            are lost and their lookups wrong; the number of values that exist is always enough.

    Returns:
        ``values`` (capacity,), ascending, 0 in unused places; and ``lookup``, shaped as ``ids``,
        with ``values[lookup] == ids``.
    """
    ordered, order = ids.flatten().sort()
    is_new = torch.ones_like(ordered)
    is_new[1:] = (ordered[1:] != ordered[:-1]).to(ordered.dtype)
    rank = (is_new.cumsum(0) - 1).clamp(max=capacity - 1)
    values = ids.new_zeros(capacity).scatter(0, rank, ordered)
    lookup = torch.empty_like(rank).scatter(0, order, rank)
    return values, lookup.view(ids.shape)
