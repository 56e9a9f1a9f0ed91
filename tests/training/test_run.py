"""The metrics of a run that goes on are those of its last checkpoint."""

from pathlib import Path

import pytest
import torch

from gata.training.run import Run


@pytest.mark.parametrize("before", [0, 1, 3])
def test_lines_after_the_last_checkpoint_are_dropped(before: int, tmp_path: Path) -> None:
    run = Run(tmp_path, {"settings": {}})
    for number in range(before):
        run.report("train", number, {"loss": 1.0})
    run.save({"one": torch.ones(1)}, {})
    run.report("train", before, {"loss": 2.0})
    again = Run(tmp_path, {"settings": {}})
    assert again.resume() is not None
    assert len((tmp_path / "metrics.jsonl").read_text().splitlines()) == before
