"""Training in several processes: the same run as that of one process."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

from gata.errors import UsageError
from gata.models.weights import load_model
from gata.pretrain.loop import Trainer, open_data, train
from gata.pretrain.settings import SETTINGS, CocSettings
from gata.pretrain.tasks.making import make_task
from gata.training.together import Together

CPU = torch.device("cpu")
COC = CocSettings(batch=5, examples=40, evaluations=8, hidden=16, valid_examples=4, test_examples=4)
OPTIONS = ["--batch", "5", "--examples", "40", "--evaluations", "8", "--hidden", "16"]
OPTIONS += ["--valid-examples", "4", "--test-examples", "4", "--device", "cpu"]


def gradients(task, batches: int) -> list[torch.Tensor]:
    """Of some batches, each with the loss at its end; the weights stay."""
    rows = []
    for number in range(batches):
        loss, *others = task.loss(*task.batch(number))
        parameters = [each for each in task.model.parameters() if each.requires_grad]
        parts = torch.autograd.grad(loss, parameters, allow_unused=True, materialize_grads=True)
        task.after(*(other.detach() for other in others))
        rows.append(torch.cat([each.flatten() for each in (*parts, loss.detach())]))
    return rows


@pytest.mark.parametrize("name", SETTINGS)
def test_shares_add_up_to_the_gradient_of_the_whole_batch(
    name: str, data_folder: Path, one_thread: None
) -> None:
    """Of uneven shares; in SP a batch may have fewer states than there are processes."""
    settings = SETTINGS[name](hidden=16, batch=7)
    data = open_data(data_folder, CPU)
    whole = make_task(settings, data, CPU)
    expected = gradients(whole, 2)
    tasks = [make_task(settings, data, CPU, Together(rank, 3)) for rank in range(3)]
    shares = [gradients(task, 2) for task in tasks]
    for rows, row in zip(zip(*shares, strict=True), expected, strict=True):
        assert name == "sp" or all(share.any() for share in rows)
        torch.testing.assert_close(sum(rows), row, rtol=1e-3, atol=1e-4 * float(row.abs().max()))
    assert all(task.position() == whole.position() for task in tasks)
    assert all(task.drawn == whole.drawn for task in tasks)


def test_every_process_needs_an_example(data_folder: Path) -> None:
    data = open_data(data_folder, CPU)
    with pytest.raises(UsageError, match="batch is 2, expected at least one for each of 3"):
        make_task(SETTINGS["cg"](batch=2), data, CPU, Together(0, 3))
    with pytest.raises(UsageError, match="batch is 2, expected at least one for each of 3"):
        make_task(SETTINGS["og"](batch=2), data, CPU, Together(0, 3))


def torchrun(*program: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    return subprocess.Popen(
        [*command, "--nproc-per-node", "2", *program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )


def pretrain(data_folder: Path, folder: Path) -> "subprocess.Popen[str]":
    where = ["--data", str(data_folder), "-o", str(folder)]
    return torchrun("-m", "gata", "pretrain", "coc", *OPTIONS, "--json", *where)


@pytest.fixture(scope="module")
def whole(data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run of one process."""
    torch.set_num_threads(1)
    folder = tmp_path_factory.mktemp("whole")
    train(COC, data_folder, folder, CPU)
    return folder


def assert_same_run(one: Path, two: Path) -> None:
    curves = [
        [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
        for folder in (one, two)
    ]
    assert len(curves[0]) == len(curves[1]) > 6
    for mine, theirs in zip(*curves, strict=True):
        kind = mine.pop("kind")
        assert kind == theirs.pop("kind")
        assert mine == pytest.approx(theirs, rel=1e-4)
    mine, theirs = (
        load_model(folder / "weights.safetensors").state_dict() for folder in (one, two)
    )
    for name in mine:
        torch.testing.assert_close(mine[name], theirs[name], rtol=0, atol=5e-4)


def test_two_processes_go_on_where_one_was_stopped(
    data_folder: Path, tmp_path: Path, whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = Trainer._step
    steps = 0

    def stop(self, bar) -> None:
        nonlocal steps
        steps += 1
        if steps == 4:
            signal.raise_signal(signal.SIGTERM)
        original(self, bar)

    monkeypatch.setattr(Trainer, "_step", stop)
    with pytest.raises(KeyboardInterrupt):
        train(COC, data_folder, tmp_path, CPU)
    monkeypatch.undo()
    with pretrain(data_folder, tmp_path) as process:
        output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    results = json.loads((tmp_path / "results.json").read_text())
    assert results["processes"] == 2
    # One process speaks, not both.
    assert errors.count("going on after update 4") == 1
    assert {row["test metric"]: row["ours"] for row in json.loads(output)} == results["metrics"]
    assert len(list((tmp_path / "tensorboard").iterdir())) == 1
    assert_same_run(tmp_path, whole)


PARTING = """
from pathlib import Path
import torch
from gata.training.together import join
from gata.training.update import Update

def threads():
    return sorted(each.read_text().strip() for each in Path("/proc/self/task").glob("*/comm"))

weights = torch.nn.Parameter(torch.ones(3))
before = threads()
with join(torch.device("cpu")) as (together, _):
    loss = lambda factor: ((weights * factor).sum(),)
    Update([weights], loss, learning_rate=0.1, clip=1.0, together=together)((torch.ones(3),))
    assert len(threads()) > len(before)
assert threads() == before, threads()
"""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts threads in /proc")
def test_no_thread_outlives_the_company(tmp_path: Path) -> None:
    """One that frees a tensor while the interpreter is taken down would abort the process."""
    program = tmp_path / "parting.py"
    program.write_text(PARTING)
    with torchrun(str(program)) as process:
        _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds a process in /proc")
@pytest.mark.parametrize("way", ["torchrun is asked to stop", "a process is killed"])
def test_one_process_goes_on_where_two_were_stopped(
    way: str, data_folder: Path, tmp_path: Path, whole: Path
) -> None:
    folder = tmp_path / "run"
    with pretrain(data_folder, folder) as process:
        deadline = time.monotonic() + 120
        while not (folder / "checkpoint.safetensors").exists():
            assert process.poll() is None, process.communicate()[1]
            assert time.monotonic() < deadline
            time.sleep(0.02)
        if way == "a process is killed":
            tasks = Path(f"/proc/{process.pid}/task").glob("*/children")
            workers = sorted(int(pid) for task in tasks for pid in task.read_text().split())
            os.kill(workers[-1], signal.SIGKILL)
        else:
            process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=120)
    assert process.returncode != 0
    assert not (folder / "results.json").exists()
    assert errors.count("saved; the same command goes on") == (way != "a process is killed")
    train(COC, data_folder, folder, CPU)
    assert_same_run(folder, whole)
