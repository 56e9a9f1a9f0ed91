"""Which agents get a record of fresh games, and which would say something else than it seems."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gata.agents.baselines import RandomAgent
from gata.agents.playing import play
from gata.agents.stored import Stored, load_agent
from gata.errors import GataError, UsageError
from gata.evaluation.fresh import read_fresh_records, write_fresh_record
from gata.evaluation.fresh_recording import Recording
from gata.games.store import load_level

SHIPPED = "agent/tr-dqn-level1-100games-seed1"
NAME = SHIPPED.partition("/")[2]
GAMES = load_level(1, "test")[:4]
LIMIT = 50
"""Of the steps in an episode, as the agent learnt."""


@pytest.fixture(scope="module")
def stored() -> Stored:
    return load_agent(SHIPPED, "cpu")


def recorded(results: Path, stored: Stored, count: int = 4) -> None:
    recording = Recording(results, LIMIT, only_the_papers=True)
    recording.expect(SHIPPED, stored, 1, GAMES[:count])
    recording.write(SHIPPED, play(RandomAgent(), GAMES[:count]))


def changed(stored: Stored, **settings: Any) -> Stored:
    return stored._replace(card={**stored.card, "settings": stored.card["settings"] | settings})


def test_more_games_take_the_place_of_fewer_but_not_the_reverse(
    tmp_path: Path, stored: Stored
) -> None:
    for count in (2, 2, 4):
        recorded(tmp_path, stored, count)
        (record,) = read_fresh_records(tmp_path / "fresh")
        assert len(record.points) == count
    with pytest.raises(UsageError, match=rf"{NAME}\.json: has 4 games; move it, or give another"):
        recorded(tmp_path, stored, 3)
    assert read_fresh_records(tmp_path / "fresh") == [record]


def test_an_agent_does_not_take_the_place_of_another(tmp_path: Path, stored: Stored) -> None:
    recorded(tmp_path, stored)
    (record,) = read_fresh_records(tmp_path / "fresh")
    write_fresh_record(replace(record, weights_sha256="0" * 64), tmp_path / "fresh")
    with pytest.raises(UsageError, match=r"has 4 games of other weights; move it, or give another"):
        recorded(tmp_path, stored)


def test_a_place_where_nothing_can_be_written(tmp_path: Path, stored: Stored) -> None:
    (tmp_path / "fresh" / f"{NAME}.json").mkdir(parents=True)
    with pytest.raises(UsageError, match=rf"--results .*{NAME}\.json is a folder, expected a file"):
        recorded(tmp_path, stored)
    (tmp_path / "file").write_text("mine")
    with pytest.raises(UsageError, match=r"--results .*file is a file, expected a folder"):
        Recording(tmp_path / "file", LIMIT, only_the_papers=False)


def test_a_damaged_record_is_not_replaced(tmp_path: Path, stored: Stored) -> None:
    recorded(tmp_path, stored)
    path = tmp_path / "fresh" / f"{NAME}.json"
    path.write_text("{")
    with pytest.raises(GataError, match=rf"{NAME}\.json"):
        recorded(tmp_path, stored)
    assert path.read_text() == "{"


def test_who_learnt_from_unlimited_games_has_met_some(tmp_path: Path, stored: Stored) -> None:
    with pytest.raises(UsageError, match=r"learnt from unlimited games, of which many are worlds"):
        recorded(tmp_path, changed(stored, games="unlimited"))


def test_trials_are_kept_from_the_papers_runs(tmp_path: Path, stored: Stored) -> None:
    learning = stored.card["settings"]["learning"] | {"episodes": 60}
    trial = changed(stored, learning=learning)
    with pytest.raises(UsageError, match=r"has episodes 60, not 100000; give a folder of your own"):
        recorded(tmp_path, trial)
    assert not (tmp_path / "fresh").exists()
    recording = Recording(tmp_path, LIMIT, only_the_papers=False)
    recording.expect(SHIPPED, trial, 1, GAMES)
    assert recording.write(SHIPPED, play(RandomAgent(), GAMES)).is_file()


def test_other_levels_and_twins_are_refused(tmp_path: Path, stored: Stored) -> None:
    recording = Recording(tmp_path, LIMIT, only_the_papers=True)
    with pytest.raises(UsageError, match=rf"{SHIPPED} was trained on level 1: leave out --level"):
        recording.expect(SHIPPED, stored, 2, GAMES)
    recording.expect(SHIPPED, stored, 1, GAMES)
    with pytest.raises(UsageError, match=rf"two agents are called {NAME}: they have one file"):
        recording.expect(SHIPPED, stored, 1, GAMES)


def test_what_makes_no_record_is_refused(tmp_path: Path, stored: Stored) -> None:
    recording = Recording(tmp_path, LIMIT, only_the_papers=True)
    with pytest.raises(UsageError, match="1 game, expected 2 or more with --results"):
        recording.expect(SHIPPED, stored, 1, GAMES[:1])
    shorter = Recording(tmp_path, 9, only_the_papers=True)
    with pytest.raises(UsageError, match=f"--step-limit is 9, expected 50 as {SHIPPED} learnt"):
        shorter.expect(SHIPPED, stored, 1, GAMES)
    recording.expect(SHIPPED, stored, 1, GAMES)
    with pytest.raises(ValueError, match="in another order"):
        recording.write(SHIPPED, play(RandomAgent(), GAMES)[::-1])
    assert not (tmp_path / "fresh").exists()
