"""``gata quickstart``: the main job, in minutes."""

import os
import shutil
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import tyro

from gata import console
from gata.cli.options import unset
from gata.files import check_writable

if TYPE_CHECKING:
    from gata.evaluation.quickstart import Findings
    from gata.evaluation.standing import Standing


@dataclass(frozen=True)
class Quickstart:
    """Train GATA on 20 games for some minutes, on the CPU, and see how it does on unseen ones.

    Prints the scores on the 20 test games of level 1 (percent of the points, 50 steps a game)
    beside those of a random agent, a walkthrough agent and the shipped, fully trained agent of the
    same kind, and the transcript of one unseen game; writes a report with learning curve, scores,
    transcript and belief graph. The same command goes on where it was stopped.
    """

    episodes: Annotated[int | None, unset("N")] = None
    """How many episodes to train for; by default as many as take a few minutes."""
    seed: int = 1
    """The seed of the training; each needs a folder of its own."""
    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="DIR")] = Path("runs/quickstart")
    """The folder for the run and report.html."""
    json: bool = False
    """Print the scores, and how the training went, as JSON, without the transcript."""

    def run(self) -> None:
        """Train, play and print."""
        from dataclasses import replace

        from gata.evaluation import quickstart
        from gata.evaluation.standing import COLUMNS

        check_writable(self.output, "--output")
        learning, duration = quickstart.LEARNING, quickstart.DURATION
        if self.episodes is not None:
            learning = replace(learning, episodes=self.episodes)
            duration = f"{quickstart.LEARNING.episodes} would take {duration}"
        console.note(
            f"GATA learns level {quickstart.LEVEL} from 20 games: it scouts"
            f" {learning.scout_episodes:,} random episodes, plays {learning.episodes} of its own,"
            f" then 20 unseen games; {duration}. Ctrl-C saves, the same command goes on."
        )
        findings = quickstart.quickstart(self.output, learning, seed=self.seed)
        if self.json:
            scores = {name: _as_json(standing) for name, standing in findings.scores.items()}
            console.print_json({"scores": scores, "training": findings.training})
        else:
            _show_game(findings)
            rows = [standing.row(name) for name, standing in findings.scores.items()]
            console.table(COLUMNS, rows, title=f"Unseen test games, level {quickstart.LEVEL}")
        for note in quickstart.notes(findings):
            console.note(note)
        console.note(f"the report is in {findings.report}")
        gata = _as_typed()
        console.note(
            f"what next: {gata} play {findings.run} {findings.game.name} shows values and beliefs;"
            f" {gata} evaluate {findings.run} --per-game; {gata} train --help"
        )


def _as_typed() -> str:
    """What a user types for this program: its plain name, where the shell finds it."""
    path = Path(sys.argv[0])
    if shutil.which("gata") or path.name != "gata":
        return "gata"
    return os.path.relpath(path)


def _as_json(standing: "Standing") -> dict[str, Any]:
    """The test score and how far to trust it, and the validation score."""
    return {
        **asdict(standing.test),
        "standard_error": standing.standard_error,
        "valid": asdict(standing.valid),
    }


def _show_game(findings: "Findings") -> None:
    from gata.evaluation.report import outcome

    game, moments = findings.game, findings.moments
    console.text(f"{game.name}, played by the agent that was just trained\n")
    for moment in moments:
        said = "\n".join(moment.lines)
        console.text(f"{said}  [{moment.score}/{game.max_score}]")
        if moment.values:
            command, value = moment.values[0]
            console.text(f"\n> {command}    (value {value:.2f})")
    console.text(f"\n{outcome(moments, game)}\n")
