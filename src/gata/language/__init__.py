"""What the agent reads with: tokeniser, vocabulary, word vectors."""

from gata.language.tokenizer import clean, tokenize
from gata.language.vectors import WordVectors, word_vectors
from gata.language.vocabulary import Vocabulary

__all__ = ["Vocabulary", "WordVectors", "clean", "tokenize", "word_vectors"]
