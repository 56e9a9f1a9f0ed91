"""What is not there has no influence: the masked forms of softmax and mean.

Masks are booleans, true where something is there. A row of which nothing is there gives zeros.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from gata.nn import fused


class Encoded(NamedTuple):
    """Vectors of tokens or nodes, and which of them are there."""

    values: Tensor
    """(..., length, H). Where the mask is false they mean nothing: encoders and the aggregator set
    them to zero (``hide``), layers inside them need not."""
    mask: Tensor
    """(..., length) booleans."""


def hide(values: Tensor, mask: Tensor) -> Encoded:
    """Set the vectors that are not there to zero. (..., length, H), (..., length)."""
    return Encoded(values * mask.unsqueeze(-1), mask)


def masked_softmax(logits: Tensor, mask: Tensor) -> Tensor:
    """Softmax of rows over what the mask lets through; ``mask`` broadcasts to ``logits``."""
    lowest = torch.finfo(logits.dtype).min
    # Where all is masked the softmax is even; the product makes it zero, and no NaN arises.
    return torch.softmax(torch.where(mask, logits, lowest), -1) * mask


def masked_mean(encoded: Encoded) -> Tensor:
    """The mean of the vectors that are there: (..., length, H) -> (..., H)."""
    values, mask = encoded
    if values.dim() == 3 and values.shape[:2] == mask.shape and fused.usable(values):
        from gata.nn.fused import mean

        return mean.masked_mean(values, mask)
    count = mask.sum(-1, keepdim=True).clamp(min=1)
    return (values * mask.unsqueeze(-1)).sum(-2) / count
