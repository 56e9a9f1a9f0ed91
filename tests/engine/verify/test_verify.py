"""The commands as a user types them, against real TextWorld, in small."""

import json
from dataclasses import replace

import pytest

from gata.cli import main
from gata.engine.verify import coverage, transfer, verify
from gata.engine.verify.ours import EnginePlayer

GAME = "level1/valid/46985"


class Miscounting(EnginePlayer):
    """Our engine with a flaw: points are lost once a knife is in hand."""

    def step(self, command):
        right = super().step(command)
        return replace(right, score=-1) if "knife" in right.inventory else right


def run(capsys, tmp_path, *arguments):
    code = main(["engine", *arguments, "--jobs", "1", "--output", str(tmp_path / "run")])
    report = json.loads((tmp_path / "run" / "report.json").read_text())
    return code, report, capsys.readouterr().out


@pytest.mark.textworld
def test_verify_passes_and_reports(capsys, tmp_path):
    pytest.importorskip("textworld")
    code, report, out = run(capsys, tmp_path, "verify", "--games", GAME, "--steps", "40")
    assert code == 0
    assert report["steps"] == 40
    assert report["steps per game"] == {GAME: 40}
    assert report["mismatches"] == report["errors"] == []
    assert report["versions"]["textworld"] == "1.7.0"
    assert ["end", "won", 1] in report["coverage"]
    assert "1 games, 40 steps compared, 0 mismatches" in out
    unseen = sum(count == 0 for _, _, count in report["coverage"])
    assert f"{unseen} rows of the table were not seen" in out
    assert "\t0\n" not in out


@pytest.mark.textworld
def test_verify_shows_a_flaw_in_one_command(capsys, tmp_path, monkeypatch):
    pytest.importorskip("textworld")
    monkeypatch.setattr(verify, "EnginePlayer", Miscounting)
    code, report, out = run(capsys, tmp_path, "verify", "--games", GAME, "--steps", "40")
    assert code == 1
    (first, *_) = report["mismatches"]
    assert first["game"] == GAME
    assert first["fields"] == ["score"]
    assert len(first["commands"]) == 1
    assert first["commands"][0].startswith("take knife from ")
    assert first["explanation"] in out


@pytest.mark.textworld
def test_verify_fails_where_a_message_fits_no_row(capsys, tmp_path, monkeypatch):
    pytest.importorskip("textworld")
    monkeypatch.setitem(coverage._BY_VERB, "inventory", ())
    code, report, out = run(capsys, tmp_path, "verify", "--games", GAME, "--steps", "40")
    assert code == 1
    assert report["mismatches"] == []
    assert any(message.startswith("inventory: ") for message in report["unknown messages"])
    assert "0 messages of no known kind" not in out


@pytest.mark.textworld
def test_transfer_agrees_and_notices_when_it_does_not(capsys, tmp_path, monkeypatch):
    pytest.importorskip("textworld")
    arguments = ("transfer", "--games", GAME, "--seeds", "1", "--steps", "10")
    code, report, _ = run(capsys, tmp_path, *arguments)
    assert code == 0
    walkthrough = report["results"][GAME]["walkthrough"]
    assert walkthrough["textworld"] == walkthrough["gata"]
    assert report["outcome"] == ["score", "steps", "end"]
    assert walkthrough["gata"][2] == "won"
    players = {"textworld": transfer._PLAYERS["textworld"], "gata": Miscounting}
    monkeypatch.setattr(transfer, "_PLAYERS", players)
    code, report, out = run(capsys, tmp_path / "flawed", *arguments)
    assert code == 1
    assert report["differing"] == [GAME]
    assert GAME in out


@pytest.mark.parametrize(
    "arguments",
    [
        ["engine", "verify", "--steps", "0"],
        ["engine", "verify", "--games", "level9"],
        ["engine", "transfer", "--at-most", "0"],
        ["bench", "engine", "--levels", "7"],
        ["bench", "engine", "--seconds", "0"],
        ["bench", "engine", "--batches", "0"],
    ],
)
def test_nonsense_is_bad_use(arguments, capsys):
    assert main(arguments) == 2
    assert "expected" in capsys.readouterr().err


@pytest.mark.textworld
def test_what_textworld_leaves_to_chance_is_not_compared(capsys, tmp_path):
    """Four slots in use and five ingredients: TextWorld's rule for four frees any other slot."""
    pytest.importorskip("textworld")
    game = "recipe5+take2+cook+cut+drop/valid/5"
    code, report, _ = run(capsys, tmp_path, "verify", "--games", game, "--steps", "60")
    assert code == 0
    assert report["episodes ended by chance"] == 1
    assert report["steps"] == 60
