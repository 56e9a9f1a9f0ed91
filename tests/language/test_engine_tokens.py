"""The tokens the engine emits are those of the text it prints."""

import random
from pathlib import Path

import pytest

from gata.engine import freetext, messages
from gata.engine.scene import World
from gata.engine.text_env import TextEnv
from gata.engine.verify.transcripts import TranscriptFile
from gata.games.store import load_game
from gata.language.tokenizer import clean, tokenize
from gata.language.vocabulary import UNK, default

GAMES = ("level1/test/56274", "level2/test/59970", "level3/test/84976", "level4/test/78535",
         "difficulty8/valid/46985", "difficulty10/valid/12376")  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_the_engine_emits_the_tokens_of_its_text(name):
    chance = random.Random(0)
    env = TextEnv(load_game(name))
    outputs = env.batch.outputs
    for _ in range(3):
        text, infos = env.reset()
        for _ in range(80):
            tokens = outputs.observation[0, : outputs.observation_length[0]].tolist()
            assert tokens == default().encode(tokenize(clean(text)))
            assert UNK not in tokens
            if infos["won"] or infos["lost"]:
                break
            text, _, _, infos = env.step(chance.choice(infos["admissible_commands"]))


def test_refusals_and_what_follows_the_end_are_readable():
    game = load_game("level1/test/56274")
    env = TextEnv(game)
    env.reset()
    texts = [env.step(command)[0] for command in ("dance", *game.walkthrough, "look")]
    assert "*** The End ***" in texts[-2]
    for text in texts:
        assert UNK not in default().encode(tokenize(clean(text)))


def unknown(text: str) -> set[str]:
    return {token for token in tokenize(clean(text)) if token not in default()}


def typed(world: World) -> list[str]:
    """Commands of all verbs with things in sight, most of which are refused."""
    things = [world.name(thing) for thing in world.in_sight]
    # The games' own verbs. What Inform says about others (compass, cover, throw) may have words
    # that no agent meets: those are read as unknown.
    cooking = {"eat", "drink", "cook", "slice", "dice", "chop"}
    verbs = cooking | {"take", "drop", "put", "insert", "open", "close", "examine"}
    alone = ["wait", "take all", "score", "goal", "prepare meal", "dance", "go up", *verbs]
    one = [f"{verb} {noun}" for verb in verbs | {"go"} for noun in (*things, "north", "nothing")]
    two = [
        f"{verb} {noun} {between} {other}"
        for verb, betweens in freetext.TWO_NOUNS.items()
        if verb in verbs
        for between in betweens
        for noun in things
        for other in things[::3]
    ]
    return alone + one + two


def test_everything_said_about_refused_commands_is_readable():
    said = {freetext.NOT_UNDERSTOOD.message.text}
    for name in ("level1/test/56274", "level3/test/84976"):
        env = TextEnv(load_game(name))
        env.reset()
        for command in (None, *env.game.walkthrough[:4]):
            if command is not None:
                env.step(command)
            if env.batch.info(0, "ending"):
                break
            world = World.now(env._scene, env.batch, env.batch.pack.max_scores[0])
            said |= {freetext.answer(world, text).message.text for text in typed(world)}
    assert len(said) > 60
    assert set().union(*map(unknown, said)) == set()
    # What these two games have no occasion to say.
    rare = "The chest is welded shut. First you'd have to close it. That's unlocked at the moment."
    assert unknown(rare.replace("chest", "door")) == set()


@pytest.mark.parametrize("change", [-20, -1, 1, 2, 20])
def test_score_lines_are_readable(change):
    assert unknown(messages.score_line(change)) == set()


def test_what_textworld_said_in_cooking_games_is_readable():
    path = Path(__file__).parents[1] / "data" / "engine.transcripts"
    for transcript in TranscriptFile.load(path).transcripts:
        for step in transcript.steps:
            shot = step.snapshot
            for text in (shot.feedback, shot.description, shot.inventory, *shot.commands):
                assert unknown(text) == set()
