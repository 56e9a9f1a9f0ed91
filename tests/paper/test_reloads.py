"""How often the best weights came back is told as the trainings had it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from gata.evaluation.records import CurvePoint, Record
from gata.evaluation.reloads import reloads
from gata.paper.cells import Results
from gata.paper.reload_table import reload_table
from gata.rl import loop
from gata.rl.loop import Trainer
from gata.rl.opening import Job
from gata.training.run import METRICS_FILE, read_metrics
from tests.belief.networks import settings as network_settings
from tests.paper.short_runs import short_grid
from tests.paper.test_report import cells, variant

EVERY = 10
"""Episodes between evaluations."""


def with_curve(record: Record, scores: Sequence[float | None], *, patience: int = 3) -> Record:
    """The same run with these scores on the validation games."""
    points = (
        CurvePoint(EVERY * i, None, None, score, None) for i, score in enumerate(scores, start=1)
    )
    learning = replace(record.settings.learning, patience=patience)
    return replace(
        record,
        curve=tuple(points),
        episodes=EVERY * len(scores),
        settings=replace(record.settings, learning=learning),
    )


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([], 0),
        ([0.0, 0.0, 5.0], 0),
        # With a patience of 3 the fifth worse evaluation in a row is one too many.
        ([50, 40, 40, 40, 40], 0),
        ([50, 40, 40, 40, 40, 40], 1),
        ([50, *[40] * 9], 1),
        ([50, *[40] * 10], 2),
        # What is as good as the best is a new best.
        ([50, 40, 40, 40, 40, 50, 40, 40, 40, 40], 0),
        ([50, 40, 40, 40, 40, 40, 50, 40, 40, 40, 40, 40], 2),
        # And from a new best on, what was good enough before is not.
        ([50, 60, 50, 50, 50, 50, 50], 1),
        ([50, 40, 40, 40, 40, None, 40, None], 1),
    ],
)
def test_reloads_follow_the_curve(
    record: Record, scores: list[float | None], expected: int
) -> None:
    assert reloads(with_curve(record, scores)) == expected


def test_patience_is_that_of_the_run(record: Record) -> None:
    scores = [50, *[40] * 6]
    counts = [reloads(with_curve(record, scores, patience=n)) for n in (0, 1, 3, 100)]
    assert counts == [3, 2, 1, 0]


def test_a_training_counts_as_many_itself(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the scores alone comes what the loop did with them."""
    drawn = np.random.default_rng(3).integers(0, 5, 40)
    scores = iter(map(float, drawn))
    summarise = loop.summarise
    monkeypatch.setattr(loop, "summarise", lambda e: replace(summarise(e), score=next(scores)))
    (run,) = short_grid(episodes=160, evaluate_every=EVERY, parallel=5, patience=1)
    trainer = Job(run, tmp_path, network=network_settings()).open(torch.device("cpu"))
    assert isinstance(trainer, Trainer)
    told = trainer.train()
    lines = [line for line in read_metrics(tmp_path / METRICS_FILE) if line["kind"] == "valid"]
    found = reloads(with_curve(record, [line["score"] for line in lines], patience=1))
    assert found == told["reloads"] > 1


def test_a_cell_has_the_reloads_of_each_seed(record: Record) -> None:
    curves = ([50, *[40] * 9], [50, 60, *[40] * 8], [50] * 10)
    runs = [
        with_curve(variant(record, seed=seed), scores)
        for seed, scores in enumerate(curves, start=1)
    ]
    table = reload_table(Results(runs))
    row = cells(table, "tr-dqn")
    assert row["training games"] == "20"
    assert row["level 1"] == "1, 1, 0"
    assert row["level 2"] == "·"
