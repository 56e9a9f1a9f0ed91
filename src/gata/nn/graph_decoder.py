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
        inner = functional.relu(self.first(state))
        if inner.device.type == "cpu" and inner.dtype == torch.float32:
            decoded = _decode(inner, self.second.weight, self.shape[0])
        else:
            decoded = torch.tanh(self.second(inner))
        return decoded.view(-1, *self.shape)


def _decode(inner: Tensor, weights: Tensor, relations: int) -> Tensor:
    """The tanh of a product on a CPU: (batch, H), (edges, H) -> (batch, edges).

    By the sigmoid, which is four times as fast there; they differ by rounding alone. Where no
    gradients are wanted one relation is finished after the other, in place, while it is in the
    cache; the product in small pieces alone takes two thirds of the time.
    """
    doubled = inner * 2
    if torch.is_grad_enabled() and (inner.requires_grad or weights.requires_grad):
        return torch.sigmoid(functional.linear(doubled, weights)) * 2 - 1
    decoded = inner.new_empty(len(inner), len(weights))
    for edges, rows in zip(decoded.chunk(relations, 1), weights.chunk(relations), strict=True):
        torch.mm(doubled, rows.T, out=edges).sigmoid_().mul_(2).sub_(1)
    return decoded
