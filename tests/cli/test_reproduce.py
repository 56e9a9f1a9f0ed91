"""``gata reproduce | report`` as a user types them."""

import json
from pathlib import Path

import pytest

from tests.cli.test_games import run

GRID = ("--rows", "tr-dqn", "--levels", "1", "--games", "20", "--seeds", "1")
SHORT = ("--episodes", "4", "--step-limit", "6", "--parallel", "2", "--replay", "100")


def test_plan_run_and_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command = ("reproduce", "--table", "test", *GRID, *SHORT, "--device", "cpu")
    code, output, errors = run(capsys, *command, "--plan", "--price", "2", "--json")
    assert code == 0
    (planned,) = json.loads(output)
    assert planned["name"] == "tr-dqn-level1-20games-seed1"
    assert (planned["state"], planned["hours"], planned["cost"]) == ("to do", None, None)
    assert "unknown" in errors

    code, output, _ = run(capsys, *command, "--json")
    assert code == 0
    (done,) = json.loads(output)
    record = Path("results/agents/tr-dqn-level1-20games-seed1.json")
    before = record.read_bytes()

    code, output, _ = run(capsys, *command, "--plan", "--price", "2", "--json")
    (planned,) = json.loads(output)
    assert planned["state"] == "done"
    assert planned["hours"] == pytest.approx(done["hours"])
    assert planned["cost"] == pytest.approx(2 * done["hours"])
    code, output, errors = run(capsys, *command)
    assert (code, output) == (0, "")
    assert "1 done, 0 to run" in errors

    page = Path("README.md")
    page.write_text("<!-- begin figures: gata report test-20 -->\n<!-- end figures -->\n")
    code, _, errors = run(capsys, "report", "--check")
    assert code == 1
    assert "README.md" in errors
    code, output, _ = run(capsys, "report", "-o", "out", "--no-beliefs")
    assert code == 0
    assert (
        f"| `tr-dqn` | {done['test score %']:.1f}† (1 seed, too few) / 66.2 |" in page.read_text()
    )
    assert Path("out/report.html").exists()
    assert run(capsys, "report", "--check")[0] == 0
    assert record.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("reproduce", "--rows", "tr-dnq", "--plan"), "tr-dnq"),
        (("reproduce", "--levels", "7", "--plan"), "7"),
        (("reproduce", "--seeds", "0", "--plan"), "seeds is 0"),
        (("report", "--results", "nowhere"), "nowhere"),
    ],
)
def test_mistakes_are_told(arguments, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, errors = run(capsys, *arguments)
    assert code == 2
    assert told in errors


def test_a_damaged_record_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "agents" / "tr-dqn-level1-20games-seed1.json"
    record.parent.mkdir()
    record.write_text('{"name": 3}')
    code, _, errors = run(capsys, "report", "--results", str(tmp_path), "--root", str(tmp_path))
    assert code == 1
    assert f"{record}: name is 3, expected text" in errors
