"""Checking one game: play it in both engines by a policy, compare, count, explain."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from gata.engine.verify.compare import Duel, Mismatch, shortest
from gata.engine.verify.coverage import Coverage, moment
from gata.engine.verify.policies import CANDIDATE_POLICIES, Policy, PolicyName, make_policy
from gata.engine.verify.snapshot import Player, Snapshot
from gata.games.game import Game

MAX_MISMATCHES = 3
"""After so many disagreements a game is given up: the rest would be more of the same."""


@dataclass
class GameResult:
    """What came of one game."""

    steps: int = 0
    """Commands compared."""
    episodes: int = 0
    drawn_lots: int = 0
    """Episodes that ended because TextWorld itself left to chance what happened."""
    coverage: Coverage = field(default_factory=Coverage)
    mismatches: list[Mismatch] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """For a report."""
        return {
            "steps": self.steps,
            "episodes": self.episodes,
            "drawn_lots": self.drawn_lots,
            "coverage": self.coverage.to_json(),
            "mismatches": [mismatch.to_json() for mismatch in self.mismatches],
        }


def check_game(
    game: Game,
    reference: Player,
    ours: Player,
    *,
    policy: PolicyName | None,
    steps: int,
    seed: int,
) -> GameResult:
    """Compare at least ``steps`` commands, unless the two disagree too often.

    Without a ``policy`` those that choose admissible commands take turns, an episode each, the
    walkthrough once only.
    """
    result = GameResult()
    duel = Duel(reference, ours)
    for player in _turns(game, policy, Random(f"{seed}/{game.content_hash}")):
        mismatch = _play_episode(duel, player, result, steps)
        if mismatch is not None:
            result.mismatches.append(shortest(duel, mismatch))
        if result.steps >= steps or len(result.mismatches) >= MAX_MISMATCHES:
            break
    return result


def _turns(game: Game, policy: PolicyName | None, random: Random) -> Iterator[Policy]:
    """Whose turn it is, episode after episode, for ever."""
    names = CANDIDATE_POLICIES if policy is None else (policy,)
    policies = {name: make_policy(name, game, random) for name in names}
    if policy is None:
        yield policies.pop("walkthrough")
    while True:
        yield from policies.values()


def _play_episode(duel: Duel, policy: Policy, result: GameResult, steps: int) -> Mismatch | None:
    policy.begin()
    before: Snapshot | None = None
    now, mismatch = duel.reset()
    result.episodes += 1
    command = ""
    is_over = False
    while True:
        result.coverage.add(moment(command, before, now, is_over=is_over))
        is_over |= now.done
        if mismatch is not None or result.steps >= steps:
            return mismatch
        chosen = policy.choose(now)
        if chosen is None:
            return None
        before, command = now, chosen
        now, mismatch = duel.step(command)
        if duel.drew_lots:
            result.drawn_lots += 1
            return None
        result.steps += 1
