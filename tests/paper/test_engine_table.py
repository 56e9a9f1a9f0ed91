"""The table of engine speeds."""

import json
from pathlib import Path

import pytest

from gata.errors import GataError
from gata.paper.engine_table import engine_table


def speed(engine: str, games: str, rate: float | None, batch: int = 1) -> dict:
    return {
        "engine": engine,
        "games": games,
        "batch": batch,
        "threads": 1,
        "steps_per_second": rate,
    }


def test_ratios_are_to_textworld_on_the_same_games(tmp_path: Path) -> None:
    path = tmp_path / "bench.json"
    speeds = [
        speed("TextWorld", "level1/valid", 100.0),
        speed("gata", "level1/valid", 250_000.0, 256),
        speed("TextWorld", "level4/valid", 50.0),
        speed("gata", "level4/valid", None, 256),
    ]
    path.write_text(json.dumps({"speeds": speeds}))
    table = engine_table(path)
    assert table.columns == ("engine", "games at once", "threads", "level1/valid", "level4/valid")
    assert table.rows == (
        ("TextWorld", "1", "1", "100 (1x)", "50 (1x)"),
        ("gata", "256", "1", "250,000 (2,500x)", "·"),
    )


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "bench.json"
    path.write_text("{}")
    with pytest.raises(GataError, match=r"bench\.json: not the report of gata bench engine"):
        engine_table(path)
    for rate in (0, "fast"):
        path.write_text(json.dumps({"speeds": [speed("gata", "level1/valid", rate)]}))
        with pytest.raises(GataError, match=r"bench\.json: steps_per_second is .*above 0"):
            engine_table(path)
