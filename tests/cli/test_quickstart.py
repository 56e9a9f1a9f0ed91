"""The main job as a user types it, cut short."""

import json
import re
import sys
from pathlib import Path

import pytest

from gata.evaluation import quickstart
from tests.cli.test_games import run
from tests.evaluation.test_quickstart import SHORT


def test_quickstart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(quickstart, "LEARNING", SHORT)
    folder = tmp_path / "out"
    arguments = ("quickstart", "--episodes", "3", "-o", str(folder))
    code, output, errors = run(capsys, *arguments)
    assert code == 0
    assert "played by the agent that was just trained" in output
    assert "\nagent\tgames\tscore %\twon %\tsteps\tvalidation %\nrandom\t100\t" in output
    assert "20 games are few" in errors
    assert f"the report is in {folder / 'report.html'}" in errors
    assert (folder / "report.html").exists()
    # What it proposes can be done.
    assert "scouts 30 random episodes, plays 3 of its own" in errors
    assert "20 unseen games; 6 would take 4 to 8 minutes" in errors
    proposal = re.search(r"gata (play \S+ \S+)", errors)
    assert proposal is not None
    code, _, problem = run(capsys, *proposal[1].split(), "--step-limit", "1")
    assert code == 0, problem

    # Who has not activated the environment types the program's path.
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(sys, "argv", [str(Path(".venv/bin/gata").absolute())])
    code, output, errors = run(capsys, *arguments, "--json")
    assert code == 0
    assert "what next: .venv/bin/gata play " in errors
    told = json.loads(output)
    assert {"random", "walkthrough"} < told["scores"].keys()
    assert all(summary["games"] in (20, 100) for summary in told["scores"].values())
    assert told["scores"]["GATA, just trained"]["valid"] == told["training"]["valid"]
    assert told["scores"]["random"]["standard_error"] > 0
    assert told["training"]["name"] == "gata-coc-text-level1-20games-seed1"
    assert "nothing to do" in errors

    for other in (["--episodes", "4"], ["--episodes", "3", "--seed", "2"]):
        code, _, errors = run(capsys, "quickstart", *other, "-o", str(folder))
        assert code == 2
        assert "settings.json" in errors
