"""The targets of command generation: what changed between two seen graphs, as tokens."""

from functools import lru_cache

import numpy as np

from gata.graph.commands import difference, to_text
from gata.graph.triples import Triple
from gata.graph.vocabulary import PAPER
from gata.language.tokenizer import tokenize
from gata.language.vocabulary import default


def update_tokens(before: bytes, after: bytes) -> bytes:
    """The update commands from one graph to another, in the paper's order, as int16 tokens.

    Args:
        before: int32 edge ids, ascending.
        after: likewise.
    """
    if before == after:
        return b""
    old = frozenset(np.frombuffer(before, np.int32).tolist())
    new = frozenset(np.frombuffer(after, np.int32).tolist())
    return _written(old - new, new - old)


@lru_cache(1 << 14)
def _written(ended: frozenset[int], begun: frozenset[int]) -> bytes:
    commands = difference(map(_triple, ended), map(_triple, begun))
    return np.array(default().encode(tokenize(to_text(commands))), np.int16).tobytes()


@lru_cache(1 << 14)
def _triple(edge: int) -> Triple:
    return PAPER.triple_from_id(edge)
