"""The tokens the engine emits are those of the text it prints."""

import random

import pytest

from gata.engine.text_env import TextEnv
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
