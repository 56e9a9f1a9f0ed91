"""``gata engine transfer``: the same fixed policies, played in each engine on its own.

Unlike the comparison step by step, each engine here is alone with the policy: what it offers
decides what is chosen, as for an agent that was trained in one engine and plays in the other.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from gata.engine.verify.ours import EnginePlayer
from gata.engine.verify.policies import FixedPolicy, Policy, WalkthroughPolicy
from gata.engine.verify.reference import TextWorldPlayer, import_textworld
from gata.engine.verify.runner import run_games, write_report
from gata.engine.verify.snapshot import Player
from gata.games import load_game
from gata.games.game import Game


class Outcome(NamedTuple):
    """How an episode went; in reports a list, since there are thousands."""

    score: int
    steps: int
    end: str
    """Won, lost, or open: neither."""


@dataclass(frozen=True)
class TransferResult:
    """What came of a run."""

    results: Mapping[str, Mapping[str, Any]]
    """By game: for each policy the outcome in TextWorld and in our engine, or an error."""
    report: Path

    @property
    def differing(self) -> list[str]:
        """The games in which some policy fared differently, or that could not be played."""
        return [
            name
            for name, result in self.results.items()
            if "error" in result or any(p["textworld"] != p["gata"] for p in result.values())
        ]


def transfer(
    names: Sequence[str], folder: Path, *, seeds: int, steps: int, jobs: int | None
) -> TransferResult:
    """Play the walkthrough and ``seeds`` fixed policies of at most ``steps`` commands."""
    import_textworld()
    settings = {"seeds": seeds, "steps": steps}
    results = run_games(_play_both, names, settings, folder, jobs=jobs, title="playing")
    outcome = TransferResult(results, folder / "report.json")
    write_report(
        folder,
        {
            "settings": settings,
            "games": len(names),
            "differing": outcome.differing,
            "mean score": _means(results),
            "outcome": Outcome._fields,
            "results": results,
        },
    )
    return outcome


def _play_both(name: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    game = load_game(name)
    policies: dict[str, Callable[[], Policy]] = {
        "walkthrough": lambda: WalkthroughPolicy(game.walkthrough, after_the_end=()),
        **{
            f"fixed {seed}": partial(FixedPolicy, seed, settings["steps"])
            for seed in range(settings["seeds"])
        },
    }
    outcomes = {engine: _outcomes(player(game), policies) for engine, player in _PLAYERS.items()}
    return {
        policy: {engine: list(outcomes[engine][policy]) for engine in _PLAYERS}
        for policy in policies
    }


_PLAYERS: Mapping[str, Callable[[Game], Player]] = {
    "textworld": TextWorldPlayer,
    "gata": EnginePlayer,
}


def _outcomes(player: Player, policies: Mapping[str, Callable[[], Policy]]) -> dict[str, Outcome]:
    try:
        return {name: _play(player, make()) for name, make in policies.items()}
    finally:
        player.close()


def _play(player: Player, policy: Policy) -> Outcome:
    policy.begin()
    now = player.reset()
    steps = 0
    while not now.done and (command := policy.choose(now)) is not None:
        now = player.step(command)
        steps += 1
    return Outcome(now.score, steps, "won" if now.won else "lost" if now.lost else "open")


def _means(results: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    played = [result for result in results.values() if "error" not in result]
    policies = played[0] if played else ()
    return {
        policy: {
            engine: sum(Outcome(*result[policy][engine]).score for result in played) / len(played)
            for engine in _PLAYERS
        }
        for policy in policies
    }
