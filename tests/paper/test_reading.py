"""What the results say of reading and guessing comes out again, for an agent in the package."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
TOOL = ROOT / "tools" / "reading_or_guessing.py"


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(TOOL), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_an_agent_of_the_package_ends_its_games_as_recorded() -> None:
    name = "tr-dqn-level1-100games-seed1"
    recorded = json.loads((ROOT / "results/analysis/reading_level1.json").read_text("utf-8"))
    (expected,) = (row for row in recorded["agents"] if row["agent"] == f"runs/train/{name}")
    found = json.loads(run("1", f"agent/{name}").stdout)
    assert found["agents"] == [{**expected, "agent": f"agent/{name}"}]
    assert found["guessing"] == recorded["guessing"]


def test_other_games_of_the_level_can_be_looked_at() -> None:
    """Of the training games a guesser who learnt from them is told twice, by two names."""
    found = json.loads(run("1", "--games", "level1/train").stdout)
    assert found["agents"] == []
    assert found["guessing"]["level1/train"] == found["guessing"]["train"]
    assert found["command"].endswith("guessing.py 1 --games level1/train")
    assert len(found["guessed"]) == 100
    assert np.mean(found["guessed"]) == pytest.approx(found["guessing"]["train"]["score"])


def test_sets_that_are_not_there_are_told() -> None:
    result = run("1", "--games", "level1/frsh")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("unknown game set 'level1/frsh'")
    assert result.stderr.count("\n") == 1
    result = run("1", "--games", "level2/test")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == "level2/test: level2/test/56274 is no game of level 1\n"


def test_other_levels_are_refused() -> None:
    result = run("3", "agent/gtf-sp-level3-100games-seed3")
    assert result.returncode == 2
    assert "argument level: invalid choice: 3" in result.stderr
