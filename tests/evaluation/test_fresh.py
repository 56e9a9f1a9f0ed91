"""What agents did on fresh games: written, read, refused."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from gata.agents import WalkthroughAgent
from gata.agents.playing import Episode, play
from gata.agents.stored import Stored, load_agent, save_agent
from gata.errors import GataError, UsageError
from gata.evaluation.fresh import (
    DIGESTS,
    FreshRecord,
    about_agent,
    fresh_record,
    games_digest,
    read_fresh_records,
    write_fresh_record,
)
from gata.games.identity import fingerprint
from gata.games.store import load_level
from gata.games.streams import FRESH
from tests.agents.brains import small_brain
from tests.prose import ROOT

SHIPPED = "agent/tr-dqn-level1-100games-seed1"
GAMES = load_level(1, "test")[:4]


@pytest.fixture(scope="module")
def stored() -> Stored:
    return load_agent(SHIPPED, "cpu")


def played(*points: int) -> list[Episode]:
    """Games of twelve points each."""
    return [
        Episode(name, score, 12, score == 12, steps)
        for steps, (name, score) in enumerate(zip(GAMES.names, points, strict=True), start=1)
    ]


@pytest.fixture
def record(stored: Stored) -> FreshRecord:
    return fresh_record(about_agent(SHIPPED, stored, GAMES), GAMES.names, played(0, 3, 11, 12))


def test_points_are_those_of_the_episodes(record: FreshRecord, tmp_path: Path) -> None:
    assert record.scores.tolist() == pytest.approx([0, 25, 1100 / 12, 100])
    assert record.successes.tolist() == [0, 0, 0, 100]
    assert record.steps == 2.5
    assert (record.name, record.played) == (SHIPPED.partition("/")[2], "level1/fresh/4")
    path = write_fresh_record(record, tmp_path / "fresh")
    assert path.name == f"{record.name}.json"
    assert read_fresh_records(tmp_path / "fresh") == [record]
    assert read_fresh_records(tmp_path / "nothing") == []


def test_a_record_tells_who_played_what(record: FreshRecord, stored: Stored) -> None:
    """Other games, or others' order, have another digest; so have other weights."""
    assert games_digest(GAMES) == record.games_sha256
    assert games_digest(GAMES[:3]) != record.games_sha256
    assert games_digest(GAMES[2:] + GAMES[:2]) != record.games_sha256
    other = about_agent("agent/tr-dqn-level2-100games-seed3", stored, GAMES)
    assert other["weights_sha256"] != record.weights_sha256
    assert record.agent.name == "tr-dqn"
    assert record.settings.learning.parallel == 256
    assert record.command == f"gata evaluate {SHIPPED} --split fresh --fresh-games 4"
    assert record.trained == "2026-11-16T16:00:16+00:00"


def test_worlds_are_counted_once(stored: Stored) -> None:
    """Two games of the paper's training set of level 1 happen to be of the same world."""
    train = load_level(1, "train")
    worlds = [fingerprint(game).world for game in train]
    first = next(number for number, world in enumerate(worlds) if worlds.count(world) > 1)
    twins = [number for number, world in enumerate(worlds) if world == worlds[first]]
    games = [train[number] for number in (*twins, twins[0] + 1)]
    assert len(twins) > 1
    assert about_agent(SHIPPED, stored, games)["worlds"] == 2
    assert about_agent(SHIPPED, stored, train)["worlds"] == len(set(worlds))


def test_a_run_is_called_without_the_folders_of_a_machine(tmp_path: Path, stored: Stored) -> None:
    path = tmp_path / "weights.safetensors"
    save_agent(path, stored.brain, stored.card)
    about = about_agent(str(path), load_agent(path, "cpu"), GAMES)
    name = SHIPPED.partition("/")[2]
    assert about["command"].startswith(f"gata evaluate runs/train/{name} --split fresh")
    assert about["weights_sha256"] != about_agent(SHIPPED, stored, GAMES)["weights_sha256"]


def test_what_a_walkthrough_wins_is_won(stored: Stored) -> None:
    episodes = play(WalkthroughAgent(), GAMES)
    made = fresh_record(about_agent(SHIPPED, stored, GAMES), GAMES.names, episodes)
    assert made.points == made.max_points == "4444"
    assert made.successes.tolist() == [100] * 4


def test_points_of_other_games_or_in_another_order_are_refused(stored: Stored) -> None:
    about, episodes = about_agent(SHIPPED, stored, GAMES), played(0, 3, 11, 12)
    for other in (episodes[::-1], episodes[:3]):
        with pytest.raises(ValueError, match="not of these games, or in another order"):
            fresh_record(about, GAMES.names, other)


def test_a_run_that_is_not_over_has_no_record(stored: Stored) -> None:
    card = {name: value for name, value in stored.card.items() if name != "date"}
    with pytest.raises(UsageError, match=f"{SHIPPED}: this run is not over"):
        about_agent(SHIPPED, stored._replace(card=card), GAMES)


def test_the_published_games_are_known_by_their_content() -> None:
    """Who changes where the stream begins, or its size, makes other games than those of figures."""
    assert (FRESH.first_seed, FRESH.set_size) == (1_000_000_000, 1_000)
    assert list(DIGESTS) == [f"level{level}/fresh/1000" for level in range(1, 6)]
    for level in (1, 2):
        path = ROOT / "results" / "analysis" / f"fresh_guessing_level{level}.json"
        told = json.loads(path.read_text("utf-8"))
        assert told["games_sha256"] == DIGESTS[f"level{level}/fresh/1000"]


def test_weights_of_no_run_have_no_record(tmp_path: Path) -> None:
    path = tmp_path / "mine.safetensors"
    save_agent(path, small_brain("tr-dqn", tmp_path), {})
    with pytest.raises(UsageError, match=r"mine\.safetensors: not of a run of `gata train`"):
        about_agent(str(path), load_agent(path, "cpu"), GAMES)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"name": "another"}, "name is 'another', expected 'tr-dqn-level1-100games-seed1' as the"),
        ({"points": "03-c"}, "points has '-', expected digits and letters from a to z"),
        ({"points": "03b"}, "points and max_points are of 3 and 4 games, expected as many, 2 or"),
        (
            {"points": "0", "max_points": "c"},
            "points and max_points are of 1 and 1 games",
        ),
        ({"points": "03bd"}, "points[3] is d of c, expected no more than there are"),
        ({"max_points": "0ccc"}, "points[0] is 0 of 0, expected no more than there are"),
        ({"played": "level1/fresh/9"}, "played is 'level1/fresh/9', expected 'level1/fresh/4' as"),
        ({"worlds": 5}, "worlds is 5, expected 1 to 4, the number of games"),
        ({"steps": 51.0}, "steps is 51.0, expected 1 to 50"),
        ({"games_sha256": "x"}, "games_sha256 is 'x', expected 64 digits and letters a to f"),
        ({"weights_sha256": "x"}, "weights_sha256 is 'x', expected 64 digits and letters a to f"),
        ({"trained": "yesterday"}, "trained is 'yesterday', expected one such as"),
        ({"settings": {"agent": "abc"}}, "settings.learning is missing"),
        ({"steps": "many"}, "steps is 'many', expected a number"),
        ({"colour": 1}, "colour is not a field of FreshRecord"),
    ],
)
def test_a_record_that_makes_no_sense_is_refused(
    changes: dict[str, object], told: str, record: FreshRecord, tmp_path: Path
) -> None:
    path = write_fresh_record(record, tmp_path)
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))
    with pytest.raises(GataError) as refused:
        read_fresh_records(tmp_path)
    assert str(refused.value).startswith(f"{path}: {told}")
    assert str(refused.value).endswith("`gata evaluate` with --results makes it again")


def test_published_sets_have_one_content(record: FreshRecord, tmp_path: Path) -> None:
    played, digest = next(iter(DIGESTS.items()))
    all_lost = {"points": 1000 * "0", "max_points": 1000 * "4", "worlds": 949, "played": played}
    path = write_fresh_record(replace(record, **all_lost, games_sha256=digest), tmp_path)
    assert read_fresh_records(tmp_path)[0].games_sha256 == digest
    write_fresh_record(replace(record, **all_lost), tmp_path)
    with pytest.raises(GataError, match=rf"{path.name}: games_sha256 is .* of {played}"):
        read_fresh_records(tmp_path)


def test_the_file_has_the_name_of_the_run(record: FreshRecord, tmp_path: Path) -> None:
    write_fresh_record(record, tmp_path).rename(tmp_path / "other.json")
    with pytest.raises(GataError, match=r"other\.json: name is .* expected that of the file"):
        read_fresh_records(tmp_path)


def test_an_agent_of_another_name_than_its_settings(record: FreshRecord, tmp_path: Path) -> None:
    other = replace(record, agent=replace(record.agent, name="gtf"))
    write_fresh_record(other, tmp_path)
    with pytest.raises(GataError, match=r"agent\.name is 'gtf', expected 'tr-dqn' as the settings"):
        read_fresh_records(tmp_path)
