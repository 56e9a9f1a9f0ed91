import pytest
import torch

from gata.belief.lexicon import make_lexicon
from gata.errors import UsageError
from gata.graph.vocabulary import NODES, PAPER
from tests.belief.networks import WORDS, lexicon


def spelt(row: torch.Tensor) -> str:
    return " ".join(WORDS.decode([word for word in row.tolist() if word]))


def test_names_are_spelt_in_words_of_the_vocabulary() -> None:
    known = lexicon()
    assert [spelt(row) for row in known.node_words] == list(NODES)
    relations = [spelt(row) for row in known.relation_words]
    assert len(relations) == 2 * 10 + 1
    assert relations[5] == "west_of"
    assert relations[15] == "west_of reverse"
    assert relations[-1] == "self"
    assert (known.nodes, known.relations) == (99, 10)


def test_an_unknown_word_in_a_name_is_refused() -> None:
    with pytest.raises(UsageError, match=r"'purple gizmo'.*'gizmo' is not in vocabulary"):
        make_lexicon(WORDS, lexicon().word_vectors, PAPER.extended(["purple gizmo"]))


def test_vectors_of_another_vocabulary_are_refused() -> None:
    with pytest.raises(UsageError, match="7 word vectors, expected"):
        make_lexicon(WORDS, torch.zeros(7, 100))
