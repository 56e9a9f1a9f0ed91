"""Keep the few places that add up over many steps in full precision under autocast."""

from contextlib import AbstractContextManager, nullcontext

import torch
from torch import Tensor, nn


def without_autocast(device: torch.device) -> AbstractContextManager[object]:
    """What happens inside happens in the precision of its inputs."""
    if torch.amp.is_autocast_available(device.type):
        return torch.autocast(device.type, enabled=False)
    return nullcontext()


def full_linear(layer: nn.Linear, values: Tensor) -> Tensor:
    """Apply a small linear layer in the precision of its weights, whatever autocast says."""
    with without_autocast(values.device):
        result: Tensor = layer(values.to(layer.weight.dtype))
        return result
