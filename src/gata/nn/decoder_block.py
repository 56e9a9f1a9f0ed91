"""The transformer block that writes: observations (OG) and update commands (CG)."""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from gata.nn.attention import CrossAttention, KeysValues, SelfAttention
from gata.nn.masking import Encoded


class Sources(NamedTuple):
    """What is written about, projected once: a graph and a text."""

    graph: KeysValues
    graph_mask: Tensor
    """(batch, N)."""
    text: KeysValues
    text_mask: Tensor
    """(batch, length)."""


class Decoded(NamedTuple):
    """What the block makes of each token written so far."""

    values: Tensor
    """(batch, written, H): from which the next token is told."""
    own: Tensor
    """(batch, written, H): the tokens after self-attention."""
    context: Tensor
    """(batch, written, H): what was seen of the text."""
    attention: Tensor
    """(batch, written, length): how much each token of the text was looked at."""


class DecoderBlock(nn.Module):
    """Self-attention, attention to the graph and to the text side by side, a three-layer MLP.

    Residual connection and layer norm follow each of them:

        x = LN(x + self(x)),  y = MLP [LN(x + graph(x)); LN(x + text(x))],  LN(x + y)
    """

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.own = SelfAttention(hidden)
        self.own_norm = nn.LayerNorm(hidden)
        self.graph = CrossAttention(hidden)
        self.graph_norm = nn.LayerNorm(hidden)
        self.text = CrossAttention(hidden)
        self.text_norm = nn.LayerNorm(hidden)
        self.mlp = nn.Sequential(
            nn.Linear(2 * hidden, hidden),
            nn.ReLU(),
            nn.Linear(hidden, hidden),
            nn.ReLU(),
            nn.Linear(hidden, hidden),
        )
        self.norm = nn.LayerNorm(hidden)

    def sources(self, graph: Encoded, text: Encoded) -> Sources:
        """Project what will be written about: (batch, N, H) and (batch, length, H)."""
        return Sources(self.graph.remember(graph), graph.mask, self.text.remember(text), text.mask)

    def forward(self, tokens: Tensor, sources: Sources) -> Decoded:
        """All tokens of known texts at once, none seeing a later one. (batch, written, H)."""
        length = tokens.shape[1]
        past = torch.ones(length, length, dtype=torch.bool, device=tokens.device).tril()
        return self._write(tokens, self.own(tokens, past), sources)

    def step(self, token: Tensor, position: Tensor, cache: KeysValues, sources: Sources) -> Decoded:
        """The next token of texts being written.

        Args:
            token: (batch, 1, H).
            position: 0-dimensional integer, how many tokens came before; the same for all.
            cache: keys and values of those, (batch, most written, H); gains this one's, in place.
            sources: from ``sources``.
        """
        query, (key, value) = self.own.project(token)
        cache.keys.index_copy_(1, position.reshape(1), key.to(cache.keys.dtype))
        cache.values.index_copy_(1, position.reshape(1), value.to(cache.values.dtype))
        past = torch.arange(cache.keys.shape[1], device=token.device) <= position
        return self._write(token, self.own.look(query, cache, past), sources)

    def empty_cache(self, batch: int, max_length: int) -> KeysValues:
        """Room for ``max_length`` tokens of each text."""
        weight = self.own.inputs.weight
        shape = (batch, max_length, weight.shape[1])
        return KeysValues(weight.new_zeros(shape), weight.new_zeros(shape))

    def _write(self, tokens: Tensor, seen: Tensor, sources: Sources) -> Decoded:
        own = self.own_norm(tokens + seen)
        of_graph, _ = self.graph(own, sources.graph, sources.graph_mask)
        of_text, attention = self.text(own, sources.text, sources.text_mask)
        both = torch.cat([self.graph_norm(own + of_graph), self.text_norm(own + of_text)], dim=-1)
        return Decoded(self.norm(own + self.mlp(both)), own, of_text, attention)
