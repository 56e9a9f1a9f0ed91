"""The main job."""

import json

import pytest

from gata.cli import main


def test_quickstart_plays_every_level(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["quickstart", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    scores = {(row["level"], row["agent"]): row for row in rows}
    assert set(scores) == {(n, a) for n in range(1, 6) for a in ("random", "walkthrough")}
    for (level, agent), row in scores.items():
        assert row["test games"] == (80 if level == 5 else 20)
        if agent == "walkthrough":
            assert (row["score %"], row["won %"]) == (100, 100)
        else:
            assert 0 < row["score %"] < 50
