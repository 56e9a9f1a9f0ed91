"""The ``gata pretrain`` commands as a user types them."""

import json
from pathlib import Path

import pytest

from gata.cache import cache_dir
from gata.pretrain.data.corpus import META_FILE, Corpus
from tests.cli.test_games import run

GAMES = "level1/train/1"


def test_a_corpus_is_made_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "corpus"
    arguments = ("pretrain", "data", "--games", GAMES, "-o", str(folder), "--branch", "2")
    code, output, _ = run(capsys, *arguments, "--json")
    assert code == 0
    (figures,) = json.loads(output)
    corpus = Corpus.open(folder)
    assert figures["set"] == GAMES
    assert figures["games"] == 1
    assert figures["records"] == len(corpus.record_game)
    assert figures["examples"] == len(corpus.option_command)
    assert figures["seconds"] > 0
    written = (folder / META_FILE).stat().st_mtime_ns

    code, output, errors = run(capsys, *arguments, "--json")
    assert code == 0
    assert "kept" in errors
    assert json.loads(output) == [{**figures, "seconds": None}]
    assert (folder / META_FILE).stat().st_mtime_ns == written

    code, _, errors = run(capsys, *arguments, "--seed", "5")
    assert code == 2
    assert "--again" in errors
    assert (folder / META_FILE).stat().st_mtime_ns == written

    code, _, _ = run(capsys, *arguments, "--seed", "5", "--again")
    assert code == 0
    assert Corpus.open(folder).request.seed == 5

    damaged = folder / "record_text.npy"
    damaged.write_bytes(damaged.read_bytes()[:-1])
    code, _, errors = run(capsys, *arguments, "--seed", "5")
    assert code == 0
    assert "record_text.npy: damaged" in errors
    assert Corpus.open(folder).request.seed == 5


def test_lengths(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a folder everything goes to the cache, one folder per split or set."""
    code, _, errors = run(capsys, "pretrain", "data", "--games", GAMES, "--branch", "1")
    assert code == 0
    folder = cache_dir() / "corpora" / "level1-train-1"
    assert str(folder) in errors
    code, output, _ = run(capsys, "pretrain", "lengths", str(folder))
    assert code == 0
    rows = [line.split("\t") for line in output.splitlines()]
    assert rows[0][0] == "length in"
    assert "records of a path" in {row[0] for row in rows}
    code, _, errors = run(capsys, "pretrain", "lengths", str(folder / "train"))
    assert code == 1
    assert "gata pretrain data" in errors


def test_unknown_games(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, errors = run(capsys, "pretrain", "data", "--games", "moon")
    assert code == 2
    assert "moon" in errors
