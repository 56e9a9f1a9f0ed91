"""The grid on a real Ray of this machine, with several workers."""

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from gata.errors import GataError
from gata.evaluation.record_files import read_records
from gata.paper.cluster import LOCAL, run_on_ray
from tests.belief.networks import settings as network_settings
from tests.paper.short_runs import short_grid

pytest.importorskip("ray")


def workers() -> dict[int, str]:
    """The processes that work at a run: what they say they do, by their number."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode().strip()
        except OSError:  # gone meanwhile
            continue
        if line.startswith("ray::tr-dqn"):
            found[int(path.parent.name)] = line
    return found


def kill_the_first(killed: list[int], runs: Path) -> None:
    """As soon as it trains."""
    while not list(runs.glob("*/settings.json")):
        time.sleep(0.05)
    while not killed:
        for number in list(workers())[:1]:
            os.kill(number, signal.SIGKILL)
            killed.append(number)


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes in /proc")
def test_all_runs_end_although_a_worker_is_killed(tmp_path: Path) -> None:
    runs, killed = short_grid(seeds=2), []
    killer = threading.Thread(target=kill_the_first, args=(killed, tmp_path / "runs"), daemon=True)
    killer.start()
    outcomes = run_on_ray(
        runs,
        address=LOCAL,
        folders=tmp_path / "runs",
        results=tmp_path / "results",
        gpus_per_run=0,
        network=network_settings(),
    )
    killer.join(timeout=5)
    assert len(killed) == 1
    assert [outcome.problem for outcome in outcomes] == ["", ""]
    assert [record.settings for record in read_records(tmp_path / "results")] == runs


def test_a_failing_run_is_told_with_its_reason(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.write_text("no folder")
    (outcome,) = run_on_ray(
        short_grid(), address=LOCAL, folders=folder, results=tmp_path, gpus_per_run=0
    )
    assert outcome.record is None
    assert "runs" in outcome.problem


def test_no_cluster_at_the_address(tmp_path: Path) -> None:
    with pytest.raises(GataError, match=r"--ray 127\.0\.0\.1:1: no cluster answers"):
        run_on_ray([], address="127.0.0.1:1", folders=tmp_path, results=tmp_path, gpus_per_run=0)
