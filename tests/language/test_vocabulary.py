import pytest
from hypothesis import given
from hypothesis import strategies as st

from gata.errors import GataError
from gata.graph.vocabulary import NODES, RELATIONS
from gata.language import vocabulary
from gata.language.tokenizer import tokenize
from gata.language.vocabulary import SPECIALS, UNK, Vocabulary

words = st.text(st.characters(categories=["L", "N", "P"]), min_size=1)


def test_marks_have_the_first_ids():
    ids = [vocabulary.PAD, vocabulary.UNK, vocabulary.BOS, vocabulary.EOS, vocabulary.SEP]
    assert ids == vocabulary.default().encode(SPECIALS) == [0, 1, 2, 3, 4]


def test_unknown_words_read_as_unknown():
    assert vocabulary.default().encode(["kitchen", "spaceship"])[1] == UNK


@given(st.sets(words))
def test_file_round_trip(some):
    before = Vocabulary.of(some, "7")
    assert Vocabulary.from_text(before.to_text(), "here") == before
    assert before.decode(before.encode(before.words)) == list(before.words)


@pytest.mark.parametrize("text", ["", "apple\nbanana\n"])
def test_a_file_without_header_is_refused(text):
    with pytest.raises(GataError, match=r"words\.txt, line 1: expected 'gata words VERSION'"):
        Vocabulary.from_text(text, "words.txt")


def test_the_order_of_a_file_decides_the_ids():
    assert Vocabulary.from_text("gata words 2\nzoo\nant\n", "here").id("ant") == 6


def test_repeated_words_are_refused():
    with pytest.raises(GataError, match="'apple' stands in it twice"):
        Vocabulary((*SPECIALS, "apple", "egg", "apple"), "1")


@pytest.mark.parametrize("name", [*NODES, *RELATIONS])
def test_names_of_nodes_and_relations_are_readable(name):
    assert all(token in vocabulary.default() for token in tokenize(name))


@given(st.integers(0, 10**9))
def test_all_numbers_are_readable(number):
    assert UNK not in vocabulary.default().encode(tokenize(str(number)))
