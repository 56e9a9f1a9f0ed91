"""Metrics on Weights & Biases: offline where it is installed, a clear word where it is not."""

import sys
from pathlib import Path

import pytest

from gata.errors import UsageError
from gata.training.run import Run
from gata.training.tracking import ID_FILE


def test_without_wandb_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wandb", None)
    with pytest.raises(UsageError, match=r"not installed: .* -m pip install .*'\.\[wandb\]'"):
        Run(tmp_path, {"settings": {}}, "project").resume()
    assert not list(tmp_path.iterdir())


def test_offline_runs_keep_their_metrics_and_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wandb = pytest.importorskip("wandb", reason="needs the [wandb] extra")
    monkeypatch.setenv("WANDB_MODE", "offline")
    monkeypatch.setenv("WANDB_SILENT", "true")
    run = Run(tmp_path, {"settings": {"seed": 1}}, "project")
    run.resume()
    other = Run(tmp_path / "other", {"settings": {"seed": 2}}, "project")
    other.resume()
    run.report("train", 1, {"loss": 0.25})
    other.report("train", 1, {"elsewhere": 0.5})
    own = (tmp_path / ID_FILE).read_text()
    wandb.teardown()  # as at the end of a process
    again = Run(tmp_path, {"settings": {"seed": 1}}, "project")
    again.resume()
    again.report("train", 2, {"loss": 0.125})
    again.finish({"test": {"score": 50.0}})
    assert (tmp_path / ID_FILE).read_text() == own
    kept = [path.read_bytes() for path in tmp_path.glob(f"wandb/offline-run-*{own}*/*.wandb")]
    assert any(b"train/loss" in data for data in kept)
    assert not any(b"train/elsewhere" in data for data in kept)  # side by side, not mixed up
    # A run that is over begins nothing there.
    runs = sorted((tmp_path / "wandb").iterdir())
    assert Run(tmp_path, {"settings": {"seed": 1}}, "project").results is not None
    assert sorted((tmp_path / "wandb").iterdir()) == runs
