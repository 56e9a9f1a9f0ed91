import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gata.language.tokenizer import LARGEST_NUMBER, clean, clean_lines, tokenize

STATUS = ">" + " " * 128 + "-= Kitchen =-3/7"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", ""),
        ("-= Kitchen =-", "-= kitchen = -"),
        ("You open frosted-glass door.", "you open frosted-glass door ."),
        ("a carrot, a knife and an egg.", "a carrot , a knife and an egg ."),
        ("You can't. It isn't, it's you've", "you ca n't . it is n't , it 's you 've"),
        ('"Cooking: (3rd Ed.)"', '" cooking : ( 3rd ed . ) "'),
        ("hmmm...oven", "hmmm ... oven"),
        ("Recipe #1\n---------", "recipe # 1 ---------"),
        ("*** You lost! ***", "* * * you lost ! * * *"),
        ("in 12 turn(s).", "in 12 turn(s ) ."),
        ("in 137 turn(s).", "in 1 3 7 turn(s ) ."),
        ("carrot <sep> west_of", "carrot <sep> west_of"),
        ("You cannot, a- thing", "you can not , a- thing"),
    ],
)
def test_splits_like_the_authors_except_hyphens_and_large_numbers(text, tokens):
    assert tokenize(text) == tokens.split()


@given(st.integers(0, 10**6))
def test_small_numbers_are_one_token_and_large_ones_their_digits(number):
    digits = str(number)
    assert tokenize(digits) == ([digits] if number <= LARGEST_NUMBER else list(digits))


@given(st.lists(st.text()))
def test_tokens_of_a_text_are_those_of_its_pieces(pieces):
    assert tokenize(" ".join(pieces)) == [token for piece in pieces for token in tokenize(piece)]


@given(st.text(st.characters(codec="ascii")))
def test_no_character_but_white_space_is_lost(text):
    assert "".join(tokenize(text)) == re.sub(r"\s", "", text).lower()


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        (None, "nothing"),
        ("", "nothing"),
        ("\n\n> ", "nothing"),
        ("\n\n" + STATUS, "nothing"),
        ("\nYou open the fridge.\n\n\n" + STATUS, "You open the fridge."),
        ("\n-= Kitchen =-\nA  room.\n\n" + STATUS, "-= Kitchen =- A room."),
        ("  art $$$$$$$ more $$$$$$$ \n\nYou are hungry!\n" + STATUS, "You are hungry!"),
        ("You see a > b here.", "You see a > b here."),
        ("a carrot <sep>", "a carrot <sep>"),
        ("a carrot <sep>\n\n" + STATUS, "a carrot <sep>"),
    ],
)
def test_clean_keeps_what_the_player_has_to_read(text, cleaned):
    assert clean(text) == cleaned


def test_lines_are_the_games_own():
    text = "art $$$$$$$\n\nYou are  hungry!\n\n-= Kitchen =-\n  A room.\n\n\n" + STATUS
    assert clean_lines(text) == ["You are hungry!", "-= Kitchen =-", "A room."]
    assert clean_lines(None) == clean_lines("\n" + STATUS) == ["nothing"]


@given(st.text(st.characters(exclude_characters="$>")))
def test_clean_keeps_all_words_with_single_blanks(text):
    assert clean(text) == (" ".join(text.split()) or "nothing")


def test_clean_hides_score_and_turn_at_the_end_of_a_lost_game():
    text = "UNDO the last command?\n>" + " " * 129 + "-= Living Room =-12/1100"
    assert clean(text) == "UNDO the last command?"
