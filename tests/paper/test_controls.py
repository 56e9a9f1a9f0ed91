"""Runs that change a learning setting stand beside those that do not."""

from dataclasses import replace
from pathlib import Path

import pytest

from gata.errors import GataError
from gata.evaluation.record_files import write_record
from gata.evaluation.records import Record, command
from gata.evaluation.statistics import difference
from gata.paper.cells import Results
from gata.paper.controls import control_records, controls_table
from gata.paper.score_tables import OF_DIFFERENCES, estimate_in_words
from tests.paper.test_report import cells, mean_and_interval, variant

UPDATES = 40


def controls(record: Record, folder: Path, *won: int, **changes) -> None:
    """Write seeds with changed settings, that won so many test games and made twice the updates."""
    for seed, games in enumerate(won, start=1):
        one = variant(record, seed=seed, test=games)
        settings = replace(one.settings, learning=replace(one.settings.learning, **changes))
        made = {"settings": settings, "command": command(settings), "updates": 2 * UPDATES}
        write_record(replace(one, **made), folder / "agents")


def usual(record: Record, *won: int) -> Results:
    seeds = (variant(record, seed=i, test=games) for i, games in enumerate(won, start=1))
    return Results([replace(one, updates=UPDATES) for one in seeds])


def test_a_control_stands_beside_the_runs_that_were_not_changed(
    record: Record, tmp_path: Path
) -> None:
    controls(record, tmp_path / "clip", 5, 10, 15, clip=1.0, report_every=7)
    results = usual(record, 4, 4, 10)
    table = controls_table(tmp_path, results)
    row = cells(table, "tr-dqn")
    assert (row["level"], row["training games"]) == ("1", "20")
    assert row["changed"] == "clip 1.0, not 5.0\nunchanged"
    assert (row["seeds"], row["updates"]) == ("3\n3", "80\n40")
    score = record.training_score
    alike = f"{score:.1f}† ({score:.1f} to {score:.1f})"
    assert row["training score"] == f"{alike}\n{alike}"
    ours, theirs = (
        mean_and_interval(record.test_games, *won).replace(" ", "† ", 1)
        for won in ((5, 10, 15), (4, 4, 10))
    )
    assert row["test score"] == f"{ours}\n{theirs}"
    changed = Results.read(tmp_path / "clip" / "agents").cell("tr-dqn", 1, 20)
    made = difference(changed.test_scores, results.cell("tr-dqn", 1, 20).test_scores)
    assert made.mean == pytest.approx(20)
    assert row["points more"] == estimate_in_words(made, marks="†", signed=True)
    assert table.notes == (OF_DIFFERENCES,)


def test_controls_with_other_games_at_once_say_so(record: Record, tmp_path: Path) -> None:
    """In the row, or, where the runs beside them have not all as many, by a mark."""
    controls(record, tmp_path / "clip", 5, clip=1.0, parallel=256)
    controls(record, tmp_path / "parallel", 5, parallel=256)
    both, alone = controls_table(tmp_path, usual(record, 4)).rows
    assert both[3] == "clip 1.0, not 5.0, parallel 256, not 20\nunchanged"
    assert both[-1] == "+5.0† (1 seed, too few)"
    assert alone[3] == "parallel 256, not 20\nunchanged"
    one, other = usual(record, 4, 4).records
    learning = replace(other.settings.learning, parallel=7)
    mixed = replace(other, settings=replace(other.settings, learning=learning))
    for row in controls_table(tmp_path, Results([one, mixed])).rows:
        assert "parallel" not in row[3]
        assert row[-1].startswith("+5.0†‡")


def test_a_control_without_usual_runs_is_told_beside_the_paper(
    record: Record, tmp_path: Path
) -> None:
    controls(record, tmp_path / "clip", 5, clip=1.0)
    row = cells(controls_table(tmp_path, Results([])), "tr-dqn")
    assert "clip 1.0, not 5.0" in row["changed"]
    assert "episodes 120, not 100000" in row["changed"]
    assert row["points more"] == "·"
    for column in ("seeds", "updates", "training score", "test score"):
        assert row[column].endswith("\n·")


def test_each_kind_of_control_has_its_rows(record: Record, tmp_path: Path) -> None:
    controls(record, tmp_path / "clip", 5, clip=1.0)
    controls(record, tmp_path / "batch", 5, batch=5)
    (tmp_path / "README.md").write_text("what they are")
    told = [each.settings.learning for each in control_records(tmp_path)]
    assert [(each.batch, each.clip) for each in told] == [(5, 5.0), (4, 1.0)]
    rows = controls_table(tmp_path, usual(record, 4)).rows
    assert [row[3] for row in rows] == ["batch 5, not 4\nunchanged", "clip 1.0, not 5.0\nunchanged"]
    assert controls_table(tmp_path / "nothing", Results([])).rows == ()


def test_controls_of_two_kinds_in_one_folder_are_refused(record: Record, tmp_path: Path) -> None:
    controls(record, tmp_path / "clip", 5, clip=1.0)
    other = variant(record, seed=2)
    write_record(other, tmp_path / "clip" / "agents")
    with pytest.raises(GataError, match=r"settings\.learning\.clip is 1\.0 and 5\.0"):
        controls_table(tmp_path, Results([]))
