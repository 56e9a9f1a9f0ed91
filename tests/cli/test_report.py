"""``gata report``: what it leaves alone when it cannot work."""

from pathlib import Path

import pytest

from tests.cli.test_games import run

MARKED = "<!-- begin figures: gata report departures -->\nold\n<!-- end figures -->\n"


def test_a_report_that_cannot_be_written_leaves_the_pages_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, results = tmp_path / "README.md", tmp_path / "results"
    page.write_text(MARKED)
    results.mkdir()
    where = ("--results", str(results), "--root", str(tmp_path), "--no-beliefs")
    code, _, errors = run(capsys, "report", *where, "-o", str(page))
    assert code == 1
    assert "README.md" in errors
    assert page.read_text() == MARKED
    assert run(capsys, "report", *where, "-o", str(tmp_path / "out"))[0] == 0
    assert "There are no runs yet." in page.read_text()


def test_a_check_of_nothing_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = ("--results", str(tmp_path), "--root", str(tmp_path))
    code, _, errors = run(capsys, "report", *where, "--check")
    assert code == 2
    assert "have no marks to check" in errors
