"""The typed tables agree with what the paper itself derives from them."""

import pytest

from gata.agents.presets import PRESETS
from gata.evaluation.statistics import relative_improvement
from gata.games.store import load_level
from gata.paper.pretraining import PAPER_SCORES
from gata.paper.scores import BASELINE, LEVELS, MAIN_ROWS, SIZES, TEST, TRAINING
from gata.paper.wall_clock import AGENT_BATCH, PRETRAINING_BATCH, PRETRAINING_DAYS
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

TASKS = (OgSettings, CocSettings, CgSettings, ApSettings, SpSettings, DgiSettings)
TABLES = {"test": TEST, "training": TRAINING}
ROUNDING = 0.061
"""Scores and improvements are printed with one decimal."""


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
