"""Transcripts come back as they were written; damaged ones are refused."""

import lzma
from dataclasses import replace

import pytest

from gata.engine.verify.snapshot import Tokens
from gata.engine.verify.transcripts import (
    EMPTY,
    Step,
    Transcript,
    TranscriptFile,
    TranscriptPlayer,
)
from gata.errors import GataError
from gata.facts import Fact, Variable
from gata.games.store import load_set
from gata.graph.triples import Triple

CARROT = Variable("f_0", "f")
IN_FRIDGE = Fact("in", (CARROT, Variable("c_0", "c")))
CARRIED = Fact("in", (CARROT, Variable("I", "I")))


def changed(snapshot, **changes):
    """The snapshot with some fields changed and the tokens that follow from its texts."""
    new = replace(snapshot, **changes)
    return replace(new, tokens=Tokens.of(new.feedback, new.description, new.inventory))


FIRST = changed(
    EMPTY,
    feedback="Hello\n'there' ",
    commands=("BBQ", "look", "take"),
    max_score=4,
    facts=frozenset({IN_FRIDGE}),
    full_graph=frozenset({Triple("green hot pepper", "fridge", "in")}),
)
SECOND = changed(
    FIRST,
    feedback="You take",
    commands=("drop", "look"),
    score=1,
    moves=1,
    last_action="take",
    facts=frozenset({CARRIED}),
    full_graph=frozenset({Triple("green hot pepper", "player", "in")}),
    seen_graph=frozenset({Triple("exit", "kitchen", "north_of")}),
)
LAST = changed(SECOND, last_action=None, won=True, done=True, commands=("a", "z"))


@pytest.fixture
def file():
    game = load_set("level1/train/1")[0]
    steps = [Step(None, FIRST), Step("take", SECOND), Step("z", LAST), Step(None, FIRST)]
    return TranscriptFile("gata engine record", {"textworld": "1.7.0"}, (Transcript(game, steps),))


def test_comes_back_as_it_was(file, tmp_path):
    path = tmp_path / "some.transcripts"
    file.save(path)
    again = TranscriptFile.load(path)
    assert again.transcripts[0].steps == file.transcripts[0].steps
    assert again.transcripts[0].game.content_hash == file.transcripts[0].game.content_hash
    assert again.versions == file.versions


def test_same_transcripts_give_the_same_bytes(file, tmp_path):
    file.save(tmp_path / "a")
    file.save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_episodes_begin_at_each_start(file):
    lengths = [len(episode) for episode in file.transcripts[0].episodes()]
    assert lengths == [3, 1]


def test_playing_back_insists_on_the_recorded_commands(file):
    player = TranscriptPlayer(file.transcripts[0])
    assert player.reset() == FIRST
    assert player.step("take") == SECOND
    with pytest.raises(GataError, match="'z', not 'look'"):
        player.step("look")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no xz",
        lzma.compress(b"no json"),
        lzma.compress(b"[]"),
        lzma.compress(b'{"format": "gata transcripts", "version": 99}'),
        lzma.compress(b'{"format": "gata transcripts", "version": 2}'),
        lzma.compress(
            b'{"format": "gata transcripts", "version": 2, "made_by": "", "versions": {},'
            b' "transcripts": [{"name": "x", "game": {}, "steps": []}]}'
        ),
    ],
)
def test_damaged_file_is_refused_by_name(content, tmp_path):
    path = tmp_path / "broken.transcripts"
    path.write_bytes(content)
    with pytest.raises(GataError):
        TranscriptFile.load(path)


def test_missing_file_is_refused_by_name(tmp_path):
    with pytest.raises(GataError, match=r"none\.transcripts"):
        TranscriptFile.load(tmp_path / "none.transcripts")
