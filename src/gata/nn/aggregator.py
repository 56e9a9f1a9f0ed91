"""The representation aggregator: attention between two rows of vectors, both ways at once."""

import torch
from torch import Tensor, nn

from gata.nn import fused
from gata.nn.masking import Encoded, hide, masked_softmax


class Aggregator(nn.Module):
    """Each vector of one side learns what the other side has to say about it, and vice versa.

    With o and g the two sides after an MLP each, S the similarity of their vectors, S_G its softmax
    along g and S_O along o:

        S_ij = w . [o_i; g_j; o_i * g_j]
        P = S_G g,   Q = S_G S_O' o,   h_OG = L [o; P; o * P; o * Q]

    and with the sides exchanged h_GO, from the same S: its P is S_O' o, which also gives Q = S_G of
    that, so both directions cost four products.

    Args:
        hidden: H.
        alike: both sides are of one kind, such as two graphs. They are in one space already and
            share the MLP and the weights of o_i and g_j: exchanging the sides exchanges the
            results, so what is the same on both sides looks the same.
    """

    def __init__(self, hidden: int, *, alike: bool = False) -> None:
        super().__init__()
        self.first_mlp = _mlp(hidden)
        self.second_mlp = None if alike else _mlp(hidden)
        self.similarity = nn.Parameter(torch.empty(2 if alike else 3, hidden))
        self.output = nn.Linear(4 * hidden, hidden)
        bound = (6 / (3 * hidden + 1)) ** 0.5
        nn.init.uniform_(self.similarity, -bound, bound)

    def forward(self, first: Encoded, second: Encoded) -> tuple[Encoded, Encoded]:
        """Aggregate two rows; leading dimensions broadcast.

        Args:
            first: (..., length, H), the text O if one side is text.
            second: (..., other length, H), the graph G.

        Returns:
            ``first`` informed by ``second`` (h_OG) and ``second`` informed by ``first`` (h_GO).
        """
        if _fused(first, second):
            from gata.nn.fused.mlp import two_layers_each

            entered = two_layers_each(
                first.values, self.first_mlp, second.values, self._mlp_of_second()
            )
            return self.aggregate(Encoded(entered[0], first.mask), Encoded(entered[1], second.mask))
        return self.aggregate(self.enter_first(first), self.enter_second(second))

    def enter_first(self, first: Encoded) -> Encoded:
        """The first side in the common space."""
        return Encoded(_enter(first.values, self.first_mlp), first.mask)

    def enter_second(self, second: Encoded) -> Encoded:
        """The second side in the common space; once, if it meets several first sides."""
        return Encoded(_enter(second.values, self._mlp_of_second()), second.mask)

    def _mlp_of_second(self) -> nn.Sequential:
        return self.first_mlp if self.second_mlp is None else self.second_mlp

    def aggregate(self, first: Encoded, second: Encoded) -> tuple[Encoded, Encoded]:
        """``forward`` for sides that are in the common space."""
        if _fused(first, second) and _one_to_one(first, second):
            from gata.nn.fused import aggregation

            informed = aggregation.aggregate(*first, *second, self.similarity, self.output)
            return Encoded(informed[0], first.mask), Encoded(informed[1], second.mask)
        of_first, of_second, of_both = self.similarity[0], self.similarity[-2], self.similarity[-1]
        scores = (
            (first.values @ of_first).unsqueeze(-1)
            + (second.values @ of_second).unsqueeze(-2)
            + (first.values * of_both) @ second.values.mT
        )
        along_second = masked_softmax(scores, second.mask.unsqueeze(-2))
        # S_O', turned before the softmax: along rows a GPU is ten times as fast as along columns.
        along_first = masked_softmax(scores.mT, first.mask.unsqueeze(-2))
        seen_by_first = along_second @ second.values
        seen_by_second = along_first @ first.values
        return (
            self._join(first, seen_by_first, along_second @ seen_by_second),
            self._join(second, seen_by_second, along_first @ seen_by_first),
        )

    def _join(self, side: Encoded, seen: Tensor, echo: Tensor) -> Encoded:
        own = side.values.expand_as(seen)
        joined = self.output(torch.cat([own, seen, own * seen, own * echo], dim=-1))
        return hide(joined, side.mask.expand(joined.shape[:-1]))


def _mlp(hidden: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, hidden))


def _enter(values: Tensor, mlp: nn.Sequential) -> Tensor:
    if fused.usable(values):
        from gata.nn.fused.mlp import two_layers

        return two_layers(values, mlp)
    entered: Tensor = mlp(values)
    return entered


def _fused(first: Encoded, second: Encoded) -> bool:
    return fused.usable(first.values) and fused.usable(second.values)


def _one_to_one(first: Encoded, second: Encoded) -> bool:
    """Whether each state has one row of vectors on each side, so that nothing is broadcast."""
    states = first.values.shape[:1]
    return all(
        side.values.dim() == 3
        and side.values.shape[:1] == states
        and side.mask.shape == side.values.shape[:2]
        for side in (first, second)
    )
