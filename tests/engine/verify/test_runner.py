"""A run goes on where it stopped, and forgets what no longer holds."""

import json
from pathlib import Path

import pytest

from gata.engine.verify import runner
from gata.language.vocabulary import Vocabulary


def count_letters(name, settings):
    log = settings["log"]
    with Path(log).open("a") as stream:
        stream.write(name + "\n")
    if name == "bad":
        raise ValueError("cannot be played")
    return {"letters": len(name)}


@pytest.fixture
def run(tmp_path):
    log = tmp_path / "log"

    def call(names, jobs=1, **settings):
        log.write_text("")
        settings = {"log": str(log), **settings}
        results = runner.run_games(
            count_letters, names, settings, tmp_path / "run", jobs=jobs, title="counting"
        )
        return results, sorted(log.read_text().split())

    return call


def test_second_run_plays_only_what_is_missing(run):
    run(["one", "three"])
    results, played = run(["one", "two", "three"])
    assert played == ["two"]
    assert results == {"one": {"letters": 3}, "two": {"letters": 3}, "three": {"letters": 5}}


def test_processes_give_the_same_results(run):
    results, played = run(["one", "two", "three"], jobs=2)
    assert played == ["one", "three", "two"]
    assert results["three"] == {"letters": 5}


def test_failed_game_is_reported_and_tried_again(run):
    results, _ = run(["one", "bad"])
    assert results["bad"] == {"error": "ValueError: cannot be played"}
    _, played = run(["one", "bad"])
    assert played == ["bad"]


def test_other_settings_start_anew(run):
    run(["one"], steps=1)
    _, played = run(["one"], steps=2)
    assert played == ["one"]


def test_changed_code_starts_anew(run, monkeypatch):
    run(["one"])
    monkeypatch.setattr(runner, "code_fingerprint", lambda: "another")
    _, played = run(["one"])
    assert played == ["one"]


def test_the_fingerprint_depends_on_the_words(monkeypatch):
    before = runner.code_fingerprint()
    runner.code_fingerprint.cache_clear()
    words = Vocabulary.of(["carrot"], "another")
    monkeypatch.setattr(runner, "default", lambda: words)
    assert runner.code_fingerprint() != before
    runner.code_fingerprint.cache_clear()
    monkeypatch.undo()
    assert runner.code_fingerprint() == before


def test_damaged_result_is_played_again(run, tmp_path):
    run(["one"])
    (file,) = (tmp_path / "run" / "games").iterdir()
    file.write_text(file.read_text()[:20])
    _, played = run(["one"])
    assert played == ["one"]


def test_names_that_look_alike_do_not_collide(run):
    results, _ = run(["a/b", "a_b", "a:b!"])
    assert [result["letters"] for result in results.values()] == [3, 3, 4]


def test_report_says_how_it_was_made(tmp_path):
    report = json.loads(runner.write_report(tmp_path, {"steps": 7}).read_text())
    assert report["steps"] == 7
    assert {"command", "date", "versions", "code"} <= report.keys()
    assert report["versions"]["python"].startswith("3.")
