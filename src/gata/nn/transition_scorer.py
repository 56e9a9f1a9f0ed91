"""The head of action prediction (AP) and state prediction (SP): did this action link these graphs?

One network for both, built like the action selector: the graphs before and after are aggregated
with each other and the scorer rates actions. AP compares the scores of actions for one pair of
graphs, SP those of pairs of graphs for one action.
"""

from torch import Tensor, nn

from gata.nn.aggregator import Aggregator
from gata.nn.masking import Encoded
from gata.nn.scorer import Scorer


class TransitionScorer(nn.Module):
    """Rates (graph before, action, graph after)."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.aggregator = Aggregator(hidden)
        self.scorer = Scorer(hidden, states=2)

    def forward(self, before: Encoded, after: Encoded, actions: Tensor, allowed: Tensor) -> Tensor:
        """Rate actions as the way from one graph to another.

        Args:
            before: (batch, N, H).
            after: (batch, N, H).
            actions: (batch, candidates, H).
            allowed: (batch, candidates) booleans.

        Returns:
            (batch, candidates) scores, the lowest number where there is no candidate.
        """
        state = self.scorer.pool(self.aggregator(before, after))
        return self.scorer.rate(state, actions, allowed)
