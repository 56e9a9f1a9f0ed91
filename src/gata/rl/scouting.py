"""Looking around before learning begins.

The engine alone plays thousands of random episodes a second; beliefs take a hundred times as long.
So many are played without them, and only the best are played once more, to be remembered.
"""

from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gata import console
from gata.engine import VectorEnv
from gata.rl.rollout import Rollout, Script

ROWS = 256
"""Games that are played at once; the engine needs no more to be fast."""
FIRST_STEP = "loading the engine; the first time it is compiled, which takes half a minute or so"
"""What goes on until there has been a step."""


class Trip(NamedTuple):
    """A random episode."""

    game: int
    """Its number among the games of the engine."""
    choices: tuple[int, ...]
    """The place of each command among the candidates."""
    share: float
    """Of the game's points."""


class Found(NamedTuple):
    """What came of many random episodes."""

    episodes: int
    """How many there were."""
    score: float
    """Their mean share of the points, in percent."""
    complete: float
    """How many of them got all points, in percent."""
    best: list[Trip]
    """The best of them, one of the best first."""

    def summary(self) -> dict[str, float]:
        """In numbers."""
        best = [trip.share for trip in self.best]
        return {
            "episodes": self.episodes,
            "score": self.score,
            "complete": self.complete,
            "kept": len(best),
            "kept_score": 100 * fmean(best),
            "kept_complete": 100 * fmean(share == 1 for share in best),
        }


def scout(
    env: VectorEnv,
    episodes: int,
    keep: int,
    random: np.random.Generator,
    bars: console.Bars | None = None,
) -> Found:
    """Play random episodes, and pick the best.

    Args:
        env: has the games and the step limit; it is left alone.
        episodes: how many to play, or a few more.
        keep: how many of them to pick at most.
        random: decides what is done.
        bars: to show the progress among others.
    """
    rows = min(ROWS, episodes)
    own = VectorEnv(env.pack, rows, seed=int(random.integers(2**63)), step_limit=env.step_limit)
    outputs = own.reset()
    choices = np.zeros((rows, env.step_limit), np.int64)
    trips: list[Trip] = []
    with console.Bar("scouting", episodes, bars) as bar:
        bar.show(0, FIRST_STEP)
        while len(trips) < episodes:
            going_on = np.flatnonzero(outputs.done == 0)
            chosen = (random.random(rows) * outputs.candidate_count).astype(np.int64)
            choices[going_on, outputs.steps[going_on]] = chosen[going_on]
            outputs = own.step_candidates(chosen)
            for row in map(int, np.flatnonzero(outputs.done)):
                share = outputs.score[row] / outputs.max_score[row]
                done = tuple(choices[row, : outputs.steps[row]].tolist())
                trips.append(Trip(int(outputs.game[row]), done, float(share)))
            bar.show(min(len(trips), episodes))
    shares = [trip.share for trip in trips]
    complete = fmean(share == 1 for share in shares)
    return Found(len(trips), 100 * fmean(shares), 100 * complete, best(trips, keep))


def best(trips: Sequence[Trip], keep: int) -> list[Trip]:
    """Those with the most points, the shortest of equals; as many of each game as can be."""
    places: dict[int, int] = {}
    ranked: list[tuple[int, float, int, int]] = []
    for number in sorted(range(len(trips)), key=lambda n: _worth(trips[n])):
        trip = trips[number]
        place = places[trip.game] = places.get(trip.game, 0) + 1
        ranked.append((place, *_worth(trip), number))
    return [trips[number] for *_, number in sorted(ranked)[:keep]]


def _worth(trip: Trip) -> tuple[float, int]:
    """What is less is better."""
    return -trip.share, len(trip.choices)


def retrace(trips: Sequence[Trip], rollout: Rollout, bars: console.Bars | None = None) -> None:
    """Play episodes once more, and remember them.

    Args:
        trips: at least one.
        rollout: of an engine with the same games; it is of no other use afterwards.
        bars: to show the progress among others.
    """
    env = rollout.env
    waiting = list(reversed(trips))
    under_way: list[Trip | None] = [None] * env.batch
    _set_out(env, range(env.batch), waiting, under_way)
    with console.Bar("remembering the best", len(trips), bars) as bar:
        while any(under_way):
            over = np.flatnonzero(env.outputs.done)
            rollout.step(0.0, _script(env, under_way))
            _set_out(env, over, waiting, under_way)
            bar.show(len(trips) - len(waiting) - sum(trip is not None for trip in under_way))


def _set_out(
    env: VectorEnv,
    rows: Sequence[int] | npt.NDArray[np.int64],
    waiting: list[Trip],
    under_way: list[Trip | None],
) -> None:
    """Begin the next trips in these rows, as long as there are any."""
    for row in map(int, rows):
        trip = under_way[row] = waiting.pop() if waiting else None
        if trip is not None:
            env.reset(rows=[row], games=[trip.game])


def _script(env: VectorEnv, under_way: Sequence[Trip | None]) -> Script:
    """The next step of every trip; where there is none, anything, of which nothing is kept."""
    choices = np.zeros(env.batch, np.int64)
    for row, trip in enumerate(under_way):
        if trip is not None and not env.outputs.done[row]:
            choices[row] = trip.choices[env.outputs.steps[row]]
    return Script(choices, np.array([trip is not None for trip in under_way]))
