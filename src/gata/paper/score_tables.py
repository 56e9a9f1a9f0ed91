"""The paper's tables of scores, ours beside its own: where it has a number, "ours / paper"."""

from collections import Counter

from gata.evaluation.statistics import Estimate, estimate
from gata.evaluation.table import NOTHING, Table
from gata.paper.cells import Cell, Improvement, Results
from gata.paper.counting import counted, two_digits
from gata.paper.hardware import short_name
from gata.paper.scores import BASELINE, LEVELS, MAIN_ROWS, SIZES, TEST, TRAINING
from gata.rl.settings import LearningSettings

DEPARTS = "†"
"""Marks what was not run with the paper's learning settings."""

COMMON_DEPARTURES = (
    "word vectors are GloVe's of 100 numbers, the paper's fastText's of 300",
    "updaters and graph encoders were pre-trained with other batches and schedules than the paper's"
    " (docs/pretraining.md), and the heads of AP and SP are others",
    "layers differ where paper and authors' code leave a choice (docs/networks.md)",
)
"""What is not as in the paper in all runs, so that nothing marks it."""


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
    """Of all that was run: points of test score above Tr-DQN on the same games, all seeds."""
    rows = []
    for agent in TEST:
        if agent == BASELINE or not any(results.row(agent, size)):
            continue
        made = (results.difference(agent, level, size) for level in LEVELS)
        cells = [NOTHING if each is None else estimate_in_words(each, signed=True) for each in made]
        rows.append((f"`{agent}`", *cells))
    return Table(("agent", *_levels()), tuple(rows))


def training_table(results: Results, size: int) -> Table:
    """The best point of the training curves, means over seeds, games won there, wall clock."""
    rows = []
    for agent, paper in TRAINING.items():
        cells = []
        for cell, score in zip(results.row(agent, size), paper.scores(size), strict=True):
            ours = cell.training_scores
            text = estimate_in_words(estimate(ours), departs=cell.departs) if ours.size else NOTHING
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


def departures(results: Results) -> list[str]:
    """Learning settings that are not the paper's: a line per kind, and the runs it is of."""
    runs: dict[str, list[str]] = {}
    for record in results.records:
        if found := record.departures():
            runs.setdefault("; ".join(found), []).append(record.name)
    return [f"{what}: {', '.join(f'`{name}`' for name in names)}" for what, names in runs.items()]


def games_at_once(results: Results) -> str:
    """How many games the runs played at once, in a sentence: no departure, but not the default."""
    counts = Counter(record.settings.learning.parallel for record in results.records)
    told = ", ".join(f"{games} in {counted(runs, 'run')}" for games, runs in sorted(counts.items()))
    return f"Games played at once (`--parallel`, by default {LearningSettings().parallel}): {told}."


def codes(results: Results) -> str:
    """Which code the runs were made with, in a sentence."""
    counts = Counter(record.code or "" for record in results.records)
    told = [
        f"{counted(runs, 'run')} of {f'`{code}`' if code else 'code that is not recorded'}"
        for code, runs in sorted(counts.items())
    ]
    return f"Fingerprints of the source: {', '.join(told)}."


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
    return estimate_in_words(best, departs=cell.departs, interval=False, remark=remark)


def _beside(ours: str, printed: float | None) -> str:
    """An improvement beside the paper's; Tr-DQN itself has none."""
    return "" if printed is None else f"{ours} / {printed:+.1f}"


def _improvement(made: Improvement | None, *, interval: bool = True) -> str:
    if made is None:
        return NOTHING
    if made.estimate is None:
        return "no number: Tr-DQN has 0"
    return estimate_in_words(made.estimate, departs=made.departs, signed=True, interval=interval)


def estimate_in_words(
    made: Estimate,
    *,
    departs: bool = False,
    signed: bool = False,
    interval: bool = True,
    remark: bool = True,
) -> str:
    """A value, its mark if it departs from the paper, and its interval or range, or why not.

    Args:
        made: the value.
        departs: whether what it is made of does.
        signed: show a plus.
        interval: whether it should have one; what a single agent scored has none.
        remark: say what is missing.
    """
    form = "+.1f" if signed else ".1f"
    text = f"{made.mean:{form}}{DEPARTS if departs else ''}"
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
