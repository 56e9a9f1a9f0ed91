"""Keep the few places that add up over many steps in full precision under autocast."""

import torch
from torch import Tensor, nn


def full_linear(layer: nn.Linear, values: Tensor) -> Tensor:
    """Apply a small linear layer in the precision of its weights, whatever autocast says."""
    with torch.autocast(values.device.type, enabled=False):
        result: Tensor = layer(values.to(layer.weight.dtype))
        return result
