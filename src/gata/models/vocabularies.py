"""The words and names a model is built over: not stored with it, but held to by their hashes."""

import hashlib
import json
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import torch

from gata.belief.lexicon import make_lexicon
from gata.graph.vocabulary import PAPER, GraphVocabulary
from gata.language import vocabulary
from gata.language.vectors import WordVectors, word_vectors
from gata.language.vocabulary import Vocabulary
from gata.nn.words import Lexicon


@dataclass(frozen=True, eq=False)
class Vocabularies:
    """Words, their vectors, and the nodes and relations of graphs."""

    words: Vocabulary
    vectors: WordVectors
    """A vector for each of ``words``."""
    graph: GraphVocabulary = PAPER

    @cached_property
    def lexicon(self) -> Lexicon:
        """The same as numbers, for ``gata.nn``; on the CPU."""
        with torch.device("cpu"):
            return make_lexicon(self.words, torch.tensor(self.vectors.matrix), self.graph)

    @cached_property
    def fingerprints(self) -> dict[str, str]:
        """The version of the words, and a SHA-256 of each part."""
        graph = json.dumps([self.graph.nodes, self.graph.relations])
        matrix = self.vectors.matrix.astype("<f4")
        return {
            "words version": self.words.version,
            "words": _sha256("\n".join(self.words.words).encode()),
            "word vectors": _sha256(f"{matrix.shape}".encode() + matrix.tobytes()),
            "graph": _sha256(graph.encode()),
        }


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@cache
def shipped() -> Vocabularies:
    """Everything as it is in the package; the shipped models are built over these."""
    return with_vectors(None)


def with_vectors(path: Path | None) -> Vocabularies:
    """The package's words and graphs, with word vectors of a file of the user's own."""
    words = vocabulary.default()
    return Vocabularies(words, word_vectors(words, path))
