"""Scaled dot-product attention with a single head."""

import math
from typing import NamedTuple

from torch import Tensor, nn

from gata.nn import fused
from gata.nn.masking import Encoded, masked_softmax


class KeysValues(NamedTuple):
    """What attention looks at: (..., length, H) each."""

    keys: Tensor
    values: Tensor


def attend(queries: Tensor, memory: KeysValues, mask: Tensor) -> tuple[Tensor, Tensor]:
    """Weighted means of the memory's values.

    Args:
        queries: (..., queries, H).
        memory: keys and values, (..., length, H).
        mask: which of the memory each query may see, broadcasting to (..., queries, length).

    Returns:
        The means (..., queries, H), zero for a query that may see nothing, and the weights.
    """
    scale = 1 / math.sqrt(queries.shape[-1])
    weights = masked_softmax((queries @ memory.keys.mT) * scale, mask)
    return weights @ memory.values, weights


class SelfAttention(nn.Module):
    """Tokens, nodes or anything else in a row, looking at each other."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.inputs = nn.Linear(size, 3 * size, bias=False)
        self.output = nn.Linear(size, size)

    def project(self, values: Tensor) -> tuple[Tensor, KeysValues]:
        """Queries, and keys with values, of (..., length, H)."""
        queries, keys, contents = self.inputs(values).chunk(3, dim=-1)
        return queries, KeysValues(keys, contents)

    def look(self, queries: Tensor, memory: KeysValues, mask: Tensor) -> Tensor:
        """Attention of projected queries; the mask broadcasts to (..., queries, length)."""
        context, _ = attend(queries, memory, mask)
        result: Tensor = self.output(context)
        return result

    def forward(self, values: Tensor, mask: Tensor) -> Tensor:
        """(..., length, H) -> the same; the mask broadcasts to (..., length, length)."""
        queries, memory = self.project(values)
        return self.look(queries, memory, mask)


class CrossAttention(nn.Module):
    """One row looking at another."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.query = nn.Linear(size, size, bias=False)
        self.memory = nn.Linear(size, 2 * size, bias=False)
        self.output = nn.Linear(size, size)

    def remember(self, memory: Encoded) -> KeysValues:
        """Keys and values of what will be looked at; once, however many queries follow."""
        keys, values = self.memory(memory.values).chunk(2, dim=-1)
        return KeysValues(keys, values)

    def forward(self, values: Tensor, memory: KeysValues, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Look at the memory.

        Args:
            values: (..., queries, H).
            memory: from ``remember``.
            mask: (..., length), what of the memory is there.

        Returns:
            What was seen (..., queries, H) and the weights (..., queries, length).
        """
        context, weights = attend(self.query(values), memory, mask.unsqueeze(-2))
        return self.output(context), weights


class SelfAttentionLayer(nn.Module):
    """Self-attention with the residual connection and layer norm of the transformer."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.attention = SelfAttention(size)
        self.norm = nn.LayerNorm(size)

    def forward(self, encoded: Encoded) -> Encoded:
        """Each vector looks at those that are there. Vectors that are not stay what they may."""
        values, mask = encoded
        if values.dim() == 3 and values.shape[:2] == mask.shape and fused.usable(values):
            return Encoded(self._fused(values, mask), mask)
        seen = self.attention(values, mask.unsqueeze(-2))
        return Encoded(self.norm(values + seen), mask)

    def _fused(self, values: Tensor, mask: Tensor) -> Tensor:
        from gata.nn.fused.attention import attend_to_itself
        from gata.nn.fused.norm import linear_norm

        seen = attend_to_itself(self.attention.inputs(values), mask)
        return linear_norm(values, seen, mask, self.attention.output, self.norm)
