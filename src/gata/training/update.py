"""One update of the weights: loss, gradients, clipping, optimiser; on a GPU as one CUDA graph."""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor, nn

from gata.training.capture import Captured, Tensors
from gata.training.team import Outcome, Team
from gata.training.together import ALONE, Together

Loss = Callable[..., Tensors]
"""From the tensors of a batch to the loss and whatever else is wanted of the forward pass."""


class Update:
    """Updates the weights of a model, batch after batch; each shape of batch is captured.

    The weights are moved into one row of numbers, of which each parameter is a part: clipping and
    the optimiser then take a few kernels, not a few per parameter. A parameter without a gradient
    has one of zeros, which rectified Adam leaves as it is.

    Of several processes each calculates the gradient of its share; the sum, one row as well, is
    everybody's gradient. Adding up stands between two captured pieces, not within one: texts of
    different lengths make batches of different shapes, each process captures when it meets a shape
    for the third time, and NCCL wants an operation captured by all processes or by none.
    """

    def __init__(
        self,
        parameters: Sequence[nn.Parameter],
        loss: Loss,
        *,
        learning_rate: float,
        clip: float,
        parts: int = 1,
        together: Together = ALONE,
    ) -> None:
        """Take over the weights.

        Args:
            parameters: what shall be updated; those that need no gradient are left alone.
            loss: of a batch.
            learning_rate: of rectified Adam.
            clip: the largest norm of a gradient.
            parts: each batch is divided into so many parts of its rows (the first dimension of all
                its tensors), which are worked on by a thread each. The loss must be a sum over
                rows, and what else is returned have a row for each.
            together: the processes whose gradients are added up.
        """
        self._parameters = [parameter for parameter in parameters if parameter.requires_grad]
        self._weights = nn.Parameter(_in_a_row([each.detach() for each in self._parameters]))
        sizes = [parameter.numel() for parameter in self._parameters]
        pieces = torch.split(self._weights.detach(), sizes)
        for parameter, piece in zip(self._parameters, pieces, strict=True):
            parameter.data = piece.view_as(parameter)
        device = self._weights.device
        on_gpu = device.type == "cuda"
        self._loss = loss
        self._clip = clip
        self._team = Team(parts)
        self._together = together
        self._captured = Captured(self.run if together is ALONE else self._gradient, device)
        self._captured_step = Captured(self._step, device)
        self._rate = torch.tensor(learning_rate, device=device) if on_gpu else learning_rate
        self._optimizer = torch.optim.RAdam([self._weights], lr=self._rate, capturable=on_gpu)

    def set_rate(self, learning_rate: float) -> None:
        """Learn at this rate from now on."""
        if isinstance(self._rate, Tensor):
            self._rate.fill_(learning_rate)
            return
        for group in self._optimizer.param_groups:
            group["lr"] = learning_rate

    def tensors(self) -> dict[str, Tensor]:
        """The optimiser's state, such as ``exp_avg``; nothing before the first update."""
        return dict(self._optimizer.state_dict()["state"].get(0, {}))

    def restore(self, tensors: Mapping[str, Tensor]) -> None:
        """Go on with what ``tensors`` gave."""
        for name, tensor in tensors.items():
            if tensor.dim() and tensor.shape != self._weights.shape:
                size = self._weights.numel()
                raise ValueError(f"{name} has shape {tuple(tensor.shape)}, expected ({size},)")
        groups = self._optimizer.state_dict()["param_groups"]
        state = {0: dict(tensors)} if tensors else {}
        self._optimizer.load_state_dict({"state": state, "param_groups": groups})
        for group in self._optimizer.param_groups:
            group["lr"] = self._rate  # the optimiser has made itself a copy

    def __call__(self, batch: Tensors) -> Tensors:
        """Update the weights; returns what the loss function does, detached.

        The loss is that of the whole batch; the rest belongs to this process's share.
        """
        if self._together is ALONE:
            return self._captured(*batch)
        row, *others = self._captured(*batch)
        self._together.add_up(row)
        return *self._captured_step(row), *others

    def run(self, *batch: Tensor) -> Tensors:
        """The same, never captured: for those who capture more than the update."""
        row, *others = self._gradient(*batch)
        return *self._step(row), *others

    def _gradient(self, *batch: Tensor) -> Tensors:
        """The gradient with the loss at its end, a row; and what else the loss function gives."""
        return self._team.work(self._differentiate, batch)

    def _step(self, row: Tensor) -> Tensors:
        """Clip and update; returns the loss."""
        gradient, loss = row[:-1], row[-1]
        # As torch.nn.utils.clip_grad_norm_ does it.
        norm = torch.linalg.vector_norm(gradient)
        self._weights.grad = gradient * (self._clip / (norm + 1e-6)).clamp(max=1)
        self._optimizer.step()
        return (loss,)

    def _differentiate(self, *batch: Tensor) -> Outcome:
        loss, *others = self._loss(*batch)
        gradients = torch.autograd.grad(
            loss, self._parameters, allow_unused=True, materialize_grads=True
        )
        row = _in_a_row([*gradients, loss.detach()])
        return Outcome((row,), tuple(other.detach() for other in others))


def _in_a_row(tensors: Sequence[Tensor]) -> Tensor:
    return torch.cat([tensor.flatten() for tensor in tensors])
