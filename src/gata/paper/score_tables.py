"""The paper's tables of scores, ours beside its own: every cell reads "ours / paper"."""

from collections.abc import Sequence
from statistics import fmean

from gata.evaluation.statistics import Estimate, estimate
from gata.evaluation.table import Table
from gata.paper.cells import Cell, Results
from gata.paper.scores import BASELINE, LEVELS, MAIN_ROWS, SIZES, TEST, TRAINING

NOTHING = "-"
"""Stands for what was not run."""
DEPARTS = "†"
"""Marks what was not run with the paper's settings."""


def short_test_table(results: Results, size: int) -> Table:
    """The table in the paper's text: test scores of the seed that is best on validation."""
    rows = []
    for agent in MAIN_ROWS:
        paper = TEST[agent]
        cells = [
            f"{_best(cell)} / {score:.1f}"
            for cell, score in zip(results.row(agent, size), paper.scores(size), strict=True)
        ]
        rows.append((f"`{agent}`", *cells, _improvement(results, agent, size)))
    return Table(("agent", *_levels(), "↑ %"), tuple(rows))


def full_test_table(results: Results, size: int) -> Table:
    """All rows: the best seed as in the paper, all seeds, games won, wall clock."""
    rows = []
    for agent, paper in TEST.items():
        cells = [
            _test_cell(cell, score)
            for cell, score in zip(results.row(agent, size), paper.scores(size), strict=True)
        ]
        rows.append((f"`{agent}`", *cells))
    return Table(("agent", *_levels()), tuple(rows))


def training_table(results: Results, size: int) -> Table:
    """The best point of the training curves, means over seeds."""
    rows = []
    for agent, paper in TRAINING.items():
        cells = []
        for cell, score in zip(results.row(agent, size), paper.scores(size), strict=True):
            ours = cell.training_scores
            text = _estimate(estimate(ours)) + _mark(cell) if ours else NOTHING
            cells.append(f"{text} / {score:.1f}")
        made = results.mean_improvement(agent, size, lambda cell: cell.training_scores)
        cells.append(_beside(made, paper.improvement(size)))
        rows.append((f"`{agent}`", *cells))
    return Table(("agent", *_levels(), "↑ %"), tuple(rows))


def improvement_table(results: Results) -> Table:
    """Relative improvement of test scores over Tr-DQN, both ways."""
    rows = []
    for agent, paper in TEST.items():
        if agent == BASELINE or paper.improvements is None:
            continue
        best = [results.improvement(agent, size) for size in SIZES]
        cells = [
            f"{_signed(value)} / {_signed(printed)}"
            for value, printed in zip([*best, _mean(best)], paper.improvements, strict=True)
        ]
        for size in SIZES:
            made = results.mean_improvement(agent, size, lambda cell: cell.test_scores)
            cells.append(NOTHING if made is None else _estimate(made, signed=True))
        rows.append((f"`{agent}`", *cells))
    columns = ("agent", "20 games", "100 games", "mean", "20, all seeds", "100, all seeds")
    return Table(columns, tuple(rows))


def departures(results: Results) -> list[str]:
    """What was not run as in the paper: a line per kind of departure and the runs it is of."""
    runs: dict[str, list[str]] = {}
    for record in results.records:
        if found := record.departures():
            runs.setdefault("; ".join(found), []).append(record.name)
    return [f"{what}: {', '.join(f'`{name}`' for name in names)}" for what, names in runs.items()]


def _test_cell(cell: Cell, paper: float) -> str:
    lines = [f"{_best(cell, remark=False)} / {paper:.1f}"]
    if cell:
        lines = [
            f"**{lines[0]}**",
            f"won {cell.best.test_success:.1f}",
            f"all {_estimate(estimate(cell.test_scores))}",
            f"won {_estimate(estimate(cell.test_successes), remark=False)}",
            f"{cell.hours:.2g} h",
        ]
    return "\n".join(lines)


def _best(cell: Cell, *, remark: bool = True) -> str:
    if not cell:
        return NOTHING
    text = f"{cell.best.test_score:.1f}{_mark(cell)}"
    scores = estimate(cell.test_scores)
    return text if scores.enough or not remark else f"{text} ({_seeds(scores)})"


def _mark(cell: Cell) -> str:
    return DEPARTS if cell.departs else ""


def _improvement(results: Results, agent: str, size: int) -> str:
    if agent == BASELINE:
        return ""
    return f"{_signed(results.improvement(agent, size))} / {_signed(TEST[agent].improvement(size))}"


def _beside(made: Estimate | None, printed: float | None) -> str:
    if printed is None:
        return ""
    return f"{NOTHING if made is None else _estimate(made, signed=True)} / {_signed(printed)}"


def _estimate(made: Estimate, *, signed: bool = False, remark: bool = True) -> str:
    """Mean and interval, or why there is none."""
    form = "+.1f" if signed else ".1f"
    text = f"{made.mean:{form}}"
    if made.low is not None and made.high is not None:
        return f"{text} [{made.low:{form}}, {made.high:{form}}]"
    return f"{text} ({_seeds(made)})" if remark and not made.enough else text


def _seeds(made: Estimate) -> str:
    return f"{made.seeds} seed{'s' if made.seeds > 1 else ''}, too few"


def _signed(value: float | None) -> str:
    return NOTHING if value is None else f"{value:+.1f}"


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if len(known) == len(values) else None


def _levels() -> tuple[str, ...]:
    return tuple(f"level {level}" for level in LEVELS)
