"""Walkthroughs of games, state by state: what was read there, and what could be known."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from gata.games.game import Game
from gata.graph.vocabulary import PAPER
from gata.language.tokenizer import tokenize
from gata.language.vocabulary import PAD, default
from gata.pretrain.data.play import walkthroughs

Array = npt.NDArray[Any]

Advance = Callable[[Tensor, Tensor, Tensor], Tensor]
"""The next memories, from the last, (batch, size), observations and actions, (batch, length) ids.
"""


@dataclass(frozen=True, eq=False)
class Walks:
    """The states of some games, those of a game one after another."""

    games: tuple[str, ...]
    offsets: Array
    """(games + 1,): the states of game g are ``offsets[g]`` to ``offsets[g + 1]`` (exclusive)."""
    observations: list[list[int]]
    """Word ids of O_t, for each state."""
    commands: list[str]
    """A_{t-1}, the command that led there; "restart" at a start."""
    seen: list[Array]
    """Edge ids of the seen graph, for each state."""

    def __len__(self) -> int:
        """How many states there are."""
        return len(self.seen)

    @property
    def game_of(self) -> Array:
        """(states,): which game a state belongs to."""
        return np.repeat(np.arange(len(self.games)), np.diff(self.offsets))


def follow(games: Sequence[Game]) -> Walks:
    """Play the walkthroughs, as for pre-training: the start, the inventory, then every step."""
    played = walkthroughs(games)
    moments = [moment for walk in played for moment in walk]
    return Walks(
        games=tuple(game.name for game in games),
        offsets=np.cumsum([0, *map(len, played)]),
        observations=[np.frombuffer(m.text, np.int16).tolist() for m in moments],
        commands=[m.command for m in moments],
        seen=[np.frombuffer(m.seen, np.int32) for m in moments],
    )


@torch.no_grad()
def remember(walks: Walks, initial: Tensor, advance: Advance) -> Tensor:
    """What a recurrent network remembers in each state, all games walked side by side.

    Args:
        walks: the games.
        initial: (games, size), the memory before a game begins.
        advance: one step.

    Returns:
        (states, size).
    """
    lengths = np.diff(walks.offsets)
    memories = initial.new_empty(len(walks), initial.shape[1])
    memory, words = initial, default()
    going = np.arange(len(lengths))
    for step in range(int(lengths.max(initial=0))):
        still = lengths[going] > step
        memory, going = memory[torch.from_numpy(still)], going[still]
        numbers = walks.offsets[going] + step
        observations = _padded([walks.observations[n] for n in numbers], initial.device)
        commands = [words.encode(tokenize(walks.commands[n])) for n in numbers]
        actions = _padded(commands, initial.device)
        memory = advance(memory, observations, actions)
        memories[torch.from_numpy(numbers)] = memory
    return memories


def _padded(rows: Sequence[Sequence[int]], device: torch.device) -> Tensor:
    tensors = [torch.tensor(row) for row in rows]
    return torch.nn.utils.rnn.pad_sequence(tensors, batch_first=True, padding_value=PAD).to(device)


def true_graphs(walks: Walks, states: Array) -> Array:
    """The seen graphs of some states: (states, relations, nodes, nodes) ones and zeros."""
    size = len(PAPER.nodes)
    graphs = np.zeros((len(states), len(PAPER.relations), size, size), np.float32)
    for graph, state in zip(graphs, states, strict=True):
        graph.flat[walks.seen[state]] = 1
    return graphs
