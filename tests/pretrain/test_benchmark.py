"""How fast a task learns, and with what that may be compared."""

import json
from pathlib import Path

import pytest
import torch

from gata.cli import main
from gata.pretrain import benchmark


def test_only_one_thread_is_compared_with_the_authors_code(
    data_folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(benchmark, "WARM_UP", 1)
    monkeypatch.setattr(benchmark, "AUTHORS_CPU_SECONDS", {"text-og": (2, 1e6)})
    command = ["bench", "pretrain", "--tasks", "text-og", "dgi", "--batches", "2"]
    command += ["--updates", "1", "--device", "cpu", "--data", str(data_folder), "--json"]
    before = torch.get_num_threads()
    try:
        for threads in (1, 2):
            assert main([*command, "--threads", str(threads)]) == 0
            text, dgi = json.loads(capsys.readouterr().out)
            for speed in (text, dgi):  # one update, whose time is the median, of a batch of 2
                per_second = 1000 / speed["ms per update"]
                assert speed["sequences per s"] == pytest.approx(2 * per_second)
            assert dgi["times less cpu"] is None
            if threads > 1:
                assert text["times less cpu"] is None
            else:
                ratio = 1e6 / text["cpu s per update"]
                assert text["times less cpu"] == pytest.approx(ratio)
    finally:
        torch.set_num_threads(before)
    for threads in ("0", "99999"):
        assert main([*command, "--threads", threads]) == 2
        assert f"--threads is {threads}" in capsys.readouterr().err
    assert main([*command, "--tasks"]) == 2
    assert "--tasks is empty" in capsys.readouterr().err
