"""A run goes on from its own last checkpoint, with the metrics of that moment."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch

from gata.errors import GataError, UsageError
from gata.models import vocabularies
from gata.models.files import write_tensors
from gata.training import run as runs
from gata.training.run import Run

ABOUT = {"settings": {"task": "ap", "batch": 4}}


@pytest.mark.parametrize("before", [0, 1, 3])
def test_lines_after_the_last_checkpoint_are_dropped(before: int, tmp_path: Path) -> None:
    run = Run(tmp_path, {"settings": {}})
    assert run.resume() is None
    for number in range(before):
        run.report("train", number, {"loss": 1.0})
    run.save({"one": torch.ones(1)}, {})
    run.report("train", before, {"loss": 2.0})
    again = Run(tmp_path, {"settings": {}})
    assert again.resume() is not None
    assert len((tmp_path / "metrics.jsonl").read_text().splitlines()) == before


def test_a_run_that_never_began_leaves_nothing_behind(tmp_path: Path) -> None:
    Run(tmp_path / "run", {"settings": {"level": 9}})
    assert not (tmp_path / "run").exists()
    Run(tmp_path / "run", {"settings": {"level": 1}}).resume()
    assert (tmp_path / "run" / "settings.json").exists()


def test_a_folder_of_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(UsageError, match=r"has no settings\.json but other files"):
        Run(tmp_path, ABOUT)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]
    (tmp_path / "empty").mkdir()
    Run(tmp_path / "empty", ABOUT).resume()


def test_two_do_not_work_at_one_run(tmp_path: Path) -> None:
    first, second = (Run(tmp_path / "run", ABOUT) for _ in range(2))
    with first.held():
        first.resume()
        with pytest.raises(GataError, match="run: another process is at work on this run"):
            second.held().__enter__()
        # Who only calculates for it writes nothing, and may.
        with Run(tmp_path / "run", ABOUT, writes=False).held():
            pass
    with second.held():
        assert second.resume() is None


def test_who_is_killed_holds_nothing(tmp_path: Path) -> None:
    program = (
        "import os, pathlib, sys\n"
        "from gata.training.run import Run\n"
        "with Run(pathlib.Path(sys.argv[1]), {'settings': {}}).held():\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=False)
    assert [path.name for path in tmp_path.iterdir()] == [runs.LOCK_FILE]
    run = Run(tmp_path, {"settings": {}})
    with run.held():
        assert run.resume() is None


@pytest.mark.parametrize("spoilt", [float("nan"), float("inf")])
def test_a_checkpoint_of_no_numbers_is_not_written(spoilt: float, tmp_path: Path) -> None:
    run = Run(tmp_path, ABOUT)
    run.resume()
    run.save({"weights": torch.ones(2), "count": torch.ones(1, dtype=torch.int64)}, {})
    before = run.checkpoint.read_bytes()
    with pytest.raises(GataError, match="weights has numbers that are none"):
        run.save({"weights": torch.tensor([1.0, spoilt])}, {})
    assert run.checkpoint.read_bytes() == before


def test_what_a_killed_process_was_writing_is_cleared_away(tmp_path: Path) -> None:
    program = (
        "import os, pathlib, sys, torch\n"
        "from gata.training.run import Run\n"
        "run = Run(pathlib.Path(sys.argv[1]), {'settings': {}})\n"
        "os.fsync = lambda _: os.kill(os.getpid(), 9)\n"
        "with run.held():\n"
        "    run.resume()\n"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=False)
    assert any(path.name.startswith(".settings.json.") for path in tmp_path.iterdir())
    run = Run(tmp_path, {"settings": {}})
    with run.held():
        run.resume()
    assert not list(tmp_path.glob(".*.tmp"))


@pytest.mark.parametrize("was_there", [False, True])
def test_what_could_not_begin_is_as_if_it_never_was(was_there: bool, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    if was_there:
        folder.mkdir()
    with pytest.raises(ZeroDivisionError), Run(folder, ABOUT).held():
        raise ZeroDivisionError
    assert folder.exists() == was_there
    Run(folder, ABOUT)


@pytest.mark.parametrize("place", ["file", "file/run", "file/run/training"])
def test_a_file_is_no_folder(place: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(UsageError, match=f"^{tmp_path}/file is a file, expected a folder"):
        Run(tmp_path / place, ABOUT)


def test_a_run_that_was_killed_before_its_first_checkpoint_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Run(tmp_path, ABOUT).resume()
    assert capsys.readouterr().err == ""
    killed = Run(tmp_path, ABOUT)
    assert killed.resume() is None
    assert capsys.readouterr().err == f"{tmp_path}: no checkpoint yet, beginning anew\n"
    killed.save({}, {})
    assert Run(tmp_path, ABOUT).resume() is not None
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("about", "told"),
    [
        ({"settings": {"seed": 2}, "network": {"hidden": 8}}, "seed 1, not 2"),
        ({"settings": {"seed": 1}}, "has network of its own"),
        ({"settings": {"seed": 1}, "network": {"hidden": 8}, "games": []}, "no games of its own"),
    ],
)
def test_a_run_goes_on_as_what_it_was(about, told: str, tmp_path: Path) -> None:
    first = {"settings": {"seed": 1}, "network": {"hidden": 8}}
    Run(tmp_path, first).resume()
    Run(tmp_path, first)
    with pytest.raises(UsageError, match=told):
        Run(tmp_path, about)


def test_the_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    other = Run(tmp_path / "other", {"settings": {"task": "sp", "batch": 4}})
    run = Run(tmp_path / "one", ABOUT)
    for each in (other, run):
        assert each.resume() is None
    other.save({}, {})
    (tmp_path / "other" / "checkpoint.safetensors").rename(run.checkpoint)
    with pytest.raises(GataError, match=r"one.checkpoint\.safetensors: not of this run.*'sp'"):
        run.resume()


def test_a_checkpoint_over_other_words_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Run(tmp_path, ABOUT)
    run.resume()
    run.save({}, {})
    ours = vocabularies.shipped()
    other = vocabularies.Vocabularies(ours.words, ours.vectors)
    other.__dict__["fingerprints"] = {**ours.fingerprints, "words": "0" * 64}
    monkeypatch.setattr(runs, "shipped", lambda: other)
    with pytest.raises(GataError, match="not of this run: it has words"):
        run.resume()


def test_another_file_in_its_place_is_no_checkpoint(tmp_path: Path) -> None:
    run = Run(tmp_path, ABOUT)
    write_tensors(run.checkpoint, {}, {"kind": "og"})
    with pytest.raises(GataError, match=r"checkpoint\.safetensors: has no 'metrics'"):
        run.resume()


def test_results_that_are_not_whole_are_named(tmp_path: Path) -> None:
    run = Run(tmp_path, ABOUT)
    run.resume()
    run.finish({"metrics": {"loss": 1.0}})
    assert run.result("metrics") == {"loss": 1.0}
    with pytest.raises(GataError, match=r"results\.json: 'test' is missing"):
        run.result("test")


def test_a_name_that_stands_twice_is_told(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_text('{"seed": 1, "games": [{"score": 3, "won": true, "score": 4}]}')
    with pytest.raises(GataError, match=r"results\.json: cannot be read \('score' stands there"):
        runs.read_json(path)


def test_nobody_is_told_to_delete_what_a_newer_version_can_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Run(tmp_path, ABOUT)
    run.resume()
    with monkeypatch.context() as newer:
        newer.setattr("gata.models.files.FORMAT", 2)
        run.save({"one": torch.ones(1)}, {})
    with pytest.raises(GataError, match=r"a newer gata can read it$"):
        run.resume()
