"""One short run for all tests of what is made of runs."""

from dataclasses import replace
from pathlib import Path

import pytest

from gata.evaluation.record_files import read_records, write_record
from gata.evaluation.records import Record
from tests.paper.short_runs import run_short, short_grid


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Holds runs/NAME and results/agents/NAME.json."""
    folder = tmp_path_factory.mktemp("reproduced")
    (outcome,) = run_short(short_grid(), folder)
    assert outcome.problem == ""
    # Plans are of the paper's networks: with small ones it would be of another experiment.
    write_record(replace(outcome.record, network=None), folder / "results" / "agents")
    return folder


@pytest.fixture(scope="session")
def record(folder: Path) -> Record:
    (record,) = read_records(folder / "results" / "agents")
    return record
