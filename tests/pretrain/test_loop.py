"""Runs: the same after a kill as without one, and clear errors when something is wrong."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from gata import console
from gata.cli import main
from gata.errors import GataError, UsageError
from gata.models.files import read_tensors, write_tensors
from gata.models.shipped import agents
from gata.models.weights import load_model
from gata.pretrain import loop
from gata.pretrain.loop import train
from gata.pretrain.settings import CgSettings, DgiSettings, OgSettings
from tests.killing import kill_at

CPU = torch.device("cpu")
SMALL = {"hidden": 16, "valid_examples": 4, "test_examples": 4}

OG = OgSettings(
    batch=3, examples=24, evaluations=3, schedule="cosine", **(SMALL | {"valid_examples": 2})
)
CG = CgSettings(batch=4, examples=160, evaluations=4, **SMALL)


def run(settings, data_folder: Path, folder: Path) -> dict[str, float]:
    return train(settings, data_folder, folder, CPU)


def weights(folder: Path) -> dict[str, torch.Tensor]:
    return load_model(folder / "weights.safetensors").state_dict()


def assert_same_run(one: Path, two: Path) -> None:
    assert (one / "metrics.jsonl").read_text() == (two / "metrics.jsonl").read_text()
    mine, theirs = weights(one), weights(two)
    assert all(torch.equal(mine[name], theirs[name]) for name in mine)
    results = [json.loads((folder / "results.json").read_text()) for folder in (one, two)]
    assert results[0]["metrics"] == results[1]["metrics"]


@pytest.mark.parametrize("settings", [OG, CG], ids=["og", "cg"])
def test_a_stopped_run_goes_on_as_if_it_had_not_been(
    settings, data_folder: Path, tmp_path: Path, one_thread: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    metrics = run(settings, data_folder, tmp_path / "whole")
    original = loop.Trainer._step
    steps = 0

    def stop(self, bar) -> None:
        nonlocal steps
        steps += 1
        if steps == 5:
            signal.raise_signal(signal.SIGINT)  # in the middle of an update
        original(self, bar)

    monkeypatch.setattr(loop.Trainer, "_step", stop)
    with pytest.raises(KeyboardInterrupt):
        run(settings, data_folder, tmp_path / "stopped")
    monkeypatch.undo()
    torch.manual_seed(99)  # whatever happened in between
    assert run(settings, data_folder, tmp_path / "stopped") == metrics
    assert_same_run(tmp_path / "whole", tmp_path / "stopped")


@pytest.mark.skipif(sys.platform == "win32", reason="kills a process")
def test_a_killed_run_goes_on_as_if_it_had_not_been(
    data_folder: Path, tmp_path: Path, one_thread: None
) -> None:
    arguments = ["pretrain", "cg", "--batch", "4", "--examples", "400", "--evaluations", "20"]
    arguments += ["--valid-examples", "4", "--test-examples", "4", "--hidden", "16"]
    arguments += ["--device", "cpu", "--data", str(data_folder)]
    assert main([*arguments, "-o", str(tmp_path / "whole")]) == 0
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "gata", *arguments, "-o", str(tmp_path / "killed")]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    assert kill_at(process, (tmp_path / "killed" / "checkpoint.safetensors").exists)
    assert not (tmp_path / "killed" / "results.json").exists()
    assert main([*arguments, "-o", str(tmp_path / "killed")]) == 0
    assert_same_run(tmp_path / "whole", tmp_path / "killed")


def test_a_finished_run_is_not_repeated(
    data_folder: Path, tmp_path: Path, one_thread: None, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = DgiSettings(batch=4, examples=8, evaluations=1, **SMALL)
    first = run(settings, data_folder, tmp_path)
    assert run(settings, data_folder, tmp_path) == first
    assert "nothing to do" in capsys.readouterr().err


def test_progress_is_shown_after_each_update(
    data_folder: Path, tmp_path: Path, one_thread: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[tuple[str, str]] = []
    show = console.Bar.show

    def watched(bar: console.Bar, done: int, remark: str = "") -> None:
        show(bar, done, remark)
        shown.append((bar.state.counts, bar.state.remark))

    monkeypatch.setattr(console.Bar, "show", watched)
    run(DgiSettings(batch=4, examples=8, evaluations=1, **SMALL), data_folder, tmp_path)
    counts, remarks = zip(*shown, strict=True)
    assert counts == ("0/8", "4/8", "8/8", "8/8")
    assert remarks[0].startswith("loss -, best valid ")
    assert remarks[0].endswith(" -")
    assert "-" not in remarks[-1].replace("e-", "")


def test_other_settings_are_refused(data_folder: Path, tmp_path: Path, one_thread: None) -> None:
    run(DgiSettings(batch=4, examples=8, evaluations=1, **SMALL), data_folder, tmp_path)
    other = DgiSettings(batch=5, examples=16, evaluations=1, **SMALL)
    told = r"this run has batch 4, not 5 and examples 8, not 16; choose another --output"
    with pytest.raises(UsageError, match=told):
        run(other, data_folder, tmp_path)


def test_a_loss_that_is_no_number_ends_the_run(
    data_folder: Path, tmp_path: Path, one_thread: None
) -> None:
    settings = DgiSettings(
        batch=4, examples=400, evaluations=1, learning_rate=1e30, clip=1e30, **SMALL
    )
    with pytest.raises(GataError, match=r"the loss is (nan|inf) after update 50"):
        run(settings, data_folder, tmp_path)
    assert not (tmp_path / "results.json").exists()


def checkpointed(data_folder: Path, folder: Path) -> tuple[DgiSettings, Path]:
    """The settings and the checkpoint of a run that has yet to be tested."""
    settings = DgiSettings(batch=4, examples=8, evaluations=1, **SMALL)
    run(settings, data_folder, folder)
    (folder / "results.json").unlink()
    return settings, folder / "checkpoint.safetensors"


def test_a_damaged_checkpoint_is_refused(
    data_folder: Path, tmp_path: Path, one_thread: None
) -> None:
    settings, path = checkpointed(data_folder, tmp_path)
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(GataError, match=r"checkpoint\.safetensors"):
        run(settings, data_folder, tmp_path)


def test_a_checkpoint_of_another_network_is_refused(
    data_folder: Path, tmp_path: Path, one_thread: None
) -> None:
    """The settings are the same, but a version of gata before or after has another network."""
    settings, path = checkpointed(data_folder, tmp_path)
    tensors, header = read_tensors(path)
    name = "model.discriminator.bilinear.left.weight"
    write_tensors(path, {**tensors, name: tensors[name][:3]}, header)
    with pytest.raises(GataError, match=r"left\.weight has shape \(3, 16\), expected \(16, 16\)"):
        run(settings, data_folder, tmp_path)
    del tensors[name]
    write_tensors(path, tensors, header)
    with pytest.raises(GataError, match=r"checkpoint\.safetensors: lacks the tensors"):
        run(settings, data_folder, tmp_path)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--batch", "0"], "coc: --batch is 0, expected 1 or more"),
        (["--learning-rate", "-1"], "coc: --learning-rate is -1.0, expected above 0"),
        (["--near", "2"], "near is 2.0, expected 0 to 1"),
        (["--device", "abacus"], "device is 'abacus', expected cpu or cuda"),
        (["--data", "nowhere"], "nowhere"),
        (["--seed", str(2**64)], f"expected 0 to {2**64 - 1}"),
        (["--hidden", "63"], "hidden is 63, expected an even number"),
    ],
)
def test_bad_options_are_named(
    options: list[str], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["pretrain", "coc", "--data", str(tmp_path), "-o", str(tmp_path / "run"), *options])
    assert code in (1, 2)
    assert complaint in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_weights_are_tested_and_write_samples(
    data_folder: Path, tmp_path: Path, one_thread: None, capsys: pytest.CaptureFixture[str]
) -> None:
    metrics = run(OG, data_folder, tmp_path)
    path = str(tmp_path / "weights.safetensors")
    options = ["--data", str(data_folder), "--device", "cpu", "--json"]
    assert main(["pretrain", "eval", path, str(tmp_path), *options]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["weights"] for row in rows] == [path, path, str(tmp_path), str(tmp_path)]
    assert {row["test metric"]: row["ours"] for row in rows} == metrics
    assert {row["test metric"]: row["paper"] for row in rows} == {"loss": 22.28, "f1": 0.68}
    assert main(["pretrain", "eval", path, *options, "--split", "valid"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["paper"] for row in rows} == {None}
    valid = {row["valid metric"]: row["ours"] for row in rows}
    stored = json.loads((tmp_path / "results.json").read_text())["valid"]
    # What training validated with: as many examples, but weights before they were halved.
    assert valid["loss"] == pytest.approx(stored["loss"], rel=1e-2)
    assert main(["pretrain", "eval", path, *options, "--at-most", "0"]) == 2
    assert "--at-most is 0, expected 1 or more" in capsys.readouterr().err
    assert main(["pretrain", "sample", path, *options]) == 0
    steps = json.loads(capsys.readouterr().out)
    assert steps[0]["action"] == "restart"
    assert list(steps[0]) == ["step", "action", "true", "written"]
    assert "kitchen" in steps[0]["true"]


def test_models_that_write_nothing_have_no_samples(
    data_folder: Path, tmp_path: Path, one_thread: None, capsys: pytest.CaptureFixture[str]
) -> None:
    run(DgiSettings(batch=4, examples=8, evaluations=1, **SMALL), data_folder, tmp_path)
    path = str(tmp_path / "weights.safetensors")
    assert main(["pretrain", "sample", path, "--data", str(data_folder), "--device", "cpu"]) == 2
    assert "only models of og, text-og and cg write" in capsys.readouterr().err


def test_agents_have_no_task(data_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pretrain", "eval", agents()[0], "--data", str(data_folder)]) == 2
    told = capsys.readouterr().err
    assert f"{agents()[0]}: kind is 'agent', expected og or coc or" in told
    assert "`gata evaluate` tests agents" in told
