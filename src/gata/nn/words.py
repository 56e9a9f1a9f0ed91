"""What words and names mean: frozen word vectors, and trained vectors of nodes and relations."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from gata.nn.tokens import token_mask


@dataclass(frozen=True)
class Lexicon:
    """The names the networks are built for, as numbers. No two models need to share it."""

    word_vectors: Tensor
    """(V, word size): the vectors of all words; never trained."""
    node_words: Tensor
    """(N, most words) ids: the words of each node's name, padding on the right."""
    relation_words: Tensor
    """(2R + 1, most words) ids: the words of each relation's name, then of each inverse's, then of
    the relation of a node to itself."""

    @property
    def nodes(self) -> int:
        """N, the number of nodes."""
        return self.node_words.shape[0]

    @property
    def relations(self) -> int:
        """R, the number of relations, not counting inverses and self."""
        return self.relation_words.shape[0] // 2


class Tables(NamedTuple):
    """Everything that is the same for all samples; made once per forward pass."""

    words: Tensor
    """(V, H): each word's vector, projected to the hidden size."""
    nodes: Tensor
    """(N, node size): h^0, each node's own vector and the mean of its name's words."""
    relations: Tensor
    """(2R + 1, relation size): E_r, likewise."""


class WordTables(nn.Module):
    """Projects the frozen word vectors to the hidden size and builds node and relation vectors.

    The vocabulary is small, so the whole table is projected once and then looked up, which equals
    looking up first and projecting every token. What names mean is one product with it.
    """

    word_vectors: Tensor
    node_words: Tensor
    relation_words: Tensor
    names: Tensor
    """(N + 2R + 1, V): the share of each word in each name, of nodes and then of relations."""

    def __init__(
        self, lexicon: Lexicon, hidden: int, node_embedding: int, relation_embedding: int
    ) -> None:
        super().__init__()
        # Copies, since .to() moves buffers in place of the module's, not of the lexicon's.
        for name in ("word_vectors", "node_words", "relation_words"):
            self.register_buffer(name, getattr(lexicon, name).clone(), persistent=False)
        words = lexicon.word_vectors.shape[0]
        names = [_shares(lexicon.node_words, words), _shares(lexicon.relation_words, words)]
        self.register_buffer("names", torch.cat(names), persistent=False)
        self.projection = nn.Linear(lexicon.word_vectors.shape[1], hidden, bias=False)
        self.node_embedding = nn.Embedding(lexicon.nodes, node_embedding)
        self.relation_embedding = nn.Embedding(len(lexicon.relation_words), relation_embedding)
        nn.init.xavier_uniform_(self.projection.weight)
        # A node that training never met, a food of other games, is known by its name alone.
        nn.init.zeros_(self.node_embedding.weight)
        nn.init.uniform_(self.relation_embedding.weight, -0.05, 0.05)

    def forward(self, known: Tensor | None = None) -> Tables:
        """All tables, with gradients to the projection and to the nodes' and relations' own.

        Args:
            known: (N,) ones and zeros: a node with a zero goes by its name alone, like one that
                training never met. All are known by default.
        """
        words = self.projection(self.word_vectors)
        own = self.node_embedding.weight
        if known is not None:
            own = own * known.unsqueeze(-1)
        meanings = (self.names @ words).to(own.dtype)
        nodes, relations = torch.split(meanings, [len(own), len(meanings) - len(own)])
        return Tables(
            words,
            torch.cat([own, nodes], dim=-1),
            torch.cat([self.relation_embedding.weight, relations], dim=-1),
        )


def _shares(names: Tensor, words: int) -> Tensor:
    """(names, most words) ids -> (names, words): the mean of a name's words as a product."""
    there = token_mask(names)
    counts = there.sum(1, keepdim=True).clamp(min=1)
    shares = torch.zeros(len(names), words, device=names.device)
    return shares.scatter_add(1, names, (there / counts).to(shares.dtype))
