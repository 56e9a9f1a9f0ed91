"""The head of action prediction (AP) and state prediction (SP): did this action link these graphs?

One network for both: the graphs before and after are aggregated with each other; the means of both
sides, what is different between them and an action make a candidate, and the candidates of a
question look at each other before they are scored. AP asks which of some actions, SP which of some
graphs after.

An action changes one or two edges of some sixty. If the two sides went through different weights, a
network would have to learn first that nothing else has changed; so they go through the same ones,
and the difference of the sides is handed on by itself, its size made one: in a mean over all nodes
it is small.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

from gata.nn.aggregator import Aggregator
from gata.nn.attention import SelfAttentionLayer
from gata.nn.masking import Encoded, masked_mean
from gata.nn.precision import full_linear


class TransitionScorer(nn.Module):
    """Rates candidates: (graph before, action, graph after)."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.aggregator = Aggregator(hidden, alike=True)
        self.difference = nn.LayerNorm(hidden)
        self.attention = SelfAttentionLayer(4 * hidden)
        self.enter = nn.Linear(4 * hidden, hidden)
        self.score = nn.Linear(hidden, 1)

    def pairs(self, before: Encoded, after: Encoded) -> Tensor:
        """Pairs of graphs as vectors: (pairs, N, H) each -> (pairs, 3H).

        Both sides' means are over the nodes of either: a node that is new or gone counts.
        """
        either = before.mask | after.mask
        old, new = (
            masked_mean(Encoded(side.values, either)) for side in self.aggregator(before, after)
        )
        nodes = either.sum(-1, keepdim=True)
        return torch.cat([old, new, self.difference((new - old) * nodes)], dim=-1)

    def forward(self, pairs: Tensor, actions: Tensor, allowed: Tensor) -> Tensor:
        """Rate the candidates of questions.

        Args:
            pairs: (questions, candidates, 3H), from ``pairs``.
            actions: (questions, candidates, H).
            allowed: (questions, candidates) booleans: which candidates there are.

        Returns:
            (questions, candidates) scores, the lowest number where there is no candidate.
        """
        candidates = Encoded(torch.cat([pairs, actions], dim=-1), allowed)
        compared = functional.relu(self.enter(self.attention(candidates).values))
        scores = full_linear(self.score, compared).squeeze(-1)
        return scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
