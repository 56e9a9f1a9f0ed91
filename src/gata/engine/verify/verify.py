"""``gata engine verify``: our engine against real TextWorld, over many games."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gata.engine.verify.check import check_game
from gata.engine.verify.coverage import Coverage
from gata.engine.verify.ours import EnginePlayer
from gata.engine.verify.policies import PolicyName
from gata.engine.verify.reference import TextWorldPlayer, import_textworld
from gata.engine.verify.runner import run_games, write_report
from gata.games import load_game


@dataclass(frozen=True)
class Verdict:
    """What came of a run."""

    results: Mapping[str, Mapping[str, Any]]
    """By game: steps, episodes, coverage and mismatches, or an error."""
    coverage: Coverage
    report: Path

    @property
    def steps(self) -> int:
        """Commands compared in all."""
        return sum(result.get("steps", 0) for result in self.results.values())

    @property
    def mismatches(self) -> list[tuple[str, Mapping[str, Any]]]:
        """The game's name and the mismatch, for each."""
        return [
            (name, mismatch)
            for name, result in self.results.items()
            for mismatch in result.get("mismatches", ())
        ]

    @property
    def errors(self) -> list[tuple[str, str]]:
        """The games that could not be checked, and why."""
        return [(name, r["error"]) for name, r in self.results.items() if "error" in r]

    @property
    def passed(self) -> bool:
        """Every game was checked, nothing differed, and every message fitted a row."""
        return not (self.mismatches or self.errors or self.coverage.unknown())


def verify(
    names: Sequence[str],
    folder: Path,
    *,
    policy: PolicyName | None,
    steps: int,
    seed: int,
    jobs: int | None,
) -> Verdict:
    """Compare ``steps`` commands in each game; results and report go to ``folder``."""
    import_textworld()
    settings = {"policy": policy, "steps": steps, "seed": seed}
    results = run_games(_check, names, settings, folder, jobs=jobs, title="comparing")
    coverage = Coverage()
    for result in results.values():
        coverage.update(Coverage.from_json(result.get("coverage", ())))
    verdict = Verdict(results, coverage, folder / "report.json")
    write_report(
        folder,
        {
            "settings": settings,
            "games": len(names),
            "steps": verdict.steps,
            "mismatches": [{"game": name, **found} for name, found in verdict.mismatches],
            "errors": [{"game": name, "error": error} for name, error in verdict.errors],
            "episodes ended by chance": sum(r.get("drawn_lots", 0) for r in results.values()),
            "unknown messages": [row.variant for row in coverage.unknown()],
            "coverage": coverage.to_json(),
            "steps per game": {name: r.get("steps", 0) for name, r in results.items()},
        },
    )
    return verdict


def _check(name: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    game = load_game(name)
    reference, ours = TextWorldPlayer(game), EnginePlayer(game)
    try:
        return check_game(game, reference, ours, **settings).to_json()
    finally:
        reference.close()
        ours.close()
