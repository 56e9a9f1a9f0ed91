"""Playing a set of games with an agent, once each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean

import numpy as np

from gata.agents.baselines import Agent
from gata.engine import VectorEnv
from gata.errors import UsageError
from gata.games.game import Game

STEP_LIMIT = 50
"""The paper's: an episode ends after this many steps, won or not."""
TOGETHER = 256
"""Games of a large set that are played at the same time: beliefs of a thousand would take
gigabytes."""

Show = Callable[[int, str], None]
"""Is told how many steps there were, and in words how many games are over."""


@dataclass(frozen=True)
class Episode:
    """How one game went."""

    game: str
    score: int
    max_score: int
    won: bool
    steps: int

    @property
    def normalised_score(self) -> float:
        """The share of the game's points, 0 to 1."""
        return self.score / self.max_score


@dataclass(frozen=True)
class Summary:
    """How a set of games went: means over its games."""

    games: int
    score: float
    """Mean share of the points, in percent, as in the paper's tables."""
    success: float
    """Games won, in percent."""
    steps: float


def check_step_limit(step_limit: int) -> None:
    """An engine may play without a limit (0); an agent that goes round in circles may not."""
    if step_limit < 1:
        raise UsageError(f"step_limit is {step_limit}, expected 1 or more")


def play(
    agent: Agent,
    games: Sequence[Game],
    *,
    step_limit: int = STEP_LIMIT,
    show: Show | None = None,
) -> list[Episode]:
    """Play each game once, all at the same time; the results are in the order of ``games``.

    Args:
        agent: who plays.
        games: what.
        step_limit: an episode ends after so many steps, won or not.
        show: is told after each step; when all games are over, as if there had been ``step_limit``
            steps.
    """
    check_step_limit(step_limit)
    env = VectorEnv(games, len(games), step_limit=step_limit, order="by-turns")
    agent.begin(games, env.commands)
    outputs = env.reset()
    episodes: dict[int, Episode] = {}
    # The engine begins a row's game again when it is over; nobody looks at that.
    live = np.ones(len(games), np.bool_)
    steps = 0
    while live.any():
        outputs = env.step(agent.act(outputs, live))
        for row in map(int, np.flatnonzero(live & (outputs.done > 0))):
            live[row] = False
            episodes[row] = Episode(
                game=games[row].name,
                score=int(outputs.score[row]),
                max_score=int(outputs.max_score[row]),
                won=bool(outputs.won[row]),
                steps=int(outputs.steps[row]),
            )
        steps += 1
        if show is not None:
            show(
                steps if live.any() else step_limit,
                f"{len(episodes)} of {len(games)} games are over",
            )
    return [episodes[row] for row in range(len(games))]


def play_in_parts(
    agent: Agent, games: Sequence[Game], *, step_limit: int = STEP_LIMIT, show: Show | None = None
) -> list[Episode]:
    """As ``play``, but of more games than ``TOGETHER`` some after the others.

    Args:
        agent: who plays.
        games: what.
        step_limit: an episode ends after so many steps, won or not.
        show: is told after each step, as if ``step_limit`` of them were the whole.
    """
    starts = range(0, len(games), TOGETHER)
    if len(starts) < 2:
        return play(agent, games, step_limit=step_limit, show=show)
    episodes: list[Episode] = []
    for number, start in enumerate(starts):

        def show_part(steps: int, words: str, number: int = number) -> None:
            if show is not None:
                done = (number * step_limit + steps) // len(starts)
                show(done, f"part {number + 1} of {len(starts)}: {words}")

        part = games[start : start + TOGETHER]
        episodes += play(agent, part, step_limit=step_limit, show=show_part)
    return episodes


def summarise(episodes: Sequence[Episode]) -> Summary:
    """The means over some episodes."""
    # Exact: whoever compares scores shall not decide by how the same points were rounded.
    shares = sum(Fraction(episode.score, episode.max_score) for episode in episodes)
    return Summary(
        games=len(episodes),
        score=float(100 * shares / len(episodes)),
        success=100 * fmean(episode.won for episode in episodes),
        steps=fmean(episode.steps for episode in episodes),
    )
