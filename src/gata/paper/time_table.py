"""How long our runs took, beside the paper's."""

from pathlib import Path
from statistics import median

from gata.evaluation.records import Record
from gata.evaluation.table import NOTHING, Table
from gata.paper.cells import Results
from gata.paper.counting import two_digits
from gata.paper.marks import marks_of
from gata.paper.ours import sift
from gata.paper.pretraining import read_results
from gata.paper.scores import TEST
from gata.paper.wall_clock import AGENT_DAYS, PRETRAINING_DAYS
from gata.training.run import RESULTS_FILE

HOURS_PER_DAY = 24


def time_table(results: Results, pretraining: Path) -> Table:
    """Wall clock of pre-training and of agents.

    Args:
        results: of the agents; the median over levels, training sets and seeds is told.
        pretraining: the folder with a folder of results for each kind of weights.
    """
    rows = [_weights_row(name, pretraining / name / RESULTS_FILE) for name in PRETRAINING_DAYS]
    for agent in TEST:
        records = [record for record in results.records if record.settings.agent == agent]
        rows += _agent_rows(agent, records)
    columns = ("what", "hours", "runs", "at once", "hardware", "paper's hours")
    return sift(Table(columns, tuple(rows)))


def _weights_row(name: str, path: Path) -> tuple[str, ...]:
    paper = f"{PRETRAINING_DAYS[name] * HOURS_PER_DAY:.0f}"
    if not path.exists():
        return (f"`{name}`", NOTHING, "0", NOTHING, NOTHING, paper)
    results = read_results(path)
    hours = two_digits(results["training_seconds"] / 3600)
    return (f"`{name}`", hours, "1", NOTHING, results["hardware"], paper)


def _agent_rows(agent: str, records: list[Record]) -> list[tuple[str, ...]]:
    """A row per hardware, company and kind of settings; one if there are no runs."""
    paper = f"{AGENT_DAYS * HOURS_PER_DAY:.0f}"
    kinds: dict[tuple[str, str, bool], list[Record]] = {}
    for record in records:
        company = NOTHING if record.at_once is None else str(record.at_once)
        kind = record.hardware, company, bool(record.departures())
        kinds.setdefault(kind, []).append(record)
    if not kinds:
        return [(f"`{agent}`", NOTHING, "0", NOTHING, NOTHING, paper)]
    rows: list[tuple[str, ...]] = []
    for (hardware, company, _), runs in sorted(kinds.items()):
        took = f"{two_digits(median(run.hours for run in runs))}{marks_of(runs)}"
        rows.append((f"`{agent}`", took, str(len(runs)), company, hardware, paper))
    return rows
