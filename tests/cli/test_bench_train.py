"""``gata bench train`` prints what ``gata reproduce --speeds`` reads."""

from pathlib import Path

import pytest
import torch

from gata.cli import main
from gata.paper.measured import read_bench
from gata.training.checkpoint import hardware


def test_speeds_are_printed_with_their_hardware(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    options = ("--agents", "gtf", "--level", "2", "--parallel", "2", "--rounds", "1")
    assert main(["bench", "train", *options, "--device", "cpu", "--json"]) == 0
    path = tmp_path / "speeds.json"
    path.write_text(capsys.readouterr().out, encoding="utf-8")
    (measured,) = read_bench(path)
    assert (measured.agent, measured.parallel, measured.level) == ("gtf", 2, 2)
    assert measured.hardware == hardware(torch.device("cpu"))
