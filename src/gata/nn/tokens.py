"""Texts as token ids: (..., length) integers, padding on the right."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

PAD = 0
"""The id of padding, as in ``gata.language``."""


def token_mask(ids: Tensor) -> Tensor:
    """Which tokens are there: booleans of the same shape."""
    return ids != PAD


def inverse(order: Tensor) -> Tensor:
    """Where each number stands in a permutation: (n,) integers."""
    numbers = torch.arange(len(order), device=order.device)
    return torch.empty_like(numbers).scatter(0, order, numbers)


class Grouped(NamedTuple):
    """Texts by length, in groups that are only as wide as their own longest.

    Most observations are short and few are long: side by side they would be padding for the most
    part. Who makes a group decides its width, so shapes do not depend on values.
    """

    groups: tuple[Tensor, ...]
    """(texts of the group, its width) ids each."""
    places: Tensor
    """(texts,) where each text stands in the groups put end to end."""

    @classmethod
    def of(cls, ids: Tensor) -> "Grouped":
        """All texts, (texts, width), in one group."""
        return cls((ids,), torch.arange(len(ids), device=ids.device))

    @property
    def width(self) -> int:
        """Of the widest group."""
        return max(group.shape[1] for group in self.groups)

    @property
    def order(self) -> tuple[Tensor, ...]:
        """For each group, which texts it consists of."""
        return torch.split(inverse(self.places), [len(group) for group in self.groups])

    def together(self, rows: Sequence[Tensor]) -> Tensor:
        """Put what was made of each group, (texts of the group, its width, ...), in one tensor.

        Rows become as wide as the widest, filled with zeros, in the order of the texts.
        """
        wide = [
            functional.pad(row, [0, 0] * (row.dim() - 2) + [0, self.width - row.shape[1]])
            for row in rows
        ]
        return torch.cat(wide).index_select(0, self.places)


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


def distinct(ids: Tensor, kinds: int, capacity: int) -> tuple[Tensor, Tensor]:
    """The different values in ``ids``, in shapes that do not depend on them.

    Commands repeat between games: encode each once, then look the results up.

    Args:
        ids: integers from 0 on, any shape.
        kinds: how many values there can be: all ids are below.
        capacity: room for this many different values. With fewer places than values the last ones
            are lost and their lookups wrong; ``kinds`` is always enough.

    Returns:
        ``values`` (capacity,), ascending, 0 in unused places; and ``lookup``, shaped as ``ids``,
        with ``values[lookup] == ids``.
    """
    occurs = ids.new_zeros(kinds).index_fill_(0, ids.flatten(), 1)
    rank = (occurs.cumsum(0) - 1).clamp(0, capacity - 1)
    # What does not occur has the rank of a smaller value that does, and says nothing there.
    found = torch.arange(kinds, device=ids.device) * occurs
    values = ids.new_zeros(capacity).scatter_reduce(0, rank, found, "amax")
    return values, rank[ids]
