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
from gata.evaluation.table import Table
from gata.paper.fresh_table import OF_ERRORS, OTHER_GAMES, fresh_table
from gata.paper.score_tables import estimate_in_words
from gata.rl.settings import Games, LearningSettings, TrainSettings
from tests.paper.test_report import cells, variant

WINS = {1: "1101", 2: "1001", 3: "1000"}
"""Which of four games with a point each a seed wins."""


TRAINED = "2026-11-16T16:00:16+00:00"


def fresh(
    agent: str = "tr-dqn",
    seed: int = 1,
    points: str = "1101",
    level: int = 1,
    games: Games = "20",
    **changes,
) -> FreshRecord:
    learning = LearningSettings(**changes)
    settings = TrainSettings(agent=agent, level=level, games=games, seed=seed, learning=learning)
    texts = dict.fromkeys(("command", "hardware", "gata", "code", "torch", "python"), "")
    return FreshRecord(
        name=settings.name,
        settings=settings,
        agent=find(agent),
        played=f"level{level}/fresh/{len(points)}",
        games_sha256="0" * 64,
        worlds=len(points),
        points=points,
        max_points="1" * len(points),
        steps=4.0,
        weights_sha256="0" * 64,
        trained=TRAINED,
        date=TRAINED,
        **texts,
    )


def table_of(folder: Path, *records: FreshRecord, known: tuple[Record, ...] = ()) -> Table:
    for record in records:
        write_fresh_record(record, folder)
    return fresh_table(folder, known)


def rows_of(table: Table, agent: str) -> list[dict[str, str]]:
    return [
        dict(zip(table.columns, row, strict=True)) for row in table.rows if row[0] == f"`{agent}`"
    ]


def test_one_agent_has_an_error_over_games(tmp_path: Path) -> None:
    row = cells(table := table_of(tmp_path, fresh()), "tr-dqn")
    # Of one number in 1, 1, 0, 1; the variance is that of a sample.
    assert row["score"] == row["won"] == f"75.0 ± {100 * sqrt(3 / 16 / 3):.1f}"
    assert (row["level"], row["trained on"], row["seed"], row["fresh games"]) == (*"1", "20", *"14")
    assert (row["paper's test games"], row["above Tr-DQN"]) == ("·", "·")
    assert table.notes == (OF_ERRORS,)
    assert table_of(tmp_path / "none").rows == ()


def test_games_of_the_same_world_are_told(tmp_path: Path) -> None:
    row = cells(table_of(tmp_path, replace(fresh(), worlds=3)), "tr-dqn")
    assert row["fresh games"] == "4\n3 different"


def test_seeds_have_a_row_each_and_one_for_all(tmp_path: Path) -> None:
    seeds = (fresh(seed=seed, points=WINS[seed]) for seed in (3, 1, 2))
    *single, every = rows_of(table_of(tmp_path, *seeds), "tr-dqn")
    assert [(row["seed"], row["score"].partition(" ±")[0]) for row in single] == [
        ("1", "75.0"),
        ("2", "50.0"),
        ("3", "25.0"),
    ]
    assert {row["above Tr-DQN"] for row in single} == {""}
    matrix = [[100.0 * int(each) for each in WINS[seed]] for seed in (1, 2, 3)]
    assert (every["seed"], every["score"]) == ("all", estimate_in_words(estimate(matrix)))
    assert every["won"] == every["score"]


def test_points_and_wins_are_not_the_same(tmp_path: Path) -> None:
    half = replace(fresh(points="2100"), max_points="2222")
    row = cells(table_of(tmp_path, half), "tr-dqn")
    assert (row["score"].split()[0], row["won"].split()[0]) == ("37.5", "25.0")


def test_the_papers_games_are_those_of_the_same_run(record: Record, tmp_path: Path) -> None:
    """Of the same name may be another training: with other settings, or at another time."""
    known = tuple(variant(record, seed=seed, test=5 * seed) for seed in (1, 2))
    mine = replace(fresh(seed=2), settings=known[1].settings, trained=known[1].date)
    row = cells(table_of(tmp_path / "same", mine, known=known), "tr-dqn")
    assert row["paper's test games"].startswith("50.0† ± 11.")
    for number, other in enumerate(
        (replace(mine, trained=TRAINED), replace(mine, settings=fresh(seed=2).settings))
    ):
        row = cells(table_of(tmp_path / str(number), other, known=known), "tr-dqn")
        assert row["paper's test games"] == "·"


def test_agents_are_compared_on_the_same_games_only(tmp_path: Path) -> None:
    row = cells(table_of(tmp_path, fresh(), fresh("gtf", points="1111")), "gtf")
    assert row["above Tr-DQN"] == f"+25.0 ± {100 * sqrt(3 / 16 / 3):.1f}"
    assert (
        cells(table_of(tmp_path, fresh("gtf", points="11")), "gtf")["above Tr-DQN"] == OTHER_GAMES
    )
    other = replace(fresh("gtf", points="1111"), games_sha256="1" * 64)
    with pytest.raises(GataError, match="both played level1/fresh/4, but differ in games_sha256"):
        table_of(tmp_path, other)


def test_tr_dqn_is_that_of_the_same_level_and_training_set(tmp_path: Path) -> None:
    """In the order of agents, levels, sizes and seeds, whatever files are called."""
    wins = {(1, "20"): "1000", (1, "100"): "1100", (2, "20"): "1110", (2, "100"): "1111"}
    baselines = [
        fresh(points=points, level=level, games=games) for (level, games), points in wins.items()
    ]
    others = [fresh("gtf", seed, "0000", level, games) for level, games in wins for seed in (10, 2)]
    table = table_of(tmp_path, *others, *baselines)
    assert [row[:4] for row in table.rows] == [
        (f"`{agent}`", str(level), games, seed)
        for agent, seeds in (("tr-dqn", ("1",)), ("gtf", ("2", "10", "all")))
        for level, games in wins
        for seed in seeds
    ]
    every = [row for row in rows_of(table, "gtf") if row["seed"] == "all"]
    assert [row["above Tr-DQN"].split()[0] for row in every] == [
        "-25.0",
        "-50.0",
        "-75.0",
        "-100.0",
    ]


def test_a_mark_is_that_of_either_side(tmp_path: Path) -> None:
    row = cells(table_of(tmp_path, fresh(clip=1.0), fresh("gtf", points="1111")), "gtf")
    assert row["score"].startswith("100.0 (")
    assert row["above Tr-DQN"].startswith("+25.0† ±")


def test_three_seeds_of_both_have_an_interval(tmp_path: Path) -> None:
    theirs = [fresh(seed=seed, points=WINS[seed]) for seed in (1, 2, 3)]
    ours = [fresh("gtf", seed, "1111" if seed < 3 else "0111") for seed in (1, 2, 3)]
    *_, every = rows_of(table_of(tmp_path, *ours, *theirs), "gtf")
    made = difference(*(np.array([each.scores for each in side]) for side in (ours, theirs)))
    assert made.low is not None
    assert every["above Tr-DQN"] == estimate_in_words(made, signed=True)


def test_games_that_are_all_won_have_no_error(tmp_path: Path) -> None:
    row = cells(table_of(tmp_path, fresh(points="1111"), fresh("gtf", points="1111")), "gtf")
    assert row["score"] == "100.0 (all alike)"
    assert row["above Tr-DQN"] == "+0.0 (all alike)"


def test_other_learning_settings_are_marked(tmp_path: Path) -> None:
    row = cells(table_of(tmp_path, fresh(clip=1.0)), "tr-dqn")
    assert row["score"].startswith("75.0† ±")


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
