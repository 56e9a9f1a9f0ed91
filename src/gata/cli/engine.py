"""``gata engine``: proving that the engine plays TextWorld's games to the letter."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from gata import console
from gata.cli.options import unset
from gata.engine.verify.policies import PolicyName
from gata.errors import UsageError
from gata.files import check_writable, check_writable_file

if TYPE_CHECKING:
    from gata.engine.verify.coverage import Coverage

Games = Annotated[tuple[str, ...], tyro.conf.arg(metavar="SET [SET ...]")]
Jobs = Annotated[int | None, unset("N")]
Limit = Annotated[int | None, unset("N")]


@dataclass(frozen=True)
class Verify:
    """Compare the engine with real TextWorld, step by step (needs the [textworld] extra).

    Plays each game in both and compares everything they say, to the byte: feedback, description,
    inventory, commands, score, end, facts and both graphs. Prints which rules and messages were
    seen how often, and for each disagreement the shortest list of commands that shows it.
    Resumable: the same command goes on where it stopped.
    """

    games: Games = ("level1/valid", "level2/valid", "level3/valid", "level4/valid")
    """Sets (level1, level1/train, ftwp/test, my.games), games (level1/test/56274, my.json),
    settings with foods and seeds (recipe4+take4+drop/valid/1-20) or games of other challenges
    (tw-coin_collector/5/1-3, tw-treasure_hunter/25/1, tw-simple/dense/1)."""
    steps: int = 500
    """How many commands to compare in each game."""
    policy: Annotated[PolicyName | None, unset("POLICY")] = None
    """How to choose commands: walkthrough, random, mixed or refused; by default the first three in
    turn."""
    seed: int = 1
    """The seed of the policies."""
    at_most: Limit = None
    """How many games of each set to check, evenly spread; by default all."""
    jobs: Jobs = None
    """How many processes work; by default one per core."""
    output: Path = Path("runs/engine-verify")
    """The run's folder: results by game, report.json."""
    json: bool = False
    """Print the report's path and figures as JSON."""

    def run(self) -> int:
        """Compare; 1 if anything differed or fitted no row of the table."""
        from gata.engine.verify.verify import verify
        from gata.games.selection import all_names

        _check_positive(steps=self.steps, jobs=self.jobs, at_most=self.at_most)
        check_writable(self.output, "--output")
        names = all_names(self.games, self.at_most)
        verdict = verify(
            names,
            self.output,
            policy=self.policy,
            steps=self.steps,
            seed=self.seed,
            jobs=self.jobs,
        )
        if self.json:
            figures = {"games": len(names), "steps": verdict.steps}
            figures |= {"mismatches": len(verdict.mismatches), "errors": len(verdict.errors)}
            figures |= {"unknown messages": len(verdict.coverage.unknown())}
            console.print_json({**figures, "report": str(verdict.report)})
        else:
            _print_coverage(verdict.coverage)
            for name, mismatch in verdict.mismatches:
                console.text(f"\n{name}, {mismatch['explanation']}")
            for name, error in verdict.errors:
                console.text(f"\n{name}: {error}")
            console.text(
                f"\n{len(names)} games, {verdict.steps} steps compared,"
                f" {len(verdict.mismatches)} mismatches, {len(verdict.errors)} games failed,"
                f" {len(verdict.coverage.unknown())} messages of no known kind;"
                f" report: {verdict.report}"
            )
        return 0 if verdict.passed else 1


@dataclass(frozen=True)
class Record:
    """Record transcripts from real TextWorld, to check the engine without it.

    Keeps each game's walkthrough and every episode that shows something rare.
    """

    output: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="FILE")]
    """The transcript file to write."""
    games: Games = ("level1/valid", "level2/valid", "level3/valid", "level4/valid")
    """Sets, games, settings or games of other challenges, named as for `gata engine verify`."""
    steps: int = 500
    """How many commands to try in each game; most are not kept."""
    seed: int = 1
    """The seed of the policies."""
    at_most: Limit = None
    """How many games of each set to play, evenly spread; by default all."""

    def run(self) -> None:
        """Record and say what the file holds."""
        from gata.engine.verify.record import record
        from gata.games.selection import all_names

        _check_positive(steps=self.steps, at_most=self.at_most)
        check_writable_file(self.output)
        file, coverage = record(
            all_names(self.games, self.at_most),
            self.output,
            steps=self.steps,
            seed=self.seed,
            made_by=" ".join(["gata", *sys.argv[1:]]),
        )
        _print_coverage(coverage)
        steps = sum(len(transcript.steps) for transcript in file.transcripts)
        size = self.output.stat().st_size / 1000
        console.text(
            f"\n{self.output}: {len(file.transcripts)} games, {steps} steps, {size:.0f} kB"
        )


@dataclass(frozen=True)
class Transfer:
    """Check that fixed policies score the same in TextWorld and in our engine.

    Each engine plays the walkthrough and some seeded policies on its own. Resumable.
    """

    games: Games = (
        *(f"level{level}" for level in (1, 2, 3, 4)),
        *(f"difficulty{number}" for number in (1, 2, 4, 6, 8, 10)),
    )
    """As for verify; default all 1,400 games of the paper's ten settings."""
    seeds: int = 3
    """How many seeded policies play besides the walkthrough."""
    steps: int = 50
    """The most commands in an episode of a seeded policy."""
    at_most: Limit = None
    """How many games of each set to play, evenly spread; by default all."""
    jobs: Jobs = None
    """How many processes work; by default one per core."""
    output: Path = Path("runs/engine-transfer")
    """The run's folder: results by game, report.json."""

    def run(self) -> int:
        """Play; 1 if any game went differently."""
        from gata.engine.verify.transfer import transfer
        from gata.games.selection import all_names

        _check_positive(steps=self.steps, jobs=self.jobs, at_most=self.at_most)
        check_writable(self.output, "--output")
        names = all_names(self.games, self.at_most)
        result = transfer(names, self.output, seeds=self.seeds, steps=self.steps, jobs=self.jobs)
        for name in result.differing:
            console.text(f"{name}: {result.results[name]}")
        console.text(f"{len(names)} games, {len(result.differing)} differ; report: {result.report}")
        return 1 if result.differing else 0


def _check_positive(**options: int | None) -> None:
    for name, value in options.items():
        if value is not None and value < 1:
            raise UsageError(f"--{name.replace('_', '-')} is {value}, expected at least 1")


def _print_coverage(coverage: "Coverage") -> None:
    rows = [[*row, count] for row, count in coverage.table() if count]
    console.table(["rule", "variant", "seen"], rows, title="What was seen")
    console.text(f"\n{len(coverage.missing())} rows of the table were not seen")


@dataclass(frozen=True)
class EngineCommands:
    """Check the engine against real TextWorld."""

    command: (
        Annotated[Verify, tyro.conf.subcommand("verify")]
        | Annotated[Record, tyro.conf.subcommand("record")]
        | Annotated[Transfer, tyro.conf.subcommand("transfer")]
    )

    def run(self) -> int | None:
        """Run the chosen command."""
        return self.command.run()
