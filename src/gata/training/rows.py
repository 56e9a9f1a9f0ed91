"""Rows of different lengths on the training device, looked up a batch at a time."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from gata.nn import fused
from gata.nn.tokens import Grouped, inverse

Ids = npt.NDArray[np.int64]

SHORT_STEP, LONG_STEP = 8, 32
"""Widths of batches are multiples of these. On a GPU each shape is captured, so long texts, whose
lengths vary, get few different widths; everywhere else a narrow batch is better."""

LONG_SHARE = 4
"""Of the texts of games most are short; the first of an episode is long, and good players have
short episodes. Where shapes are captured, one of so many texts may be as long as any,"""
ROOM_STEP = 32
"""and the others get room in these steps: each is captured."""

GROUP_COST = 64
"""What the operations on one more group of texts cost a CPU, in tokens of padding."""


class Rows:
    """Rows of ids on a device; more can be added."""

    def __init__(
        self,
        values: npt.NDArray[np.generic],
        lengths: Ids,
        padding: int,
        device: torch.device,
        *,
        long: bool = True,
    ) -> None:
        """Put rows on a device.

        Args:
            values: the rows' ids, end to end.
            lengths: (rows,).
            padding: what fills a row that is shorter than its neighbours.
            device: where to.
            long: rows are long and their lengths differ much.
        """
        starts = np.cumsum(lengths) - lengths
        self._values = _Growing(torch.from_numpy(np.array(values)).to(device))
        self._starts = _Growing(torch.from_numpy(starts).to(device))
        self._lengths = _Growing(torch.from_numpy(np.array(lengths)).to(device))
        self._padding = padding
        self._device = device
        self._step = LONG_STEP if long and device.type == "cuda" else SHORT_STEP
        self._host_lengths = _GrowingArray(np.array(lengths))
        self._longest = int(lengths.max(initial=1))

    def __len__(self) -> int:
        return len(self.lengths)

    @property
    def lengths(self) -> Ids:
        """(rows,), on the host: to plan batches without waiting for the device."""
        return self._host_lengths.used

    @property
    def values(self) -> Tensor:
        """All rows' ids, end to end."""
        return self._values.used

    def add(self, rows: Sequence[npt.NDArray[np.generic]]) -> None:
        """Add rows behind the last one."""
        if not rows:
            return
        lengths = np.array([len(row) for row in rows], np.int64)
        starts = len(self._values.used) + np.cumsum(lengths) - lengths
        self._values.add(to_device(np.concatenate(rows), self._device))
        self._starts.add(to_device(starts, self._device))
        self._lengths.add(to_device(lengths, self._device))
        self._host_lengths.add(lengths)
        self._longest = max(self._longest, int(lengths.max()))

    def reserve(self, rows: int, values: int) -> None:
        """Make room for so many rows and ids in all: until then, nothing moves."""
        for buffer, size in ((self._values, values), (self._starts, rows), (self._lengths, rows)):
            buffer.reserve(size)

    def look_up(self, rows: Ids, least: int = 1) -> Tensor:
        """The rows' ids, padded: any shape of row numbers -> (..., width) int64.

        Args:
            rows: which rows.
            least: the least width.
        """
        return self.take(to_device(rows, self._device), self.width(rows, least))

    def take(self, numbers: Tensor, width: int) -> Tensor:
        """The same for row numbers on the device and a width that is known, without a wait.

        What is longer than ``width`` is cut off.
        """
        if self._device.type == "cuda" and fused.available(self._device):
            from gata.nn.fused.take import take

            columns = (self._values.whole, self._starts.whole, self._lengths.whole)
            return take(*columns, numbers, width, self._padding)
        places = torch.arange(width, device=self._device)
        there = places < self._lengths.whole[numbers].unsqueeze(-1)
        cells = torch.where(there, self._starts.whole[numbers].unsqueeze(-1) + places, 0)
        return torch.where(there, self._values.whole[cells].long(), self._padding)

    @property
    def widest(self) -> int:
        """How wide all rows are together."""
        return round_up(self._longest, self._step)

    @property
    def version(self) -> tuple[int, ...]:
        """Another one whenever the rows have moved in the device's memory, or become wider."""
        buffers = (self._values.whole, self._starts.whole, self._lengths.whole)
        return (self.widest, *(number for b in buffers for number in (b.data_ptr(), len(b))))

    def width(self, rows: Ids, least: int = 1) -> int:
        """How wide some rows are together."""
        return round_up(int(self.lengths[rows].max(initial=least)), self._step)

    def look_up_grouped(self, rows: Ids, groups: int) -> Grouped:
        """The rows' ids, those of similar length together: (texts,) row numbers."""
        parts, places = group_by_length(self.lengths[rows], even_sizes(len(rows), groups))
        return Grouped(
            tuple(self.look_up(rows[part]) for part in parts), to_device(places, self._device)
        )

    def take_grouped(self, numbers: Tensor, room: int) -> Grouped:
        """The rows of (texts,) numbers on the device in two groups, short and long ones.

        Args:
            numbers: which rows.
            room: the width of the short ones' group, at least their ``longest_short``.
        """
        order = self._lengths.whole[numbers].argsort(stable=True)
        parts = torch.split(order, list(short_and_long(len(order))))
        widths = (room, self.widest) if len(parts) > 1 else (self.widest,)
        groups = (
            self.take(numbers[part], min(width, self.widest))
            for part, width in zip(parts, widths, strict=True)
        )
        return Grouped(tuple(groups), inverse(order))

    def longest_short(self, numbers: Tensor) -> Tensor:
        """The length of the longest row that ``take_grouped`` takes for short: no dimensions."""
        short = short_and_long(len(numbers))[0]
        return self._lengths.whole[numbers].sort().values[short - 1]


def even_sizes(count: int, groups: int) -> tuple[int, ...]:
    """The sizes of ``groups`` groups, or fewer, as equal as can be."""
    return tuple(len(part) for part in np.array_split(np.arange(count), groups) if len(part))


def cheapest_sizes(lengths: Ids) -> list[int]:
    """How many texts to put in each group, the shortest first, at the least cost.

    Each text costs its group's width, each group ``GROUP_COST``.

    Args:
        lengths: (texts,), one at least.
    """
    widths, counts = np.unique(lengths, return_counts=True)
    ends = np.concatenate([[0], np.cumsum(counts)])
    # Of the texts up to each width: what they cost at least, and where their last group begins.
    least, last = np.zeros_like(ends), np.zeros_like(ends)
    for end in range(1, len(ends)):
        costs = least[:end] + (ends[end] - ends[:end]) * widths[end - 1]
        last[end] = costs.argmin()
        least[end] = costs[last[end]] + GROUP_COST
    sizes, end = [], len(ends) - 1
    while end:
        sizes.append(int(ends[end] - ends[last[end]]))
        end = last[end]
    return sizes[::-1]


def short_and_long(count: int) -> tuple[int, ...]:
    """How many of some texts are taken for short, and how many for long."""
    long = -(-count // LONG_SHARE)
    return (count - long, long) if count > long else (long,)


def group_by_length(lengths: Ids, sizes: Sequence[int]) -> tuple[list[Ids], Ids]:
    """Texts of similar length together.

    Args:
        lengths: (texts,).
        sizes: how many texts each group has, the shortest first.

    Returns:
        The texts' numbers in each group, and where each text stands in the groups put end to end.
    """
    order = np.argsort(lengths, kind="stable")
    places = np.empty_like(order)
    places[order] = np.arange(len(order))
    return np.split(order, np.cumsum(sizes)[:-1]), places


def round_up(number: int, step: int) -> int:
    """The next multiple of ``step``."""
    return -(-number // step) * step


def to_device(array: npt.NDArray[np.generic], device: torch.device) -> Tensor:
    """A copy of an array on a device, without waiting for the copy."""
    tensor = torch.from_numpy(np.array(array, order="C"))
    if device.type == "cuda":
        return tensor.pin_memory().to(device, non_blocking=True)
    return tensor


class _Growing:
    """A tensor with room at its end."""

    def __init__(self, first: Tensor) -> None:
        self._size = len(first)
        self.whole = first if self._size else first.new_zeros(1)
        """With the room: what stands there is zeros."""

    @property
    def used(self) -> Tensor:
        return self.whole[: self._size]

    def add(self, more: Tensor) -> None:
        size = self._size + len(more)
        if size > len(self.whole):
            self.reserve(2 * size)
        self.whole[self._size : size] = more
        self._size = size

    def reserve(self, size: int) -> None:
        if size > len(self.whole):
            larger = self.whole.new_zeros(size)
            larger[: self._size] = self.used
            self.whole = larger


class _GrowingArray:
    """The same on the host."""

    def __init__(self, first: Ids) -> None:
        self._tensor = _Growing(torch.from_numpy(first))

    @property
    def used(self) -> Ids:
        array: Ids = self._tensor.used.numpy()
        return array

    def add(self, more: Ids) -> None:
        self._tensor.add(torch.from_numpy(more))
