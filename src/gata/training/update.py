"""One update of the weights: loss, gradients, clipping, optimiser; on a GPU as one CUDA graph."""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor, nn

Tensors = tuple[Tensor, ...]
Loss = Callable[..., Tensors]
"""From the tensors of a batch to the loss and whatever else is wanted of the forward pass."""

EAGER_RUNS = 2
"""Before a shape of batch is captured it runs so often as usual: libraries set themselves up."""


class Update:
    """Updates the weights of a model, batch after batch.

    At batch sizes like the paper's a GPU waits for its host most of the time. So each shape of
    batch is captured after its first few updates (which count like any other) and replayed.
    """

    def __init__(
        self,
        parameters: Sequence[nn.Parameter],
        loss: Loss,
        *,
        learning_rate: float,
        clip: float,
        capture: bool = True,
    ) -> None:
        self._parameters = [parameter for parameter in parameters if parameter.requires_grad]
        device = self._parameters[0].device
        self._on_gpu = device.type == "cuda"
        self._loss = loss
        self._clip = clip
        self._capture = capture and self._on_gpu
        self._rate = torch.tensor(learning_rate, device=device) if self._on_gpu else learning_rate
        self._optimizer = torch.optim.RAdam(
            self._parameters, lr=self._rate, foreach=True, capturable=self._on_gpu
        )
        self._runs: dict[tuple[torch.Size, ...], int] = {}
        self._captured: dict[tuple[torch.Size, ...], _Captured] = {}
        self._pool = torch.cuda.graph_pool_handle() if self._capture else None

    def set_rate(self, learning_rate: float) -> None:
        """Learn at this rate from now on."""
        if isinstance(self._rate, Tensor):
            self._rate.fill_(learning_rate)
            return
        for group in self._optimizer.param_groups:
            group["lr"] = learning_rate

    def tensors(self) -> dict[str, Tensor]:
        """The optimiser's state of each parameter, by its number: ``3.exp_avg``."""
        return {
            f"{number}.{name}": value
            for number, values in self._optimizer.state_dict()["state"].items()
            for name, value in values.items()
        }

    def restore(self, tensors: Mapping[str, Tensor]) -> None:
        """Go on with what ``tensors`` gave."""
        state: dict[int, dict[str, Tensor]] = {}
        for name, tensor in tensors.items():
            number, _, key = name.partition(".")
            state.setdefault(int(number), {})[key] = tensor
        groups = self._optimizer.state_dict()["param_groups"]
        self._optimizer.load_state_dict({"state": state, "param_groups": groups})
        for group in self._optimizer.param_groups:
            group["lr"] = self._rate  # the optimiser has made itself a copy

    def __call__(self, batch: Tensors) -> Tensors:
        """Update the weights; returns what the loss function does, detached."""
        if not self._capture:
            return self._run(batch)
        shapes = tuple(tensor.shape for tensor in batch)
        if shapes in self._captured:
            return self._captured[shapes].replay(batch)
        self._runs[shapes] = self._runs.get(shapes, 0) + 1
        if self._runs[shapes] <= EAGER_RUNS:
            return self._run(batch)
        captured = _Captured(self._run, batch, self._pool)
        self._captured[shapes] = captured
        return captured.replay(batch)

    def _run(self, batch: Tensors) -> Tensors:
        self._optimizer.zero_grad(set_to_none=True)
        loss, *others = self._loss(*batch)
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(self._parameters, self._clip, foreach=True)
        self._optimizer.step()
        return loss.detach(), *(other.detach() for other in others)


class _Captured:
    """A function of tensors as a CUDA graph: fixed inputs and outputs, filled and read anew."""

    def __init__(self, function: Callable[[Tensors], Tensors], batch: Tensors, pool: object):
        self._inputs = tuple(tensor.clone() for tensor in batch)
        torch.cuda.synchronize()
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph, pool=pool):  # type: ignore[arg-type]
            self._outputs = function(self._inputs)

    def replay(self, batch: Tensors) -> Tensors:
        for mine, given in zip(self._inputs, batch, strict=True):
            mine.copy_(given)
        self._graph.replay()
        # Copies: the next replay writes over what this one gave.
        return tuple(output.clone() for output in self._outputs)
