"""The words of real games: all readable, and split as spaCy splits them."""

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from gata.games.catalogue import paper_collections
from gata.games.game import Game
from gata.games.store import load_collection
from gata.language import vocabulary
from gata.language.tokenizer import LARGEST_NUMBER, clean, tokenize

TOOL = Path(__file__).parents[2] / "tools" / "build_words.py"


def texts_of(game: Game) -> set[str]:
    """All text of a game file as the player sees it, Inform's substitutions left out."""
    texts = {game.objective, *game.walkthrough}
    for entity in game.entities.values():
        # Inform prints apostrophes at the edge of words as double quotes.
        description = re.sub(r"\B'|'\B", '"', entity.description)
        texts |= {entity.name, *re.split(r"\[[^]]*\]", description)}
    return texts


@cache
def shipped_texts() -> frozenset[str]:
    """The text of all 1,400 games of the ten collections."""
    games = [game for name in paper_collections() for game in load_collection(name)]
    assert len(games) == 1400
    return frozenset().union(*map(texts_of, games))


def test_every_word_of_the_shipped_games_is_known():
    words = {token for text in shipped_texts() for token in tokenize(text)}
    assert len(words) > 500
    assert words - set(vocabulary.default().words) == set()


@pytest.mark.textworld
@pytest.mark.parametrize("foods", ["valid", "test"])
@pytest.mark.parametrize("setting", ["recipe5+take3+cook+cut+drop+go12", "recipe2+cook+open+go6"])
def test_every_word_of_other_foods_and_settings_is_known(foods, setting):
    pytest.importorskip("textworld")
    from gata.games.catalogue import GameKey
    from gata.games.generate import make_game
    from gata.games.settings import Setting

    for seed in range(5):
        game = make_game(GameKey(Setting.parse(setting), foods, seed, "folded"), "new")
        words = {token for text in texts_of(game) for token in tokenize(text)}
        assert words - set(vocabulary.default().words) == set()


@pytest.mark.textworld
def test_the_shipped_list_is_what_the_generator_can_write():
    pytest.importorskip("textworld")
    done = subprocess.run(
        [sys.executable, TOOL, "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_splits_as_spacy_does():
    spacy = pytest.importorskip("spacy")
    english = spacy.blank("en")
    answers = (
        "*** You lost! ***\n\nYou scored 3 out of a possible 4, in 12 turn(s).\n\n\nWould you like"
        " to RESTART, RESTORE a saved game, QUIT or UNDO the last command?",
        "-= Kitchen =-\nYou can't see any such thing. That's plainly inedible. It isn't",
        "(patio door)\nYou open patio door. You haven't got that.",
    )
    hyphenated = set()
    for chunk in {chunk for text in {*shipped_texts(), *answers} for chunk in clean(text).split()}:
        ours, theirs = tokenize(chunk), [token.text.lower() for token in english(chunk)]
        if ours != theirs:
            hyphenated.add(chunk)
            assert [part for token in ours for part in re.split("(-)", token)] == theirs
    # The one deliberate difference that occurs in game texts.
    assert "frosted-glass" in hyphenated
    assert all(re.search(r"\w-\w", chunk) for chunk in hyphenated)


def test_large_numbers_are_the_other_difference_from_spacy():
    assert tokenize(str(LARGEST_NUMBER)) == ["100"]
    assert tokenize(str(LARGEST_NUMBER + 1)) == ["1", "0", "1"]
