"""``gata report``: what it leaves alone, and what it says."""

import shutil
from pathlib import Path

import pytest

from tests.cli.test_games import run

ROOT = Path(__file__).parents[2]
NAME = "tr-dqn-level1-100games-seed1"
ENGINE = "<!-- begin figures: gata report engine -->\ntheirs\n<!-- end figures -->\n"
MARKED = "<!-- begin figures: gata report departures -->\nold\n<!-- end figures -->\n"


def test_a_report_that_cannot_be_written_leaves_the_pages_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, results = tmp_path / "README.md", tmp_path / "results"
    page.write_text(MARKED)
    (results / "agents").mkdir(parents=True)
    where = ("--results", str(results), "--root", str(tmp_path), "--no-beliefs")
    for output, said in ((page, 2), (page / "folder", 2)):
        code, _, errors = run(capsys, "report", *where, "-o", str(output))
        assert code == said
        assert "README.md is a file, expected a folder" in errors
        assert page.read_text() == MARKED
    code, _, errors = run(capsys, "report", *where, "-o", "/proc/nope")
    assert code == 2
    assert errors.startswith("gata: --output /proc/nope: cannot write there (")
    assert page.read_text() == MARKED
    assert run(capsys, "report", *where, "-o", str(tmp_path / "out"))[0] == 0
    assert "There are no runs yet." in page.read_text()


def test_a_check_of_nothing_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "agents").mkdir()
    where = ("--results", str(tmp_path))
    code, _, errors = run(capsys, "report", *where, "--check")
    assert code == 2
    assert "--root says whose pages to check" in errors
    code, _, errors = run(capsys, "report", *where, "--root", str(tmp_path), "--check")
    assert code == 2
    assert "have no marks to check" in errors


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where somebody has one record and nothing else; here are pages with two figures."""
    agents = tmp_path / "own" / "agents"
    agents.mkdir(parents=True)
    shutil.copy(ROOT / "results" / "agents" / f"{NAME}.json", agents)
    (tmp_path / "README.md").write_text(MARKED + ENGINE)
    monkeypatch.chdir(tmp_path)
    return Path("own")


def test_own_results_make_a_report_and_change_no_page(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, output, errors = run(capsys, "report", "--results", str(own), "--no-beliefs")
    assert code == 0
    assert errors == "no page is changed: --results is own, --root is not given\n"
    assert Path("README.md").read_text() == MARKED + ENGINE
    assert output.splitlines()[0] == "runs/report/report.html"
    page = Path("runs/report/report.html").read_text(encoding="utf-8")
    assert "<h2>Test scores, 100 training games</h2>" in page
    assert "<h2>The engine</h2>" not in page
    empty = "Fresh test games; Controls; Corpora for pre-training; Pre-training; Probing"
    assert f"no raw files for the tables: {empty}, counterparts from any game" in page


def test_tables_without_raw_files_stay_and_cannot_be_checked(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ("--results", str(own), "--root", ".")
    code, _, errors = run(capsys, "report", *where, "--no-beliefs")
    assert code == 0
    assert errors.splitlines() == [
        "README.md: written",
        "README.md: engine stays as it is, there is no own/engine/bench.json",
    ]
    made = Path("README.md").read_text()
    assert made.endswith(ENGINE)
    assert "(`--parallel`, by default 25): 256 in 1 run." in made
    code, _, errors = run(capsys, "report", *where, "--check")
    told = "README.md: engine cannot be checked, there is no own/engine/bench.json\n"
    assert (code, errors) == (1, told)
    Path("README.md").write_text(made.removesuffix(ENGINE))
    code, _, errors = run(capsys, "report", *where, "--check")
    assert (code, errors) == (0, "1 page is what own says\n")


def test_a_folder_without_raw_results_is_refused(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, errors = run(capsys, "report", "--results", str(own / "agents"))
    assert code == 2
    told = "own/agents: no raw results, expected a folder with agents, controls, engine, fresh,"
    assert f"{told} pretrain, probe\n" in errors


def test_a_file_for_a_folder_is_told(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--results", "--root"):
        code, _, errors = run(capsys, "report", option, "README.md")
        assert (code, errors) == (2, "gata: README.md is a file, expected a folder\n")
    code, _, errors = run(capsys, "report", "--results", str(own), "--root", "gone")
    assert (code, errors) == (2, "gata: gone: no such folder, expected that of a repository\n")
    for part in ("agents", "fresh"):
        broken = Path(f"broken-{part}")
        broken.mkdir()
        (broken / part).write_text("mine")
        before = Path("README.md").read_text()
        code, _, errors = run(capsys, "report", "--results", str(broken), "--root", ".")
        assert (code, errors) == (2, f"gata: {broken / part} is a file, expected a folder\n")
        assert Path("README.md").read_text() == before
