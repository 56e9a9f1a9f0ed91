"""The f_d function: from the recurrent state to a continuous graph."""

import torch
from torch import Tensor, nn
from torch.nn import functional


class GraphDecoder(nn.Module):
    """G = tanh(L_2(ReLU(L_1(h)))), the forward half; the inverse relations are its transpose.

    The layers are linear in the strict sense, without a bias: the state h = 0, in which nothing has
    been seen, decodes to the empty graph G_0 = 0, in training as in play.
    """

    def __init__(self, hidden: int, relations: int, nodes: int) -> None:
        super().__init__()
        self.shape = (relations, nodes, nodes)
        self.first = nn.Linear(hidden, hidden, bias=False)
        self.second = nn.Linear(hidden, relations * nodes * nodes, bias=False)

    def forward(self, state: Tensor) -> Tensor:
        """(batch, H) -> (batch, R, N, N), each edge from -1 to 1."""
        decoded = self.second(functional.relu(self.first(state)))
        return _tanh(decoded).view(-1, *self.shape)


def _tanh(values: Tensor) -> Tensor:
    """On a CPU by the sigmoid, which is four times as fast there; they differ by rounding alone."""
    on_cpu = values.device.type == "cpu" and values.dtype == torch.float32
    return torch.sigmoid(values * 2) * 2 - 1 if on_cpu else torch.tanh(values)
