"""The runs behind a table."""

import pytest

from gata.agents.presets import PRESETS
from gata.errors import UsageError
from gata.paper.grid import Table, grid, rows_of
from gata.paper.scores import MAIN_ROWS, TEST


def test_a_grid_is_rows_by_levels_by_sizes_by_seeds() -> None:
    runs = grid("test")
    assert len(runs) == len({run.name for run in runs}) == len(MAIN_ROWS) * 5 * 2 * 3
    assert len(grid("training")) == 27 * 5 * 2 * 3
    some = grid("test", rows=("gtf-sp", "tr-dqn"), levels=(2, 1), games=("100",), seeds=2)
    assert [run.name for run in some][:3] == [
        "gtf-sp-level2-100games-seed1",
        "gtf-sp-level2-100games-seed2",
        "tr-dqn-level2-100games-seed1",
    ]
    assert len(some) == 8


def test_agents_without_a_row_in_the_paper_have_a_table_of_their_own() -> None:
    assert set(rows_of("beyond")) == PRESETS.keys() - TEST.keys()
    runs = grid("beyond", rows=("gata-coc-init-frozen",), levels=(1,), games=("unlimited",))
    assert [run.name for run in runs] == [
        f"gata-coc-init-frozen-level1-unlimitedgames-seed{seed}" for seed in (1, 2, 3)
    ]
    # By default the kin of the short table's rows: few, and all that have trained encoders.
    trained = [row for row in MAIN_ROWS if PRESETS[row].encoder is not None]
    assert [run.agent for run in grid("beyond", levels=(1,), games=("20",), seeds=1)] == [
        f"{row}-frozen" for row in trained
    ]


def test_agents_of_the_paper_can_have_other_training_sets() -> None:
    (run,) = grid("test", rows=("tr-dqn",), levels=(1,), games=("unlimited",), seeds=1)
    assert run.training_set == "level1/unlimited"


def test_rows_that_are_named_can_be_of_any_table() -> None:
    rows = ("gtf", "gtf-sp-frozen", "tr-dqn")
    tables: tuple[Table, ...] = ("test", "test-full", "training", "beyond")
    for table in tables:
        runs = grid(table, rows=rows, levels=(1,), games=("20",), seeds=1)
        assert tuple(run.agent for run in runs) == rows


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"rows": ("tr-dqn", "x")}, r"no row is called 'x'; `gata agents` lists all$"),
        ({"rows": ("tr-dnq",)}, r"no row is called 'tr-dnq' \(did you mean tr-dqn"),
        ({"rows": ("gtf-sp-forzen",)}, r"\(did you mean gtf-sp-frozen"),
        ({"rows": ()}, "rows is an empty list"),
        ({"levels": ()}, "levels is an empty list"),
        ({"games": ()}, "games is an empty list"),
        ({"levels": (6,)}, "6"),
        ({"games": ("1",)}, "level 5"),
        ({"seeds": 0}, "seeds is 0"),
    ],
)
def test_a_grid_that_cannot_be_is_refused(wrong: dict, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        grid("test", **wrong)
