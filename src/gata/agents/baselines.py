"""Floor and ceiling: an agent that picks at random, and one that knows the way."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from gata.engine import Outputs
from gata.errors import UsageError
from gata.games.game import Game
from gata.names import did_you_mean

CommandIds = npt.NDArray[np.int64]
RowMask = npt.NDArray[np.bool_]
"""(rows,): yes or no for every row of a batch."""


class Agent(Protocol):
    """Picks a command for every game of a batch."""

    name: str

    def begin(self, games: Sequence[Game], commands: Sequence[str]) -> None:
        """Get ready to play ``games``, one a row; ``commands`` is the table of all commands."""
        ...

    def act(self, outputs: Outputs, live: RowMask | None = None) -> CommandIds:
        """A candidate's id (into the command table) for every row, shape (rows,).

        Args:
            outputs: what the engine says.
            live: where it matters what is picked, if not everywhere. Elsewhere any candidate will
                do, until games begin anew.
        """
        ...


class RandomAgent:
    """Picks any of the candidates, all equally likely."""

    name = "random"
    about = "floor: any command on offer, by chance; not trained"

    def __init__(self, seed: int = 0) -> None:
        self._random = np.random.default_rng(seed)

    def begin(self, games: Sequence[Game], commands: Sequence[str]) -> None:
        """Nothing to prepare."""

    def act(self, outputs: Outputs, live: RowMask | None = None) -> CommandIds:
        """Draw one candidate a row, live or not: luck shall not depend on how other games end."""
        choice = (self._random.random(len(outputs.game)) * outputs.candidate_count).astype(int)
        return np.take_along_axis(outputs.candidates, choice[:, None], 1)[:, 0].astype(np.int64)


class WalkthroughAgent:
    """Follows TextWorld's own walkthrough of each game."""

    name = "walkthrough"
    about = "ceiling: TextWorld's own way through the game; not trained"

    def begin(self, games: Sequence[Game], commands: Sequence[str]) -> None:
        """Look up the walkthroughs' commands in the table."""
        ids = {command: number for number, command in enumerate(commands)}
        self._left = [
            [ids[command] for command in game.walkthrough if command in ids][::-1] for game in games
        ]

    def act(self, outputs: Outputs, live: RowMask | None = None) -> CommandIds:
        """The next command of each row's walkthrough."""
        picked = np.zeros(len(outputs.game), np.int64)
        for row, left in enumerate(self._left):
            candidates = outputs.candidates[row, : outputs.candidate_count[row]]
            # Walkthroughs open doors that are open already; such a step is skipped.
            while left and left[-1] not in candidates:
                left.pop()
            picked[row] = left.pop() if left else candidates[0]
        return picked


BASELINES: Mapping[str, type[RandomAgent] | type[WalkthroughAgent]] = {
    baseline.name: baseline for baseline in (RandomAgent, WalkthroughAgent)
}
"""Agents that need no training, by name."""


def check_not_misspelt(name: str) -> None:
    """Refuse a name that is nearly a baseline's, unless there is a file of it.

    For whoever takes trained agents by name, too, among which nothing like it will be found.
    """
    if (meant := did_you_mean(name, BASELINES)) and not Path(name).exists():
        raise UsageError(f"no agent is called {name!r}{meant}")
