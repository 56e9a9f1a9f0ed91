"""``gata reproduce | report`` as a user types them."""

import json
import platform
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from gata.agents.presets import PRESETS
from tests.cli.test_games import run

GRID = ("--rows", "tr-dqn", "--levels", "1", "--games", "20", "--seeds", "1")
SHORT = ("--episodes", "4", "--step-limit", "6", "--parallel", "2", "--replay", "100")


def test_plan_run_and_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command = ("reproduce", "--table", "test", *GRID, *SHORT, "--results", "results")
    command = (*command, "--device", "cpu")
    code, output, errors = run(capsys, *command, "--plan", "--price", "2", "--json")
    assert code == 0
    (planned,) = json.loads(output)
    assert planned["name"] == "tr-dqn-level1-20games-seed1"
    assert (planned["state"], planned["hours"], planned["cost"]) == ("to do", None, None)
    assert errors.startswith("1 run: 0 done, 1 to run\n  1 run: time unknown\n")
    assert "--speeds FILE takes it" in errors

    code, output, errors = run(capsys, *command, "--json")
    assert code == 0
    assert "runs/train: 4 episodes are few for these settings: nothing is learnt" in errors
    ending = "the records are in results/agents; `gata report` makes the tables\n"
    assert errors.endswith(ending)
    (done,) = json.loads(output)
    record = Path("results/agents/tr-dqn-level1-20games-seed1.json")
    before = record.read_bytes()

    code, output, _ = run(capsys, *command, "--plan", "--price", "2", "--json")
    (planned,) = json.loads(output)
    assert planned["state"] == "done"
    assert planned["hours"] == pytest.approx(done["hours"])
    assert planned["cost"] == pytest.approx(2 * done["hours"])
    code, output, _ = run(capsys, *command, "--seeds", "2", "--plan")
    hardware = json.loads(before)["hardware"]
    # Table and totals keep their order in a pipe.
    assert output.startswith("agent\tlevel\t")
    assert output.endswith(f" hours with 1 at once\n    from runs on {hardware}\n")
    code, output, errors = run(capsys, *command)
    assert (code, output) == (0, "")
    # Who has given a folder needs no hint to do so.
    assert errors == f"1 run: 1 done, 0 to run\nnothing is left to train\n{ending}"

    page = Path("README.md")
    page.write_text("<!-- begin figures: gata report test-20 -->\n<!-- end figures -->\n")
    code, _, errors = run(capsys, "report", "--check")
    assert code == 1
    assert "README.md" in errors
    code, output, _ = run(capsys, "report", "-o", "out", "--no-beliefs")
    assert code == 0
    assert (
        f"| `tr-dqn` | {done['test score %']:.1f}† (1 seed, too few) / 66.2<br>won "
        in page.read_text()
    )
    assert Path("out/report.html").exists()
    code, _, errors = run(capsys, "report", "--check")
    assert (code, errors) == (0, "1 page is what results says\n")
    assert record.read_bytes() == before


def test_an_agent_beyond_the_paper_from_run_to_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    grid = ("--rows", "gtf-sp-frozen", "--levels", "1", "--games", "20", "--seeds", "2")
    command = ("reproduce", "--table", "beyond", *grid, *SHORT, "--device", "cpu", "--json")
    command = (*command, "--results", "results")
    code, output, _ = run(capsys, *command)
    assert code == 0
    scores = [done["test score %"] for done in json.loads(output)]
    names = [f"gtf-sp-frozen-level1-20games-seed{seed}" for seed in (1, 2)]
    records = [json.loads(Path(f"results/agents/{name}.json").read_text()) for name in names]
    assert [record["agent"]["frozen"] for record in records] == [True, True]
    code, output, _ = run(capsys, *command, "--plan")
    assert [planned["state"] for planned in json.loads(output)] == ["done", "done"]

    page = Path("README.md")
    page.write_text("<!-- begin figures: gata report beyond -->\n<!-- end figures -->\n")
    code, _, _ = run(capsys, "report", "-o", "out", "--no-beliefs")
    assert code == 0
    told = f"{sum(scores) / 2:.1f}† (2 seeds, too few)"
    assert f"| `gtf-sp-frozen` | 1 | 20 | {told} | " in page.read_text()
    assert told in Path("out/report.html").read_text(encoding="utf-8")


def copy_shipped_record(folder: Path) -> None:
    """Of a run that is done."""
    folder.mkdir(parents=True)
    record = Path(__file__).parents[2] / "results/agents/tr-dqn-level1-100games-seed1.json"
    shutil.copy(record, folder)


def test_what_makes_tables_of_records_elsewhere_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    copy_shipped_record(Path("own/agents"))
    _, _, errors = run(capsys, "reproduce", *GRID, "--games", "100", "--results", "own")
    assert "the records are in own/agents; `gata report --results own` makes the tables" in errors


def test_a_trial_does_not_go_among_the_papers_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for option in ((), ("--plan",)):
        code, _, errors = run(capsys, "reproduce", *GRID, "--episodes", "60", *option)
        assert code == 2
        assert errors == (
            "gata: results/agents has runs with the paper's learning settings, and here episodes"
            " 60, not 100000; give a folder of your own: --results mine --runs mine/runs\n"
        )
        assert not list(tmp_path.iterdir())
    mine = ("--results", "mine", "--runs", "mine/runs")
    code, _, _ = run(capsys, "reproduce", *GRID, *SHORT, *mine, "--device", "cpu")
    assert code == 0
    record = Path("mine/agents/tr-dqn-level1-20games-seed1.json")
    assert json.loads(record.read_text())["settings"]["learning"]["episodes"] == 4
    # Of another record of that name nothing is in the way of the paper's, nor is its folder.
    code, output, _ = run(capsys, "reproduce", *GRID, "--plan", "--json", "--parallel", "50")
    assert (code, json.loads(output)[0]["state"]) == (0, "to do")


def test_who_has_no_folder_yet_is_told_what_to_give(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    copy_shipped_record(Path("results/agents"))
    code, _, errors = run(capsys, "reproduce", *GRID, "--games", "100")
    assert code == 0
    own = "for runs of your own, give --results mine --runs mine/runs"
    assert f"nothing is left to train; {own}\n" in errors


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("reproduce", "--rows", "tr-dnq", "--plan"), "'tr-dnq' (did you mean tr-dqn"),
        (("reproduce", "--rows", "x", "--plan"), "`gata agents` lists"),
        (("reproduce", "--levels", "7", "--plan"), "7"),
        (("reproduce", "--seeds", "0", "--plan"), "seeds is 0"),
        (("reproduce", "--rows", "--plan"), "rows is an empty list"),
        (("reproduce", "--levels", "--plan"), "levels is an empty list"),
        (("reproduce", "--games", "--plan"), "games is an empty list"),
        (("reproduce", "--price", "-3", "--plan"), "--price is -3.0, expected 0 or more"),
        (("reproduce", "--price", "nan", "--plan"), "--price is nan"),
        (
            ("reproduce", "--ray", "local", "--gpus-per-run", "1.5", "--plan"),
            "--gpus-per-run is 1.5",
        ),
        (
            ("reproduce", "--ray", "local", "--gpus-per-run", "nan", "--plan"),
            "--gpus-per-run is nan",
        ),
        (("reproduce", "--gpus-per-run", "0.5", "--plan"), "--gpus-per-run is for --ray"),
        (("reproduce", "--ray", "local", "--at-once", "2", "--plan"), "--at-once is not for --ray"),
        (("reproduce", "--ray", "local", "--device", "cpu", "--plan"), "--device is not for --ray"),
        (
            ("reproduce", "--speeds", "nowhere.json", "--plan"),
            "--speeds nowhere.json: no such file",
        ),
        (("report", "--results", "nowhere"), "nowhere"),
    ],
)
def test_mistakes_are_told(arguments, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, errors = run(capsys, *arguments)
    assert code == 2
    assert told in errors


def test_times_of_other_hardware_are_told_as_such(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    results = Path(__file__).parents[2] / "results"
    monkeypatch.chdir(tmp_path)
    grid = ("--rows", "gata-coc-text", "--levels", "4", "--results", str(results))
    code, output, _ = run(capsys, "reproduce", *grid, "--device", "cpu", "--plan")
    assert code == 0
    assert " from runs on NVIDIA H200; the device here is " in output
    code, output, _ = run(capsys, "reproduce", *grid, "--ray", "auto", "--plan")
    assert " from runs on NVIDIA H200; what the runs will have is not known\n" in output
    assert "the device here" not in output
    # Ray's own here is no cluster elsewhere, and gives each run one thread of a CPU.
    ray = ("--ray", "local", "--gpus-per-run", "0")
    code, output, _ = run(capsys, "reproduce", *grid, *ray, "--plan")
    assert f"; the device here is {platform.machine()} CPU, 1 threads\n" in output
    assert " hours with 1 at once\n" in output


def test_speeds_are_those_of_the_repository_unless_others_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def speeds(name: str, agent: str) -> None:
        path = Path(f"results/speed/{name}.json")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps([{"agent": agent, "parallel": 25, "episodes per s": 10.0}]))

    def known(*arguments: str) -> list[bool]:
        grid = ("--rows", "tr-dqn", "gtp-dgi", "gata-coc", "--levels", "1", "--seeds", "1")
        size = ("--games", "20", "--results", "mine", "--plan", "--json")
        code, output, _ = run(capsys, "reproduce", *grid, *size, *arguments)
        assert code == 0
        return [planned["hours"] is not None for planned in json.loads(output)]

    monkeypatch.chdir(tmp_path)
    assert known() == [False, False, False]
    for name, agent in (("train_gpu", "tr-dqn"), ("train_cpu", "gtp"), ("other", "gata-og")):
        speeds(name, agent)
    assert known() == [True, True, False]
    files = ("results/speed/train_gpu.json", "results/speed/other.json")
    assert known("--speeds", *files) == [True, False, True]


def test_results_that_cannot_be_written_are_told_before_the_first_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("something else")
    command = ("reproduce", *GRID, *SHORT, "--device", "cpu")
    code, _, errors = run(capsys, *command, "--results", "file", "--plan")
    assert code == 2
    assert "file is a file, expected a folder" in errors
    code, _, errors = run(capsys, *command, "--results", "file/results")
    assert code == 2
    assert "file is a file, expected a folder" in errors
    assert not Path("runs").exists()


def test_runs_without_weights_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(PRESETS, "gtf-sp", replace(PRESETS["gtf-sp"], encoder="encoder/gone"))
    code, output, errors = run(capsys, "reproduce", *GRID, "--rows", "gtf-sp")
    assert (code, output) == (1, "")
    assert errors.endswith("gtf-sp-level1-20games-seed1: not run, needs encoder/gone\n")
    assert not Path("runs").exists()


def test_a_damaged_record_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "agents" / "tr-dqn-level1-20games-seed1.json"
    record.parent.mkdir()
    record.write_text('{"name": 3}')
    code, _, errors = run(capsys, "report", "--results", str(tmp_path), "--root", str(tmp_path))
    assert code == 1
    assert f"{record}: name is 3, expected text" in errors
