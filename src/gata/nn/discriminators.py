"""The discriminators: does this belong together? (COC and DGI)."""

import torch
from torch import Tensor, nn

from gata.nn.masking import Encoded, masked_mean
from gata.nn.precision import full_linear


class Bilinear(nn.Module):
    """x' W y + b."""

    def __init__(self, left: int, right: int) -> None:
        super().__init__()
        self.left = nn.Linear(left, right, bias=False)
        self.bias = nn.Parameter(torch.zeros(()))

    def forward(self, left: Tensor, right: Tensor) -> Tensor:
        """(..., left), (..., right) -> (...), in full precision."""
        return (full_linear(self.left, left) * right).sum(-1) + self.bias


class ObservationDiscriminator(nn.Module):
    """Contrastive observation classification: was this text observed in this state?"""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.bilinear = Bilinear(2 * hidden, hidden)

    def forward(self, graph: Encoded, action: Encoded, observation: Encoded) -> Tensor:
        """Judge observations.

        Args:
            graph: G_t aggregated with A_{t-1} (h_GA), (batch, N, H).
            action: A_{t-1} aggregated with G_t (h_AG), (batch, length, H).
            observation: the true or a false O_t, encoded alone, (batch, other length, H).

        Returns:
            (batch,) logits; above 0 means true.
        """
        state = torch.cat([masked_mean(action), masked_mean(graph)], dim=-1)
        logits: Tensor = self.bilinear(state, masked_mean(observation))
        return logits


class NodeDiscriminator(nn.Module):
    """Deep Graph Infomax: is this node's vector from this graph, or from a shuffled one?"""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.bilinear = Bilinear(hidden, hidden)

    def forward(self, graph: Encoded, nodes: Encoded) -> Tensor:
        """Judge nodes by the graph's summary, the sigmoid of its mean.

        Args:
            graph: the true graph, (batch, N, H).
            nodes: its own nodes, or the shuffled ones', (batch, N, H).

        Returns:
            (batch, N) logits; above 0 means true. Meaningless where no node is.
        """
        summary = torch.sigmoid(masked_mean(graph)).unsqueeze(-2)
        logits: Tensor = self.bilinear(nodes.values, summary)
        return logits


def shuffled_nodes(present: Tensor, keys: Tensor) -> Tensor:
    """A random order of each graph's own nodes, for ``GraphEncoder``'s ``order``.

    Args:
        present: (batch, N) booleans.
        keys: (batch, N) random numbers from 0 to 1, which decide.

    Returns:
        (batch, N) ids: nodes that are there exchange places, others keep theirs.
    """
    # Those that are there, in order and at random: the k-th place gets the k-th of a random row.
    places = torch.where(present, 0.0, 2.0).argsort(dim=-1, stable=True)
    taken = torch.where(present, keys, 2.0).argsort(dim=-1, stable=True)
    return torch.empty_like(places).scatter(-1, places, taken)
