"""The table of fresh games, from records of several agents and seeds."""

from dataclasses import replace
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from gata.agents.presets import find
from gata.errors import GataError
from gata.evaluation.fresh import FreshRecord, write_fresh_record
from gata.evaluation.records import Record
from gata.evaluation.statistics import difference, estimate
from gata.paper.cells import Results
from gata.paper.fresh_table import OF_ERRORS, fresh_table
from gata.paper.score_tables import estimate_in_words
from gata.rl.settings import LearningSettings, TrainSettings
from tests.paper.test_report import cells, variant

WINS = {1: "1101", 2: "1001", 3: "1000"}
"""Which of four games with a point each a seed wins."""


def fresh(agent: str = "tr-dqn", seed: int = 1, points: str = "1101", **changes) -> FreshRecord:
    settings = TrainSettings(agent=agent, level=1, games="20", seed=seed)
    learning = LearningSettings(**changes)
    settings = replace(settings, learning=learning)
    return FreshRecord(
        name=settings.name,
        settings=settings,
        agent=find(agent),
        played=f"level1/fresh/{len(points)}",
        games_sha256="0" * 64,
        points=points,
        max_points="1" * len(points),
        steps=5.0,
        weights_sha256="0" * 64,
        command="",
        date="",
        hardware="",
        gata="",
        code="",
        torch="",
        python="",
    )


def table_of(folder: Path, *records: FreshRecord, known: tuple[Record, ...] = ()):
    for record in records:
        write_fresh_record(record, folder)
    return fresh_table(folder, Results(known))


def test_one_agent_has_an_error_over_games(tmp_path: Path) -> None:
    row = cells(table := table_of(tmp_path, fresh()), "tr-dqn")
    error = 100 * sqrt(3 / 16 / 3)  # of one number in 1, 1, 0, 1; the variance is that of a sample
    assert row["score on them"] == row["won"] == f"seed 1: 75.0 ± {error:.1f}"
    assert (row["level"], row["training games"], row["fresh games"]) == ("1", "20", "4")
    assert row["score on the paper's test games"] == "·"
    assert row["points more than Tr-DQN on fresh games"] == "·"
    assert table.notes == (OF_ERRORS,)
    assert table_of(tmp_path / "none").rows == ()


def test_seeds_have_a_line_each_and_one_for_all(tmp_path: Path) -> None:
    row = cells(table_of(tmp_path, *(fresh(seed=s, points=WINS[s]) for s in (3, 1, 2))), "tr-dqn")
    lines = row["score on them"].split("\n")
    assert [line.partition(" ±")[0] for line in lines[:3]] == [
        "seed 1: 75.0",
        "seed 2: 50.0",
        "seed 3: 25.0",
    ]
    matrix = [[100.0 * int(each) for each in WINS[seed]] for seed in (1, 2, 3)]
    assert lines[3] == f"all: {estimate_in_words(estimate(matrix))}"


def test_the_papers_games_are_those_of_the_same_seeds(record: Record, tmp_path: Path) -> None:
    known = tuple(variant(record, seed=seed, test=5 * seed) for seed in (1, 2))
    row = cells(table_of(tmp_path, fresh(seed=2), known=known), "tr-dqn")
    assert row["score on the paper's test games"].startswith("seed 2: 50.0† ± 11.")


def test_agents_are_compared_on_the_same_games_only(tmp_path: Path) -> None:
    column = "points more than Tr-DQN on fresh games"
    row = cells(table_of(tmp_path, fresh(), fresh("gtf", points="1111")), "gtf")
    assert row[column] == f"+25.0 ± {100 * sqrt(3 / 16 / 3):.1f}"
    other = replace(fresh("gtf", points="1111"), games_sha256="1" * 64)
    assert cells(table_of(tmp_path, other), "gtf")[column] == "·"


def test_three_seeds_of_both_have_an_interval(tmp_path: Path) -> None:
    theirs = [fresh(seed=seed, points=WINS[seed]) for seed in (1, 2, 3)]
    ours = [fresh("gtf", seed, "1111" if seed < 3 else "0111") for seed in (1, 2, 3)]
    row = cells(table_of(tmp_path, *ours, *theirs), "gtf")
    made = difference(*(np.array([each.scores for each in side]) for side in (ours, theirs)))
    assert made.low is not None
    found = row["points more than Tr-DQN on fresh games"]
    assert found == estimate_in_words(made, signed=True)


def test_games_that_are_all_won_have_no_error(tmp_path: Path) -> None:
    row = cells(table_of(tmp_path, fresh(points="1111"), fresh("gtf", points="1111")), "gtf")
    assert row["score on them"] == "seed 1: 100.0 (all alike)"
    assert row["points more than Tr-DQN on fresh games"] == "+0.0 (all alike)"


def test_other_learning_settings_are_marked(tmp_path: Path) -> None:
    row = cells(table_of(tmp_path, fresh(clip=1.0)), "tr-dqn")
    assert row["score on them"].startswith("seed 1: 75.0† ±")


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (fresh(seed=2, clip=1.0), "differ in settings.learning.clip"),
        (replace(fresh(seed=2), games_sha256="1" * 64), "differ in games_sha256"),
    ],
)
def test_seeds_that_have_not_all_in_common_are_refused(
    other: FreshRecord, told: str, tmp_path: Path
) -> None:
    with pytest.raises(GataError, match=told):
        table_of(tmp_path, fresh(), other)
