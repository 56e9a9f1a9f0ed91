"""``gata evaluate --split fresh`` as a user types it; TextWorld makes the games."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from gata.agents import RandomAgent
from gata.agents.playing import play, summarise
from gata.evaluation.fresh import games_digest, read_fresh_records
from gata.games.store import load_set
from tests.cli.test_games import run

pytest.importorskip("textworld", reason="making games needs the [textworld] extra")
pytestmark = pytest.mark.textworld

from gata.games import streams  # noqa: E402

SHIPPED = "agent/tr-dqn-level1-100games-seed1"
FRESH = ("--split", "fresh", "--device", "cpu")


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "CHUNK_SIZE", 3)
    monkeypatch.setitem(streams.STREAMS, "fresh", replace(streams.FRESH, set_size=4))


def test_fresh_games_are_played_and_recorded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "results"
    arguments = ("evaluate", SHIPPED, "random", *FRESH, "--json")
    code, output, errors = run(capsys, *arguments, "--results", str(results))
    assert code == 0
    trained, random = json.loads(output)
    games = load_set("level1/fresh")
    assert [(row["agent"], row["games"]) for row in (trained, random)] == [
        (SHIPPED, 4),
        ("random", 4),
    ]
    assert trained["split"] == "fresh"
    assert random["score %"] == summarise(play(RandomAgent(), games)).score
    (record,) = read_fresh_records(results / "fresh")
    assert f"{results / 'fresh' / record.name}.json: written" in errors
    assert record.name == SHIPPED.partition("/")[2]
    assert record.scores.mean() == pytest.approx(trained["score %"])
    assert record.games_sha256 == games_digest(games)

    _, output, _ = run(capsys, *arguments, "--fresh-games", "2", "--per-game")
    assert [row["game"] for row in json.loads(output)] == [*games.names[:2]] * 2
    assert json.loads(output)[0]["split"] == "fresh/2"


def test_streams_are_made_chunk_by_chunk(
    own_cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As many fresh games as their set has, unlimited ones of one chunk, or as many as is said."""

    def chunks(*words: str) -> int:
        assert run(capsys, "games", "make", *words, "--jobs", "1")[0] == 0
        stream = "fresh" if words[0].endswith("fresh") else "unlimited"
        return len(list((own_cache / "games" / stream / "level1").glob("*.games")))

    assert chunks("level1/fresh") == 2
    assert chunks("level1/unlimited") == chunks("level1") == 1
    assert chunks("level1", "--count", "4") == 2
    code, _, errors = run(capsys, "games", "make", "level1/other")
    assert code == 2
    assert errors == ("gata: level1/other: expected level1, level1/unlimited or level1/fresh\n")


def test_who_is_not_trained_has_no_record(
    tmp_path: Path, own_cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """That is told before games are made."""
    words = ("evaluate", "random", "--level", "1", *FRESH, "--results", str(tmp_path / "mine"))
    code, output, errors = run(capsys, *words)
    assert (code, output) == (2, "")
    assert errors == "gata: --results is for trained agents, and none is named\n"
    assert not (own_cache / "games" / "fresh").exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--fresh-games", "5"), "--fresh-games is for fresh games, but --split is test"),
        (("--results", "mine"), "--results is for fresh games, but --split is test"),
        ((*FRESH, "--fresh-games", "0"), "--fresh-games is 0, expected 1 to 999999"),
        (
            (*FRESH, "--results", "mine", "--step-limit", "9"),
            f"--step-limit is 9, expected 50 as {SHIPPED} learnt",
        ),
        (
            (*FRESH, "--results", "mine", "--level", "2"),
            f"{SHIPPED} was trained on level 1: leave out --level",
        ),
        (
            (SHIPPED, *FRESH, "--results", "mine"),
            "two agents are called tr-dqn-level1-100games-seed1: they have one file",
        ),
        ((*FRESH, "--level", "9"), "unknown level 9, expected 1 to 5"),
        ((*FRESH, "--fresh-games", "1000000"), "--fresh-games is 1000000, expected 1 to 999999"),
        ((*FRESH, "--results", "/proc/nope"), "--results /proc/nope/fresh: cannot write there ("),
    ],
)
def test_mistakes_are_told_before_anybody_plays(
    arguments: tuple[str, ...],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    code, output, errors = run(capsys, "evaluate", SHIPPED, *arguments)
    assert (code, output) == (2, "")
    assert errors.startswith(f"gata: {told}")
    assert errors.count("\n") == 1
    assert not (tmp_path / "mine").exists()
