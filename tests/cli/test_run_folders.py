"""Folders that are given for those of runs: without weights, with a damaged checkpoint, none."""

from pathlib import Path

import pytest
import torch

from gata.rl.loop import Trainer
from gata.rl.opening import Job
from gata.rl.settings import LearningSettings, TrainSettings
from tests.cli.test_games import run

LEARNING = LearningSettings(episodes=4, step_limit=6, parallel=2, replay=100, evaluate_every=3)
GAME = "level1/test/56274"


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """The folder of a training that was stopped before its first evaluation."""
    folder = tmp_path / "runs" / "begun"
    settings = TrainSettings(agent="tr-dqn", games="1", learning=LEARNING)
    trainer = Job(settings, folder).open(torch.device("cpu"))
    assert isinstance(trainer, Trainer)
    with trainer.run.held():
        trainer.run.resume()
        trainer.run.save({"numbers": torch.arange(100)}, {})
    return folder


@pytest.mark.parametrize("command", [("evaluate",), ("play",), ("models", "show")])
def test_a_run_without_weights(
    command: tuple[str, ...], begun: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = [GAME] if command == ("play",) else []
    code, output, errors = run(capsys, *command, str(begun), *game)
    assert (code, output) == (1, "")
    assert errors == (
        f"gata: {begun}: no weights yet: they are written at the first evaluation"
        f" (--evaluate-every 3 episodes); go on with gata train --resume {begun}\n"
    )
    # Of a pre-training, or one that cannot be read.
    for other in ('{"settings": {"batch": 4}, "data": {}}', "{", "[]"):
        (begun / "settings.json").write_text(other)
        code, _, errors = run(capsys, *command, str(begun), *game)
        assert code == 1
        assert errors.endswith("first evaluation; go on with the command that began the run\n")


def test_a_folder_that_is_no_run(begun: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = "not the folder of a run (it has no settings.json)"
    code, output, errors = run(capsys, "evaluate", str(begun.parent))
    assert (code, output) == (2, "")
    assert errors == f"gata: {begun.parent}: {told}; give that of one, such as {begun}\n"
    empty = begun.parent / "empty"
    empty.mkdir()
    for command in (("evaluate", str(empty)), ("train", "--resume", str(empty))):
        assert run(capsys, *command) == (2, "", f"gata: {empty}: {told}\n")
    gone = begun.parent / "gone"
    code, output, errors = run(capsys, "train", "--resume", str(gone))
    assert (code, output) == (2, "")
    assert errors == f"gata: {gone}: no such folder, expected that of a run\n"
    gone.write_text("a file")
    code, output, errors = run(capsys, "train", "--resume", str(gone))
    assert (code, output, errors) == (2, "", f"gata: {gone} is a file, expected a folder\n")


@pytest.mark.parametrize("damage", [lambda data: data[:-7], lambda data: data[:-1] + b"x"])
def test_a_damaged_checkpoint(damage, begun: Path, capsys: pytest.CaptureFixture[str]) -> None:
    checkpoint = begun / "checkpoint.safetensors"
    checkpoint.write_bytes(damage(checkpoint.read_bytes()))
    code, output, errors = run(capsys, "train", "--resume", str(begun), "--device", "cpu")
    assert (code, output) == (1, "")
    assert errors.startswith(f"gata: {checkpoint}: ")
    assert errors.endswith("); delete the file to begin anew\n")
    assert errors.count("\n") == 1

    weights = begun / "weights.safetensors"
    weights.write_bytes(b"")
    _, _, errors = run(capsys, "train", "--resume", str(begun), "--device", "cpu")
    assert errors.endswith(
        f"anew; the best weights so far are in {weights}, and are replaced then\n"
    )

    checkpoint.unlink()
    assert run(capsys, "train", "--resume", str(begun), "--device", "cpu")[0] == 0
