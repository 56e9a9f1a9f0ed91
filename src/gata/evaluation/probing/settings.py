"""What can be chosen about the probing task.

What the paper tells of it is the default. What it leaves open is our choice, and no departure.
"""

import math
from dataclasses import dataclass
from typing import Literal

from gata.errors import UsageError

Negatives = Literal["any-game", "same-game"]

TOLD = ("train_games", "test_games", "epochs", "learning_rate")
"""What the paper tells (appendix D.4): 100 and 20 games, 10 epochs, a learning rate of 0.0001."""

LEFT_OPEN = ("train", "test", "negatives", "batch")
"""What it does not tell: which games, where "plausible" counterparts come from, pairs in an update.
"""


@dataclass(frozen=True)
class ProbeSettings:
    """The data, the probe and how it is trained."""

    train: str = "level5/train"
    """The games whose walkthroughs the probe learns from: the name of a set, or an archive."""
    test: str = "level5/test"
    """The games it is tested on."""
    train_games: int = 100
    """How many of the training games, evenly spread over the set."""
    test_games: int = 20
    """How many of the games to test on, likewise."""
    negatives: Negatives = "any-game"
    """Where the states come from in which a pair is not related: any game of the split, or the
    game in which it is."""
    epochs: int = 10
    """How often the probe sees every pair."""
    learning_rate: float = 1e-4
    """The learning rate of the optimiser, Adam."""
    batch: int = 16
    """Pairs in an update. With 64, ten epochs at the paper's learning rate end before the probe of
    the ground truth has learnt it."""
    seeds: tuple[int, ...] = (1, 2, 3)
    """Each decides the negatives, the first weights and the order of pairs of one probe, and what
    controls draw for it: mixtures of a memory, whose cells are read, untrained weights."""

    def __post_init__(self) -> None:
        for name in ("train_games", "test_games", "epochs", "batch"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} is {getattr(self, name)}, expected at least 1")
        if not 0 < self.learning_rate < math.inf:
            raise UsageError(f"learning_rate is {self.learning_rate}, expected more than 0")
        if not self.seeds or len(set(self.seeds)) < len(self.seeds) or min(self.seeds) < 0:
            raise UsageError(
                f"seeds are {list(self.seeds)}, expected one or more different numbers from 0 on"
            )

    def departures(self) -> list[str]:
        """The names of settings that are not as the paper tells them."""
        paper = type(self)()
        return [name for name in TOLD if getattr(self, name) != getattr(paper, name)]
