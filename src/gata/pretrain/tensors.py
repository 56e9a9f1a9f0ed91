"""A corpus on the training device: rows of ids, looked up a batch at a time."""

from dataclasses import dataclass
from functools import cached_property

import torch

from gata.graph.adjacency import PADDING
from gata.language.vocabulary import PAD
from gata.pretrain.data.corpus import Corpus, Ragged
from gata.training.rows import Rows


@dataclass(frozen=True)
class CorpusTensors:
    """What the tasks look up in a corpus; each table moves to the device when first needed."""

    corpus: Corpus
    device: torch.device

    @cached_property
    def texts(self) -> Rows:
        """Observations as word ids."""
        return _rows(self.corpus.texts, PAD, self.device)

    @cached_property
    def commands(self) -> Rows:
        """Commands as word ids."""
        return _rows(self.corpus.commands, PAD, self.device, long=False)

    @cached_property
    def updates(self) -> Rows:
        """Update commands as word ids."""
        return _rows(self.corpus.updates, PAD, self.device)

    @cached_property
    def graphs(self) -> Rows:
        """Graphs as edge ids."""
        return _rows(self.corpus.graphs, PADDING, self.device)


def _rows(ragged: Ragged, padding: int, device: torch.device, *, long: bool = True) -> Rows:
    return Rows(ragged.values, ragged.lengths, padding, device, long=long)
