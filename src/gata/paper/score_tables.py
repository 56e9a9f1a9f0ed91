"""The paper's tables of scores, ours beside its own: where it has a number, "ours / paper"."""

from dataclasses import replace
from itertools import chain

from gata.evaluation.statistics import Estimate, estimate
from gata.evaluation.table import NOTHING, Table
from gata.paper.cells import Cell, Improvement, Results
from gata.paper.counting import counted, two_digits
from gata.paper.hardware import short_name
from gata.paper.marks import marks_of
from gata.paper.ours import sift
from gata.paper.scores import BASELINE, LEVELS, MAIN_ROWS, SIZES, TEST, TRAINING

OF_DIFFERENCES = (
    "An interval without 0 tells the two apart by seeds and games like these, if it is the only"
    " one looked at: intervals are too narrow for three seeds, and nothing corrects for looking at"
    " several."
)
"""Below every table of differences."""


def short_test_table(results: Results, size: int) -> Table:
    """The table in the paper's text: test scores of the seed that is best on validation.

    With the rows that it has there, and all others that have runs.
    """
    rows = []
    for agent, paper in TEST.items():
        if agent not in MAIN_ROWS and not any(results.row(agent, size)):
            continue
        cells = [
            "\n".join([f"{_best(cell)} / {score:.1f}", *_beside_best(cell)])
            for cell, score in zip(results.row(agent, size), paper.scores(size), strict=True)
        ]
        made = _improvement(results.improvement(agent, size), interval=False)
        rows.append((f"`{agent}`", *cells, _beside(made, paper.improvement(size))))
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


def difference_table(results: Results, size: int) -> Table:
    """Points of test score above Tr-DQN on the same games, all seeds, where both were run."""
    rows = []
    for agent in TEST:
        if agent == BASELINE or not any(results.row(agent, size)):
            continue
        cells = [_difference(results, agent, level, size) for level in LEVELS]
        rows.append((f"`{agent}`", *cells))
    table = sift(Table(("agent", *_levels()), tuple(rows)))
    return replace(table, notes=(OF_DIFFERENCES, *table.notes)) if table.rows else table


def training_table(results: Results, size: int) -> Table:
    """The best point of the training curves, means over seeds, games won there, wall clock."""
    rows = []
    for agent, paper in TRAINING.items():
        cells = []
        for cell, score in zip(results.row(agent, size), paper.scores(size), strict=True):
            ours = cell.training_scores
            text = estimate_in_words(estimate(ours), marks=cell.marks) if ours.size else NOTHING
            lines = [f"{text} / {score:.1f}"]
            if cell.training_success is not None:
                lines += [f"won {cell.training_success:.1f}", hours_in_words(cell)]
            cells.append("\n".join(lines))
        made = results.mean_improvement(agent, size, lambda cell: cell.training_scores)
        cells.append(_beside(_improvement(made), paper.improvement(size)))
        rows.append((f"`{agent}`", *cells))
    return Table(("agent", *_levels(), "↑ %"), tuple(rows))


def improvement_table(results: Results) -> Table:
    """Relative improvement of test scores over Tr-DQN, both ways."""
    rows = []
    for agent, paper in TEST.items():
        if agent == BASELINE or paper.improvements is None:
            continue
        best = [results.improvement(agent, size) for size in SIZES]
        known = [made for made in best if made is not None]
        mean = Improvement.mean(known) if len(known) == len(best) else None
        cells = [
            _beside(_improvement(made, interval=False), printed)
            for made, printed in zip([*best, mean], paper.improvements, strict=True)
        ]
        for size in SIZES:
            made = results.mean_improvement(agent, size, lambda cell: cell.test_scores)
            cells.append(_improvement(made))
        rows.append((f"`{agent}`", *cells))
    columns = ("agent", "20 games", "100 games", "mean", "20, all seeds", "100, all seeds")
    return Table(columns, tuple(rows))


def _test_cell(cell: Cell, paper: float) -> str:
    lines = [f"{_best(cell, remark=False)} / {paper:.1f}"]
    if cell:
        lines = [
            f"**{lines[0]}**",
            f"best won {cell.best.test_success:.1f}",
            f"all {estimate_in_words(estimate(cell.test_scores))}",
            f"all won {estimate_in_words(estimate(cell.test_successes), remark=False)}",
            hours_in_words(cell),
        ]
    return "\n".join(lines)


def hours_in_words(cell: Cell) -> str:
    """The wall clock of a run on each kind of hardware: ``0.14 h H200, 0.84 h CPU``."""
    hours = cell.hours.items()
    return ", ".join(f"{two_digits(each)} h {short_name(hardware)}" for hardware, each in hours)


def _beside_best(cell: Cell) -> list[str]:
    """What belongs to the score of the best seed: games won, and the time of a run."""
    if not cell:
        return []
    return [f"won {cell.best.test_success:.1f}", hours_in_words(cell)]


def _best(cell: Cell, *, remark: bool = True) -> str:
    if not cell:
        return NOTHING
    best = Estimate(cell.best.test_score, None, None, len(cell.records))
    return estimate_in_words(best, marks=cell.marks, interval=False, remark=remark)


def _beside(ours: str, printed: float | None) -> str:
    """An improvement beside the paper's; Tr-DQN itself has none."""
    return "" if printed is None else f"{ours} / {printed:+.1f}"


def _improvement(made: Improvement | None, *, interval: bool = True) -> str:
    if made is None:
        return NOTHING
    if made.estimate is None:
        return "no number: Tr-DQN has 0"
    return estimate_in_words(made.estimate, marks=made.marks, signed=True, interval=interval)


def _difference(results: Results, agent: str, level: int, size: int) -> str:
    made = results.difference(agent, level, size)
    if made is None:
        return NOTHING
    both = (results.cell(each, level, size).records for each in (agent, BASELINE))
    return estimate_in_words(made, marks=marks_of(chain(*both)), signed=True)


def estimate_in_words(
    made: Estimate,
    *,
    marks: str = "",
    signed: bool = False,
    interval: bool = True,
    remark: bool = True,
) -> str:
    """A value, its marks, and its interval or range, or why not.

    Args:
        made: the value.
        marks: of what it is made of.
        signed: show a plus.
        interval: whether it should have one; what a single agent scored has none.
        remark: say what is missing.
    """
    form = "+.1f" if signed else ".1f"
    text = f"{made.mean:{form}}{marks}"
    if made.low is not None and made.high is not None:
        if made.is_range:
            return f"{text} ({made.low:{form}} to {made.high:{form}})"
        if made.low == made.high:  # nothing to resample, which does not make it certain
            return f"{text} (no interval: all alike)"
        return f"{text} [{made.low:{form}}, {made.high:{form}}]"
    if remark and not made.enough:
        return f"{text} ({counted(made.seeds, 'seed')}, too few)"
    if remark and interval:  # of enough seeds differences and ratios only can be without
        why = "a seed of Tr-DQN has 0" if made.is_unbounded else "few numbers"
        return f"{text} (no interval: {why})"
    return text


def _levels() -> tuple[str, ...]:
    return tuple(f"level {level}" for level in LEVELS)
