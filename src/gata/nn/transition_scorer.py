"""The head of action prediction (AP) and state prediction (SP): did this action link these graphs?

One network for both, built like the action selector: the graphs before and after are aggregated
with each other and the scorer rates actions. AP compares actions for one pair of graphs, SP
compares graphs for one action.
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

    def actions(self, before: Encoded, after: Encoded, actions: Tensor, allowed: Tensor) -> Tensor:
        """Action prediction.

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

    def graphs(self, before: Encoded, after: Encoded, action: Tensor, allowed: Tensor) -> Tensor:
        """State prediction.

        Args:
            before: (batch, N, H).
            after: (batch, candidates, N, H).
            action: (batch, H).
            allowed: (batch, candidates) booleans.

        Returns:
            (batch, candidates) scores, the lowest number where there is no candidate.
        """
        one = Encoded(before.values.unsqueeze(1), before.mask.unsqueeze(1))
        state = self.scorer.pool(self.aggregator(one, after))
        actions = action[:, None, None, :].expand(-1, state.shape[1], -1, -1)
        return self.scorer.rate(state, actions, allowed.unsqueeze(-1)).squeeze(-1)
