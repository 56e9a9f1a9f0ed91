"""The typed tables agree with what the paper itself derives from them, and with its source."""

from collections.abc import Iterable

import pytest

from gata.agents.presets import PRESETS
from gata.evaluation.statistics import relative_improvement
from gata.games.store import load_level
from gata.paper.pretraining import PAPER_SCORES
from gata.paper.probing import GROUPS
from gata.paper.probing import PAPER_SCORES as PROBING_SCORES
from gata.paper.scores import BASELINE, LEVELS, MAIN_ROWS, SIZES, TEST, TRAINING
from gata.paper.wall_clock import (
    AGENT_BATCH,
    AGENT_DAYS,
    PRETRAINING_BATCH,
    PRETRAINING_DAYS,
)
from gata.pretrain.settings import (
    ApSettings,
    CgSettings,
    CocSettings,
    DgiSettings,
    OgSettings,
    SpSettings,
)
from gata.rl.settings import LearningSettings

MISPRINTS = {
    ("test", "gtf-text-sp", "mean"): 1.0,
    ("training", "gtp-ap", 100): 0.21,
}
"""Where the paper's own improvement is not that of its own scores, and by how much at most."""

# Of columns, as ``checksum`` makes them; these come from the LaTeX source, not from what we typed.
SCORE_SUMS = {
    "test": {
        20: (26465.7, 12868.0, 12909.5, 6450.6, 9366.8),
        100: (27204.8, 17283.0, 19864.4, 8946.6, 14344.8),
        "improvements": (9358.9, 10481.4, 9892.8),
    },
    "training": {
        20: (32654.0, 19052.9, 26700.1, 11765.4, 22199.3),
        100: (26344.5, 16365.8, 26196.1, 11832.1, 18423.0),
        "improvements": (2147.0, 2385.6, 2265.7),
    },
}
PRETRAINING_SUMS = {"": 20.299, "-no-labels": 16.434}
BATCH_SUM, DAYS_SUM = 14_912, 274
PROBING_SUMS = {
    ("exact", "train"): (9.80, 13.17, 11.49),
    ("exact", "test"): (9.82, 13.04, 11.46),
    ("f1", "train"): (9.98, 13.08, 11.54),
    ("f1", "test"): (10.02, 13.04, 11.50),
}

PROBED = ("random", "ground-truth", "text-og", "og", "coc")
"""Rows of the table of probing."""
GRAPH_ENCODERS = ("ap-full", "ap-seen", "sp-full", "sp-seen", "dgi-full", "dgi-seen")
"""Rows of the table of pre-training scores."""
AGENT = "an action scorer, or a text baseline"
CLOCK_ROWS = ("og", "coc", AGENT, "cg", AGENT, AGENT, *GRAPH_ENCODERS, AGENT, AGENT, AGENT)
"""Of the table of wall clock times."""

TASKS = (OgSettings, CocSettings, CgSettings, ApSettings, SpSettings, DgiSettings)
TABLES = {"test": TEST, "training": TRAINING}
ROUNDING = 0.061
"""Scores and improvements are printed with one decimal."""


def checksum(column: Iterable[float]) -> float:
    """Sees a wrong number as well as two in each other's row: each counts as often as its row."""
    return sum(row * number for row, number in enumerate(column, start=1))


@pytest.mark.parametrize("table", TABLES)
def test_scores_and_improvements_are_those_of_the_source(table: str) -> None:
    rows, sums = TABLES[table].values(), SCORE_SUMS[table]
    nothing = (0.0, 0.0, 0.0)  # of Tr-DQN
    columns = {
        **{size: zip(*(row.scores(size) for row in rows), strict=True) for size in SIZES},
        "improvements": zip(*(row.improvements or nothing for row in rows), strict=True),
    }
    for part, numbers in columns.items():
        # All are printed with one decimal: what differs at all differs by 0.1 or more.
        assert [*map(checksum, numbers)] == pytest.approx(sums[part], rel=0, abs=0.05), part


@pytest.mark.parametrize("labels", PRETRAINING_SUMS)
def test_scores_of_pretrained_encoders_are_those_of_the_source(labels: str) -> None:
    typed = checksum(PAPER_SCORES[f"{name}{labels}"]["accuracy"] for name in GRAPH_ENCODERS)
    assert typed == pytest.approx(PRETRAINING_SUMS[labels], rel=0, abs=0.0005)


@pytest.mark.parametrize(("metric", "split"), PROBING_SUMS)
def test_probing_scores_are_those_of_the_source(metric: str, split: str) -> None:
    assert set(PROBING_SCORES) == set(PROBED)
    columns = [
        checksum(PROBING_SCORES[row][metric, split, group] for row in PROBED) for group in GROUPS
    ]
    assert columns == pytest.approx(PROBING_SUMS[metric, split], rel=0, abs=0.005)


def test_the_paper_tells_scores_of_updaters_in_sentences() -> None:
    """And those of command generation in a comment."""
    assert PAPER_SCORES["og"] == {"loss": 22.28, "f1": 0.68}
    assert PAPER_SCORES["coc"] == {"loss": 0.06, "accuracy": 0.97}
    assert [PAPER_SCORES[name] for name in ("cg", "cg-no-labels")] == [{"f1": 0.968}, {"f1": 0.910}]


def test_batches_and_days_are_those_of_the_source() -> None:
    batches, days = PRETRAINING_BATCH | {AGENT: AGENT_BATCH}, PRETRAINING_DAYS | {AGENT: AGENT_DAYS}
    assert set(days) == set(CLOCK_ROWS)
    assert checksum(batches[row] for row in CLOCK_ROWS) == BATCH_SUM
    assert checksum(days[row] for row in CLOCK_ROWS) == DAYS_SUM


@pytest.mark.parametrize("table", TABLES)
def test_printed_improvements_follow_from_printed_scores(table: str) -> None:
    rows = TABLES[table]
    for name, row in rows.items():
        if name == BASELINE:
            assert row.improvements is None
            continue
        ours = {
            size: relative_improvement(row.scores(size), rows[BASELINE].scores(size))
            for size in SIZES
        }
        ours["mean"] = sum(ours.values()) / len(SIZES)
        for place, printed in zip((*SIZES, "mean"), row.improvements, strict=True):
            allowed = MISPRINTS.get((table, name, place), ROUNDING)
            assert ours[place] == pytest.approx(printed, abs=allowed), (name, place)
            if (table, name, place) in MISPRINTS:
                assert abs(ours[place] - printed) > ROUNDING


@pytest.mark.parametrize("level", LEVELS[:4])
def test_test_scores_are_whole_points_of_our_test_games(level: int) -> None:
    points = sum(game.max_score for game in load_level(level, "test"))
    for name, row in TEST.items():
        for size in SIZES:
            scored = row.scores(size)[level - 1] * points / 100
            assert abs(scored - round(scored)) < 0.051 * points / 100, (name, size)


def test_rows_are_presets_in_one_order() -> None:
    assert list(TEST) == list(TRAINING)
    assert set(TEST) == {name for name in PRESETS if not name.endswith("-frozen")}
    assert set(MAIN_ROWS) <= set(TEST)


def test_main_rows_have_the_best_encoder_of_their_kind() -> None:
    best: dict[str, str] = {}
    for name, row in TEST.items():
        kind = "-".join(p for p in name.split("-") if p not in ("init", "ap", "sp", "dgi"))
        if kind not in best or row.improvements[2] > TEST[best[kind]].improvements[2]:
            best[kind] = name
    assert tuple(best[kind] for kind in best if kind != "gtf-text") == MAIN_ROWS


def test_every_pretrained_network_has_score_and_time() -> None:
    assert set(PRETRAINING_DAYS) == set(PRETRAINING_BATCH)
    assert set(PRETRAINING_DAYS) == {n for n in PAPER_SCORES if not n.endswith("-no-labels")}


def test_batches_are_the_papers() -> None:
    tasks = {settings.task: settings for settings in TASKS}
    for name, batch in PRETRAINING_BATCH.items():
        assert tasks[name.partition("-")[0]]().batch == batch, name
    assert LearningSettings().batch == AGENT_BATCH
