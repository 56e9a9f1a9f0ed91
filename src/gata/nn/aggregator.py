"""The representation aggregator: attention between two rows of vectors, both ways at once."""

import torch
from torch import Tensor, nn

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
        return self.aggregate(self.enter_first(first), self.enter_second(second))

    def enter_first(self, first: Encoded) -> Encoded:
        """The first side in the common space."""
        return Encoded(self.first_mlp(first.values), first.mask)

    def enter_second(self, second: Encoded) -> Encoded:
        """The second side in the common space; once, if it meets several first sides."""
        mlp = self.first_mlp if self.second_mlp is None else self.second_mlp
        return Encoded(mlp(second.values), second.mask)

    def aggregate(self, first: Encoded, second: Encoded) -> tuple[Encoded, Encoded]:
        """``forward`` for sides that are in the common space."""
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
