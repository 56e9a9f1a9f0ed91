"""Runs and their records: small ones, but real."""

import json
import math
import os
import shutil
import signal
import time
from dataclasses import asdict, fields, replace
from pathlib import Path

import pytest
import torch

from gata.agents.greedy import GreedyAgent
from gata.agents.playing import Episode, play
from gata.agents.presets import find
from gata.agents.stored import load_agent
from gata.console import Bars
from gata.errors import GataError
from gata.evaluation.collect import collect, read_curve
from gata.evaluation.record_files import read_record, read_records, write_record
from gata.evaluation.records import CurvePoint, Record
from gata.games.store import load_level
from gata.rl.about import Weights
from gata.rl.loop import Trainer
from gata.training.interruption import Interruption
from gata.training.run import write_json
from tests.belief.networks import settings as network_settings
from tests.paper.short_runs import run_short, short, short_grid

POINT = [field.name for field in fields(CurvePoint)]
GAME = [field.name for field in fields(Episode)]
"""The columns of a record's tables."""


def test_a_run_is_trained_and_recorded(folder: Path, record: Record) -> None:
    run = folder / "runs" / record.name
    assert record.episodes >= 120
    assert [point.episodes // 60 for point in record.curve] == [1, 2]
    assert record.training_score == max(
        point.train_score for point in record.curve if point.train_score is not None
    )
    told = json.loads((run / "results.json").read_text())
    # What the record derives from single games is what the run said itself.
    assert record.test_score == told["test"]["score"]
    assert record.valid_score == pytest.approx(told["valid"]["score"])
    assert record.valid_score == pytest.approx(max(p.valid_score for p in record.curve), abs=1e-4)
    agent = GreedyAgent(load_agent(run, torch.device("cpu")).brain)
    assert tuple(play(agent, load_level(1, "test"), step_limit=4)) == record.test_games


def test_a_record_says_which_weights_it_was_trained_with(
    folder: Path, record: Record, tmp_path: Path
) -> None:
    assert (record.updater_sha256, record.encoder_sha256) == (None, None)
    shutil.copytree(folder / "runs", tmp_path / "runs")
    run = tmp_path / "runs" / record.name
    about = json.loads((run / "settings.json").read_text())
    about["settings"]["agent"] = "gata-og-init"
    about |= {"agent": asdict(find("gata-og-init")), "weights": asdict(Weights("a", "b"))}
    write_json(run / "settings.json", about)
    assert collect(run).weights == Weights("a", "b")
    del about["weights"]  # as of an earlier version
    write_json(run / "settings.json", about)
    assert collect(run).weights == Weights(None, None)


def test_a_run_that_is_over_is_only_recorded(folder: Path, record: Record, tmp_path: Path) -> None:
    shutil.copytree(folder / "runs", tmp_path / "runs")
    over, other = run_short(short_grid(seeds=2), tmp_path, at_once=2)
    # It was alone, but that is not known here; the other one is.
    assert over.record == replace(record, network=network_settings(), at_once=None)
    assert (record.at_once, other.record.at_once) == (1, 1)


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("steps", "many", "steps is 'many', expected a whole number"),
        ("training_seconds", "x", "training_seconds is 'x', expected a number"),
        ("valid_games", 3, "valid_games is 3, expected a list"),
        ("hardware", None, "hardware is missing"),
    ],
)
def test_results_that_are_none_get_no_record(
    folder: Path, record: Record, tmp_path: Path, field: str, value, told: str
) -> None:
    shutil.copytree(folder / "runs", tmp_path / "runs")
    path = tmp_path / "runs" / record.name / "results.json"
    results = json.loads(path.read_text()) | {field: value}
    write_json(path, {name: value for name, value in results.items() if value is not None})
    (outcome,) = run_short(short_grid(), tmp_path)
    assert (outcome.record, outcome.problem) == (None, f"{path}: {told}")
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize(("field", "value"), [("steps", "many"), ("training_seconds", math.nan)])
def test_what_cannot_be_read_back_is_not_written(
    record: Record, tmp_path: Path, field: str, value
) -> None:
    with pytest.raises(GataError, match=f"{record.name}: {field} is {value!r}, expected a"):
        write_record(replace(record, **{field: value}), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_fails_is_told_and_the_others_are_recorded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = short_grid(seeds=2, episodes=20)
    about = {"settings": asdict(replace(runs[0], learning=short(batch=5)))}
    write_json(tmp_path / "runs" / runs[0].name / "settings.json", about)
    failed, fine = run_short(runs, tmp_path, at_once=2)
    assert (failed.name, failed.record) == (runs[0].name, None)
    # In the user's words: no class of Python, no option of another command.
    assert failed.problem == (
        f"{tmp_path / 'runs' / runs[0].name / 'settings.json'}: this run has batch 5, not 4"
        " and episodes 120, not 20; choose another --runs, or delete the folder to begin anew"
    )
    assert f"{runs[0].name}: failed; {failed.problem}\n" in capsys.readouterr().err
    assert fine.record.at_once == 2
    assert read_records(tmp_path / "results" / "agents") == [fine.record]


def test_what_is_over_is_recorded_on_ctrl_c(
    folder: Path, record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(folder / "runs", tmp_path / "runs")

    train = Trainer.train

    def interrupted(self: Trainer, stop: Interruption, bars: Bars):
        os.kill(os.getpid(), signal.SIGINT)
        while not stop.wanted:  # the signal is for another thread
            time.sleep(0.01)
        return train(self, stop, bars)

    with monkeypatch.context() as patched:
        patched.setattr(Trainer, "train", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run_short(short_grid(seeds=2), tmp_path)
    (over,) = read_records(tmp_path / "results" / "agents")
    assert over == replace(record, network=network_settings(), at_once=None)
    assert (tmp_path / "runs" / short_grid(seeds=2)[1].name / "checkpoint.safetensors").exists()
    _, gone_on_with = run_short(short_grid(seeds=2), tmp_path)
    assert gone_on_with.record.at_once is None


def test_records_survive_files(record: Record, tmp_path: Path) -> None:
    path = write_record(record, tmp_path)
    before = path.read_bytes()
    assert read_record(path) == record
    assert write_record(read_record(path), tmp_path).read_bytes() == before
    assert record.departures()[0] == "episodes 120, not 100000"
    assert record.command.startswith("gata train --agent tr-dqn --level 1 --games 20 --seed 1 --ep")


def test_points_and_games_are_lines_below_the_names_of_their_columns(
    record: Record, tmp_path: Path
) -> None:
    lines = write_record(record, tmp_path).read_text().splitlines()
    for name, columns in (("curve", POINT), ("valid_games", GAME), ("test_games", GAME)):
        items = getattr(record, name)
        first = lines.index(f'  "{name}": [') + 1
        rows = [json.loads(line.rstrip(",")) for line in lines[first : first + 1 + len(items)]]
        assert rows == [columns, *(list(asdict(item).values()) for item in items)]


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("name", "other", "name is 'other'"),
        ("curve", [POINT], "curve is empty"),
        ("curve", [], "curve is [], expected column names and below them rows of values"),
        ("steps", "many", "steps is 'many', expected a whole number"),
        ("training_seconds", -1.0, "training_seconds is -1.0"),
        ("episodes", 119, "episodes is 119, expected 120 or more"),
        ("valid_games", [{"game": "x"}], "the first row of valid_games is {'game': 'x'}, expected"),
        ("test_games", [["game"]], "column test_games.score is missing"),
        ("test_games", [[*GAME, "colour"]], "column test_games.colour is not a field of Episode"),
        ("test_games", [GAME, ["x", 1]], "test_games[0] is ['x', 1], expected a row with values"),
        ("test_games", [GAME], "test_games are not the 20 test games of level 1"),
        ("colour", "red", "colour is not a field of Record"),
        ("updates", -5, "updates is -5, expected 0 or more"),
        ("at_once", 0, "at_once is 0, expected 1 or more"),
        ("hardware", " ", "hardware is empty"),
        ("date", "yesterday", "date is 'yesterday', expected one such as 2020-02-21T"),
        ("command", "gata train", "command is 'gata train', expected 'gata train --agent tr-dqn"),
        ("agent", asdict(find("gtf")), "agent.name is 'gtf', expected 'tr-dqn'"),
        ("updater_sha256", "0" * 64, f"updater_sha256 is '{'0' * 64}', but the agent has no"),
    ],
)
def test_a_record_that_is_wrong_is_refused(
    record: Record, tmp_path: Path, field: str, value, told: str
) -> None:
    path = write_record(record, tmp_path)
    path.write_text(json.dumps(json.loads(path.read_text()) | {field: value}))
    with pytest.raises(GataError) as caught:
        read_record(path)
    assert str(caught.value).startswith(f"{path}: {told}")


@pytest.mark.parametrize(
    ("split", "change", "told"),
    [
        ("test_games", {"score": 5}, "test_games[0].score is 5 of 4"),
        ("valid_games", {"won": True, "score": 1}, "valid_games[0] is won with 1 of 4"),
        ("valid_games", {"game": "level1/test/1"}, "valid_games are not the 20"),
        ("test_games", {"max_score": 8}, "test_games[0].max_score is 8, expected 4, the game's"),
        ("test_games", {"won": False, "score": 4}, "test_games[0] is not won with 4 of 4"),
        ("test_games", {"steps": 5}, "test_games[0].steps is 5, expected 1 to 4"),
        ("curve", {"valid_score": 100.0}, "valid_games have a score of "),
        ("curve", {"episodes": 0}, "curve[0].episodes is 0, expected more than 0"),
        ("curve", {"episodes": 999}, "curve[0].episodes is 999, expected 1"),
        ("curve", {"train_score": "x"}, "curve[0].train_score is 'x', expected a number"),
        ("valid_games", {"won": 1}, "valid_games[0].won is 1, expected true or false"),
    ],
)
def test_games_that_cannot_be_are_refused(
    record: Record, tmp_path: Path, split: str, change: dict, told: str
) -> None:
    path = write_record(record, tmp_path)
    value = json.loads(path.read_text())
    columns, first, *_ = value[split]
    first[:] = (dict(zip(columns, first, strict=True)) | change).values()
    path.write_text(json.dumps(value))
    with pytest.raises(GataError) as caught:
        read_record(path)
    assert str(caught.value).startswith(f"{path}: {told}")


def test_curves_weigh_reports_by_their_episodes(tmp_path: Path) -> None:
    lines = [
        {"kind": "train", "episodes": 100, "score": 10.0, "success": 0.0},
        {"kind": "train", "episodes": 400, "score": 50.0, "success": 4.0},
        {"kind": "valid", "episodes": 400, "score": 30.0, "success": 1.0},
        {"kind": "train", "episodes": 500, "score": 60.0, "success": 5.0},
    ]
    path = tmp_path / "metrics.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    first, last = read_curve(path)
    assert (first.train_score, first.train_success, first.valid_score) == (40.0, 3.0, 30.0)
    assert (last.episodes, last.train_score, last.valid_score) == (500, 60.0, None)
    for text in (
        '{"kind": "train"}',
        '{"kind": "train", "episodes": 9, "score": "high", "success": 0}',
        '{"kind": "valid", "episodes": 9, "score": NaN, "success": 0}',
    ):
        path.write_text(f"{text}\n")
        with pytest.raises(GataError, match="line 1 is not understood"):
            read_curve(path)


def test_a_run_that_is_not_over_has_no_record(tmp_path: Path) -> None:
    with pytest.raises(GataError, match=r"settings\.json"):
        collect(tmp_path)
