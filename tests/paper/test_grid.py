"""The runs behind a table."""

import pytest

from gata.errors import UsageError
from gata.paper.grid import grid
from gata.paper.scores import MAIN_ROWS


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


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"rows": ("gtf",)}, r"no row 'gtf'; --table test-full has; `.* --plan` lists its rows$"),
        ({"rows": ("tr-dnq",)}, r"no row 'tr-dnq' \(did you mean tr-dqn"),
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
