"""The scorer: which of the candidate commands is good in this state."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from gata.nn.attention import SelfAttentionLayer
from gata.nn.masking import Encoded, masked_mean
from gata.nn.precision import full_linear, without_autocast


class StatePooling(nn.Module):
    """Self-attention over a state's vectors, then their mean: one vector per state."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.attention = SelfAttentionLayer(hidden)

    def forward(self, state: Encoded) -> Tensor:
        """(..., length, H) -> (..., H)."""
        return masked_mean(self.attention(state))


class Memory(nn.Module):
    """The recurrent agents' memory: an LSTM over the pooled states of a game."""

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.cell = nn.LSTMCell(inputs, hidden)

    def initial(self, batch: int) -> tuple[Tensor, Tensor]:
        """The memory before the first step: two of (batch, H) zeros."""
        zeros = self.cell.weight_hh.new_zeros(batch, self.cell.hidden_size)
        return zeros, zeros.clone()

    def forward(self, pooled: Tensor, memory: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
        """One step: (batch, inputs) and the memory so far -> the memory, its first part h_t."""
        with without_autocast(pooled.device):
            result: tuple[Tensor, Tensor] = self.cell(pooled.to(self.cell.weight_ih.dtype), memory)
            return result


class Scorer(nn.Module):
    """Scores commands by a two-layer MLP over [command; state vectors].

    Args:
        hidden: H.
        states: how many encoded inputs make up the state: 1 (graph or text alone) or 2 (both).
        recurrent: put an LSTM between the pooled state and the MLP.
    """

    def __init__(self, hidden: int, *, states: int, recurrent: bool = False) -> None:
        super().__init__()
        self.pooling = nn.ModuleList(StatePooling(hidden) for _ in range(states))
        self.memory = Memory(states * hidden, hidden) if recurrent else None
        # The MLP's first layer in two parts: the state's is the same for all commands.
        self.of_command = nn.Linear(hidden, hidden)
        self.of_state = nn.Linear(hidden if recurrent else states * hidden, hidden, bias=False)
        self.score = nn.Linear(hidden, 1)

    def pool(self, states: Sequence[Encoded]) -> Tensor:
        """The state as one vector: each input (..., length, H) -> (..., states * H)."""
        pooled = [pooling(state) for pooling, state in zip(self.pooling, states, strict=True)]
        return torch.cat(pooled, dim=-1)

    def rate(self, state: Tensor, commands: Tensor, allowed: Tensor) -> Tensor:
        """Score commands in a state.

        Args:
            state: from ``pool``, or the LSTM's h_t.
            commands: (..., commands, H), a vector per candidate.
            allowed: (..., commands) booleans, which candidates there are.

        Returns:
            (..., commands) in full precision; the lowest number where there is no candidate.
        """
        mixed = self.of_command(commands) + self.of_state(state).unsqueeze(-2)
        scores = full_linear(self.score, functional.relu(mixed)).squeeze(-1)
        return scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
