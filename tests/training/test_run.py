"""The metrics of a run that goes on are those of its last checkpoint."""

from pathlib import Path

import pytest
import torch

from gata.errors import UsageError
from gata.training.run import Run


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
