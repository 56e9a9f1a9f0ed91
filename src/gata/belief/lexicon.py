"""From vocabularies to the numbers the networks are built from."""

from collections.abc import Iterable

import torch
from torch import Tensor

from gata.errors import UsageError
from gata.graph.vocabulary import PAPER, GraphVocabulary
from gata.language.tokenizer import tokenize
from gata.language.vocabulary import PAD, Vocabulary
from gata.nn.words import Lexicon

INVERSE = "reverse"
"""The word that turns a relation's name into its inverse's: ``west_of reverse``."""

SELF = "self"
"""The name of the relation of each node to itself."""


def make_lexicon(
    words: Vocabulary, word_vectors: Tensor, graph: GraphVocabulary = PAPER
) -> Lexicon:
    """The names of words, nodes and relations for ``gata.nn``.

    Args:
        words: the vocabulary.
        word_vectors: (words, size), a vector for each.
        graph: nodes and relations; the words of their names must be in the vocabulary.
    """
    if len(word_vectors) != len(words):
        raise UsageError(
            f"{len(word_vectors)} word vectors, expected {len(words)}: one for each word of"
            f" vocabulary {words.version}"
        )
    inverses = [f"{name} {INVERSE}" for name in graph.relations]
    return Lexicon(
        word_vectors,
        _name_words(graph.nodes, words),
        _name_words([*graph.relations, *inverses, SELF], words),
    )


def _name_words(names: Iterable[str], words: Vocabulary) -> Tensor:
    rows = []
    for name in names:
        tokens = tokenize(name)
        for token in tokens:
            if token not in words:
                raise UsageError(
                    f"{name!r}: the word {token!r} is not in vocabulary {words.version}"
                )
        rows.append(torch.tensor(words.encode(tokens)))
    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=PAD)
