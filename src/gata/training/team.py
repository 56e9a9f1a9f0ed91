"""Threads that work on parts of a batch.

By itself torch divides each operation among the cores, and all wait for the slowest before the
next one begins. Most operations of our networks are too small for that; and on a machine that has
other work the waiting costs several times what the work does. Here each core works through a part
of the batch alone.
"""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import torch
from torch import Tensor


class Outcome(NamedTuple):
    """What came out of a batch or of a part of it."""

    sums: tuple[Tensor, ...]
    """Those of parts are added."""
    rows: tuple[Tensor, ...]
    """Those of parts are put one after the other."""


class Team:
    """So many threads; with one member the caller does the work itself, as torch likes it."""

    def __init__(self, members: int) -> None:
        self._members = members
        self._pool = _hire(members) if members > 1 else None

    def work(self, function: Callable[..., Outcome], batch: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """The sums and the rows that the function makes of a batch.

        Args:
            function: of as many tensors as the batch has.
            batch: tensors of the same number of rows.
        """
        parts = min(self._members, len(batch[0]))
        if self._pool is None or parts < 2:
            return _flat(function(*batch))
        divided = zip(*(tensor.tensor_split(parts) for tensor in batch), strict=True)
        return _flat(_together(list(self._pool.map(lambda part: function(*part), divided))))


def _hire(members: int) -> ThreadPoolExecutor:
    """Threads in which torch has a single one."""
    usual = torch.get_num_threads()
    pool = ThreadPoolExecutor(members, "team", _work_alone)
    all_there = threading.Barrier(members)
    list(pool.map(lambda _: all_there.wait(), range(members)))
    # What one thread sets holds in all that begin later, such as those of a sweep's next runs.
    torch.set_num_threads(usual)
    return pool


def _work_alone() -> None:
    torch.get_num_threads()  # the first question sets the usual number, the next line ours
    torch.set_num_threads(1)


def _together(outcomes: Sequence[Outcome]) -> Outcome:
    sums, rows = zip(*outcomes, strict=True)
    return Outcome(
        tuple(torch.stack(each).sum(0) for each in zip(*sums, strict=True)),
        tuple(torch.cat(each) for each in zip(*rows, strict=True)),
    )


def _flat(outcome: Outcome) -> tuple[Tensor, ...]:
    return *outcome.sums, *outcome.rows
