"""The f_delta function: what an observation and the last action say about the graph."""

import torch
from torch import Tensor, nn

from gata.nn.aggregator import Aggregator
from gata.nn.masking import Encoded, masked_mean


class GraphDelta(nn.Module):
    """Aggregates text with the graph, and the action with the graph, by one aggregator."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.aggregator = Aggregator(hidden)

    def forward(self, graph: Encoded, observation: Encoded, action: Encoded) -> Tensor:
        """The change of belief, before it is remembered.

        Args:
            graph: of the step before, (batch, N, H).
            observation: (batch, length, H).
            action: the one that led to the observation, (batch, other length, H).

        Returns:
            (batch, 4H): the means of h_OG, h_GO, h_AG and h_GA.
        """
        entered = self.aggregator.enter_second(graph)
        means = []
        for text in (observation, action):
            sides = self.aggregator.aggregate(self.aggregator.enter_first(text), entered)
            means += [masked_mean(side) for side in sides]
        return torch.cat(means, dim=-1)
