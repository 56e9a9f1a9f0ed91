"""What the training loop asks of a task."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor, nn

from gata.errors import UsageError
from gata.pretrain.tensors import CorpusTensors
from gata.training.rows import to_device
from gata.training.together import ALONE, Together

Split = Literal["train", "valid", "test"]

Metrics = dict[str, float]


class Task(ABC):
    """A model, what it learns from, and how well it does.

    Batches follow from the seed and from ``position`` alone, so that a run that was stopped goes on
    as if it had not been.
    """

    def __init__(
        self,
        model: nn.Module,
        data: Mapping[Split, CorpusTensors],
        *,
        batch: int,
        seed: int,
        together: Together = ALONE,
    ) -> None:
        """Of ``data`` only the splits that are used need be there."""
        if batch < together.count:
            raise UsageError(
                f"batch is {batch}, expected at least one for each of {together.count} processes"
            )
        self.model = model
        self.data = data
        self.batch_size = batch
        self.seed = seed
        self.together = together

    measure: str
    """The metric that decides which weights are best."""
    higher_is_better: bool = True
    evaluation_sizes: tuple[int, int]
    """How many examples an evaluation looks at together on a CPU, and on a GPU. The figures do not
    depend on it."""

    @property
    def evaluation_batch(self) -> int:
        """How many examples an evaluation looks at together."""
        on_cpu, on_gpu = self.evaluation_sizes
        return on_gpu if self.device.type == "cuda" else on_cpu

    @property
    def train(self) -> CorpusTensors:
        """What is learnt from."""
        return self.data["train"]

    @property
    def device(self) -> torch.device:
        """Where batches and weights are."""
        return next(iter(self.data.values())).device

    @property
    @abstractmethod
    def drawn(self) -> int:
        """How many examples were drawn so far."""

    @abstractmethod
    def batch(self, number: int) -> tuple[Tensor, ...]:
        """The next batch, on the device; of several processes, this one's share of it.

        All of them draw the whole batch, so that ``position`` is everybody's.

        Args:
            number: of the update; random numbers follow from it and the seed.
        """

    def known_nodes(self, number: int, nodes: int, unknown: float) -> Tensor:
        """Ones, and at random zeros for a share of nodes: (nodes,), by the update's number."""
        random = np.random.default_rng([self.seed, number, 1])
        return to_device((random.random(nodes) >= unknown).astype(np.float32), self.device)

    @abstractmethod
    def loss(self, *batch: Tensor) -> tuple[Tensor, ...]:
        """The loss of a batch, and what ``after`` wants to know.

        Of several processes, what this one's share adds to the loss of the whole batch.
        """

    def after(self, *others: Tensor) -> None:
        """Take note of what the update gave beside the loss; most tasks want nothing of it."""
        del others

    @abstractmethod
    def evaluate(self, split: Split, at_most: int | None = None) -> Metrics:
        """How the model does on a split, or on so many of its examples, evenly spread."""

    @abstractmethod
    def position(self) -> dict[str, Any]:
        """Where in the data the task is, for JSON."""

    @abstractmethod
    def seek(self, position: dict[str, Any]) -> None:
        """Go on from a ``position``."""

    def memory(self) -> dict[str, Tensor]:
        """Tensors to be kept from one update to the next, beside the weights."""
        return {}

    def recall(self, memory: Mapping[str, Tensor]) -> None:
        """Go on with what ``memory`` gave."""
        del memory
