"""A corpus on the training device: rows of ids, looked up a batch at a time."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from gata.graph.adjacency import PADDING, adjacency, node_mask
from gata.language.vocabulary import PAD
from gata.nn.tokens import Grouped
from gata.pretrain.data.corpus import Corpus, Ragged

Ids = npt.NDArray[np.int64]

SHORT_STEP, LONG_STEP = 8, 32
"""Widths of batches are multiples of these. On a GPU each shape is captured, so long texts, whose
lengths vary, get few different widths; everywhere else a narrow batch is better."""


class Rows:
    """Rows of different lengths on a device."""

    def __init__(
        self, ragged: Ragged, padding: int, device: torch.device, *, long: bool = True
    ) -> None:
        self._values = torch.from_numpy(np.array(ragged.values)).to(device)
        self._starts = torch.from_numpy(np.array(ragged.offsets[:-1])).to(device)
        self._lengths = torch.from_numpy(ragged.lengths).to(device)
        self._padding = padding
        self._step = LONG_STEP if long and device.type == "cuda" else SHORT_STEP
        self.lengths: Ids = ragged.lengths
        """(rows,), on the host: to plan batches without waiting for the device."""

    def __len__(self) -> int:
        return len(self.lengths)

    def look_up(self, rows: Ids, least: int = 1) -> Tensor:
        """The rows' ids, padded: any shape of row numbers -> (..., width) int64.

        Args:
            rows: which rows.
            least: the least width.
        """
        most = int(self.lengths[rows].max(initial=least))
        width = -(-most // self._step) * self._step
        numbers = to_device(rows, self._values.device)
        places = torch.arange(width, device=self._values.device)
        there = places < self._lengths[numbers].unsqueeze(-1)
        cells = torch.where(there, self._starts[numbers].unsqueeze(-1) + places, 0)
        if not len(self._values):
            return torch.full(cells.shape, self._padding, device=cells.device)
        return torch.where(there, self._values[cells].long(), self._padding)

    def look_up_grouped(self, rows: Ids, groups: int) -> Grouped:
        """The rows' ids, those of similar length together: (texts,) row numbers."""
        order = np.argsort(self.lengths[rows], kind="stable")
        places = np.empty_like(order)
        places[order] = np.arange(len(order))
        parts = [part for part in np.array_split(order, groups) if len(part)]
        return Grouped(
            tuple(self.look_up(rows[part]) for part in parts),
            to_device(places, self._values.device),
        )


@dataclass(frozen=True)
class CorpusTensors:
    """What the tasks look up in a corpus; each table moves to the device when first needed."""

    corpus: Corpus
    device: torch.device

    @cached_property
    def texts(self) -> Rows:
        """Observations as word ids."""
        return Rows(self.corpus.texts, PAD, self.device)

    @cached_property
    def commands(self) -> Rows:
        """Commands as word ids."""
        return Rows(self.corpus.commands, PAD, self.device, long=False)

    @cached_property
    def updates(self) -> Rows:
        """Update commands as word ids."""
        return Rows(self.corpus.updates, PAD, self.device)

    @cached_property
    def graphs(self) -> Rows:
        """Graphs as edge ids."""
        return Rows(self.corpus.graphs, PADDING, self.device)

    def graph(self, graphs: Ids) -> tuple[Tensor, Tensor]:
        """Adjacency (graphs, R, N, N) and nodes (graphs, N) of some graphs."""
        dense = adjacency(self.graphs.look_up(graphs))
        return dense, node_mask(dense)


def to_device(array: npt.NDArray[np.generic], device: torch.device) -> Tensor:
    """A copy of an array on a device, without waiting for the copy."""
    tensor = torch.from_numpy(np.ascontiguousarray(array))
    if device.type == "cuda":
        return tensor.pin_memory().to(device, non_blocking=True)
    return tensor
