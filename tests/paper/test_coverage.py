"""What was run, on what and for how long, is told as the records have it."""

from dataclasses import replace

from gata.evaluation.records import Record
from gata.paper.cells import Results
from gata.paper.coverage import coverage_table
from gata.paper.hardware import short_name
from gata.paper.score_tables import full_test_table
from tests.paper.test_report import cells, placed, variant


def on(hardware: str, hours: float, record: Record, **changes) -> Record:
    """A run that took so long there."""
    made = replace(variant(record, **changes), hardware=hardware, training_seconds=3600 * hours)
    return replace(made, code=None) if hardware == "NVIDIA H200" else made


def test_seeds_are_told_with_their_hardware_and_code(record: Record) -> None:
    runs = [
        on("NVIDIA H200", 1, record, seed=1),
        on("NVIDIA H200", 3, record, seed=3),
        on("x86_64 CPU, 1 threads", 8, record, seed=2),
    ]
    third = placed(runs[:1], level=3)
    table = coverage_table(Results([*runs, *third, *placed(runs[:1], games="unlimited")]))
    assert table.columns[:4] == ("agent", "training games", "level 1", "level 2")
    code = record.code or ""
    assert [row[:5] for row in table.rows] == [
        (
            "`tr-dqn`",
            "20",
            f"H200: 1, 3\nCPU: 2\ncode `{code[:8]}`, not recorded",
            "·",
            "H200: 1\ncode not recorded",
        ),
        ("`tr-dqn`", "unlimited", "H200: 1\ncode not recorded", "·", "·"),
    ]


def test_hours_of_different_hardware_have_no_mean(record: Record) -> None:
    runs = [
        on("NVIDIA H200", 1, record, seed=1),
        on("NVIDIA H200", 4, record, seed=3),
        on("x86_64 CPU, 1 threads", 8, record, seed=2),
    ]
    cell = cells(full_test_table(Results(runs), 20), "tr-dqn")["level 1"]
    assert cell.splitlines()[-1] == "2.5 h H200, 8.0 h CPU"


def test_hardware_has_short_names() -> None:
    names = ("NVIDIA A100-SXM4-80GB", "arm64 CPU, 8 threads")
    assert [*map(short_name, names)] == ["A100-SXM4-80GB", "CPU"]


def test_what_never_differs_has_no_interval(record: Record) -> None:
    runs = [variant(record, seed=seed, test=20) for seed in (1, 2, 3)]
    cell = cells(full_test_table(Results(runs), 20), "tr-dqn")["level 1"]
    assert "all 100.0 (no interval: all alike)" in cell.splitlines()
