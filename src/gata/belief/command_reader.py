"""Generated update commands, read as ids: which edges to add and which to delete."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from gata.graph.commands import parse
from gata.graph.vocabulary import GraphVocabulary
from gata.language.vocabulary import BOS, EOS, SEP, Vocabulary

REMEMBERED = 1 << 16
"""How many different commands a reader keeps; models repeat themselves."""


class EdgeChange(NamedTuple):
    """An update command by numbers."""

    add: bool
    """Add the edge, or delete it."""
    edge: int
    """Its id."""


class CommandReader:
    """Reads token ids as ``gata.graph.commands.parse_generated`` reads text.

    Each different command is spelt out and parsed once; after that a lookup does.
    """

    def __init__(self, words: Vocabulary, graph: GraphVocabulary) -> None:
        self._words, self._graph = words, graph
        self._read_one = lru_cache(REMEMBERED)(self._parse)

    def read(self, ids: Sequence[int]) -> list[EdgeChange]:
        """The changes in order; what makes no sense or was cut off is left out.

        Args:
            ids: a generated text; its begin mark, and what follows its end mark, are ignored.
        """
        ids = ids[1:] if ids and ids[0] == BOS else ids
        ended = EOS in ids
        pieces = _split(ids[: ids.index(EOS)] if ended else ids)
        # Without an end mark the last command may be half a command.
        read = map(self._read_one, pieces if ended else pieces[:-1])
        return [change for change in read if change is not None]

    def _parse(self, piece: tuple[int, ...]) -> EdgeChange | None:
        commands = parse(" ".join(self._words.decode(piece)), self._graph).commands
        if not commands:
            return None
        ((verb, triple),) = commands
        return EdgeChange(verb == "add", self._graph.triple_id(triple))


def _split(ids: Sequence[int]) -> list[tuple[int, ...]]:
    pieces: list[tuple[int, ...]] = []
    begin = 0
    for place in (*(i for i, word in enumerate(ids) if word == SEP), len(ids)):
        pieces.append(tuple(ids[begin:place]))
        begin = place + 1
    return pieces


def apply_changes(edges: Iterable[int], changes: Iterable[EdgeChange], room: int) -> set[int]:
    """The edges after the changes, in order; what would be more than ``room`` is not added."""
    result = set(edges)
    for add, edge in changes:
        if not add:
            result.discard(edge)
        elif len(result) < room:
            result.add(edge)
    return result
