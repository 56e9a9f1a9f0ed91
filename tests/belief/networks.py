"""Small untrained networks over the real vocabularies."""

import torch

from gata.belief.lexicon import make_lexicon
from gata.graph.vocabulary import PAPER
from gata.language import vocabulary
from gata.language.tokenizer import tokenize
from gata.language.vectors import word_vectors
from gata.nn.settings import NetworkSettings
from gata.nn.words import Lexicon

WORDS = vocabulary.default()
EDGES = PAPER.edge_ids


def lexicon() -> Lexicon:
    return make_lexicon(WORDS, torch.tensor(word_vectors(WORDS).matrix))


def settings(**changes) -> NetworkSettings:
    sizes = {"hidden": 16, "convolutions": 1, "graph_layers": 2, "node_embedding": 8}
    return NetworkSettings(**(sizes | {"relation_embedding": 4} | changes))


def ids(*texts: str) -> torch.Tensor:
    rows = [torch.tensor(WORDS.encode(tokenize(text))) for text in texts]
    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)
