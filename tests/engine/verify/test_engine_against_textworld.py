"""The engine says what TextWorld says: against transcripts everywhere, live where it is installed.

The transcripts were made by the command in their ``made_by`` field.
"""

from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from gata.engine import VectorEnv
from gata.engine.verify.check import check_game
from gata.engine.verify.compare import Duel
from gata.engine.verify.ours import EnginePlayer
from gata.engine.verify.record import coverage_of
from gata.engine.verify.transcripts import TranscriptFile, TranscriptPlayer
from gata.errors import UsageError
from gata.games import load_game
from gata.graph.vocabulary import GraphVocabulary

DATA = Path(__file__).parents[2] / "data"
COOKING = DATA / "engine.transcripts"
FULL_HANDS = DATA / "full_hands.transcripts"
OTHER_CHALLENGES = DATA / "other.transcripts"
RECORDED = (COOKING, FULL_HANDS, OTHER_CHALLENGES)

LIVE_GAMES = (
    *(f"level{level}/{game}" for level in (1, 2, 3, 4) for game in ("train/6916",)),
    "difficulty1/train/3058",
    "difficulty2/train/8514",
    "difficulty4/train/3109",
    "difficulty6/train/2079",
    "difficulty8/train/1702",
    "difficulty10/train/5819",
    "recipe5+take5+cook+cut+open+drop+go12/valid/1",
    "recipe4+take4+cook+cut+drop/test/2",
)

OTHER_GAMES = (
    "tw-coin_collector/5/1",
    "tw-coin_collector/110/2",
    "tw-treasure_hunter/15/1",
    "tw-treasure_hunter/29/2",
    "tw-simple/dense/1",
)
REFUSED_GAMES = (
    "level1/train/6916",
    "level3/train/9361",
    "difficulty10/train/5819",
    "recipe5+take5+cook+cut+open+drop+go12/valid/1",
    "tw-treasure_hunter/25/1",
    "tw-simple/dense/1",
)


@cache
def transcripts(path):
    return TranscriptFile.load(path).transcripts


@pytest.mark.parametrize(
    "transcript",
    [
        pytest.param(transcript, id=transcript.game.name)
        for path in RECORDED
        for transcript in transcripts(path)
    ],
)
def test_transcript(transcript):
    duel = Duel(TranscriptPlayer(transcript), EnginePlayer(transcript.game))
    for step in transcript.steps:
        _, mismatch = duel.reset() if step.command is None else duel.step(step.command)
        assert mismatch is None, f"{transcript.game.name}, {mismatch}"


def test_transcripts_show_every_rule_and_message():
    coverage = coverage_of([transcript for path in RECORDED for transcript in transcripts(path)])
    assert coverage.missing() == []
    assert coverage.unknown() == []


@pytest.mark.parametrize("path", [COOKING, OTHER_CHALLENGES], ids=lambda path: path.stem)
def test_transcripts_hold_refused_commands_too(path):
    refused = sum(
        step.command not in before.snapshot.commands
        for transcript in transcripts(path)
        for episode in transcript.episodes()
        for before, step in pairwise(episode)
    )
    assert refused > 100


def test_transcripts_can_be_made_again():
    """The recording command names games that anyone can make: no files."""
    for path in RECORDED:
        file = TranscriptFile.load(path)
        words = file.made_by.split()
        names = words[words.index("--games") + 1 : words.index("--steps")]
        assert names == [transcript.game.name for transcript in file.transcripts]
        assert not [name for name in names if name.endswith(".json")]


@pytest.mark.textworld
@pytest.mark.parametrize(
    ("name", "policy", "steps"),
    [
        *((name, None, 200) for name in LIVE_GAMES),
        *((name, None, 150) for name in OTHER_GAMES),
        *((name, "refused", 150) for name in REFUSED_GAMES),
    ],
)
def test_live(name, policy, steps):
    pytest.importorskip("textworld")
    from gata.engine.verify.reference import TextWorldPlayer

    game = load_game(name)
    reference = TextWorldPlayer(game)
    try:
        result = check_game(game, reference, EnginePlayer(game), policy=policy, steps=steps, seed=7)
    finally:
        reference.close()
    assert not result.mismatches, "\n".join(map(str, result.mismatches))
    assert result.steps == steps
    assert result.coverage.unknown() == []


def test_graphs_of_other_challenges_are_compared_and_not_empty():
    """The paper's nodes know little of these games: edges need nodes of the game's own."""
    (coins, *_) = transcripts(OTHER_CHALLENGES)
    graph = coins.steps[0].snapshot.full_graph
    assert any(triple.source == "coin" for triple in graph)
    vocabulary = GraphVocabulary.for_games([coins.game])
    outputs = VectorEnv([coins.game], 1, graph=vocabulary).reset()
    edges = outputs.full_edges[0, : outputs.full_count[0]].tolist()
    assert edges == vocabulary.edge_ids(graph)


@pytest.mark.textworld
def test_the_interpreters_own_commands_are_not_sent_to_it():
    pytest.importorskip("textworld")
    from gata.engine.verify.reference import TextWorldPlayer

    player = TextWorldPlayer(load_game("level1/train/6916"))
    player.reset()
    for line in ("\\n", "  \\x look"):
        with pytest.raises(UsageError, match="the interpreter takes for its own"):
            player.step(line)
    player.close()
