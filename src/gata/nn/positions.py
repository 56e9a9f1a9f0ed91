"""Where a token stands: the sinusoidal signal of the transformer."""

import torch
from torch import Tensor, nn

from gata.errors import UsageError

LONGEST_WAVE = 10_000.0
"""The slowest sinusoid's wavelength over the fastest's."""


class Positions(nn.Module):
    """Adds to each token's vector the signal of its place.

    Place p has sin(p / w_k) in the first half of its H numbers and cos(p / w_k) in the second, w_k
    from 1 to ``LONGEST_WAVE`` in equal ratios.
    """

    signal: Tensor

    def __init__(self, hidden: int, max_length: int) -> None:
        super().__init__()
        steps = torch.linspace(0, 1, hidden // 2, dtype=torch.float64)
        angles = torch.arange(max_length, dtype=torch.float64)[:, None] / LONGEST_WAVE**steps
        signal = torch.cat([angles.sin(), angles.cos()], dim=1).to(torch.get_default_dtype())
        self.register_buffer("signal", signal, persistent=False)

    def of(self, length: int) -> Tensor:
        """The signal of the first places, (length, H)."""
        limit = self.signal.shape[0]
        if length > limit:
            raise UsageError(f"a text of {length} tokens, expected at most {limit} (max_length)")
        return self.signal[:length]

    def forward(self, values: Tensor) -> Tensor:
        """(..., length, H) -> the same with the signal added."""
        return values + self.of(values.shape[-2])
