"""The words an agent can read and write: one list, shipped with the package and versioned."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

from gata.errors import GataError

PAD, UNK, BOS, EOS, SEP = range(5)
"""Ids of the marks: padding, unknown word, begin and end of a text, separator."""

SPECIALS = ("<pad>", "<unk>", "<bos>", "<eos>", "<sep>")
"""The marks themselves, in the order of their ids."""

WORDS_FILE = "words.txt"
"""The shipped list: a first line ``gata words VERSION``, then a word a line, sorted."""

_HEADER = "gata words "


@dataclass(frozen=True)
class Vocabulary:
    """A word's id is its place in ``words``; the first five are the marks of ``SPECIALS``."""

    words: tuple[str, ...]
    version: str

    def __post_init__(self) -> None:
        if self.words[: len(SPECIALS)] != SPECIALS:
            raise GataError(f"vocabulary {self.version}: does not begin with {' '.join(SPECIALS)}")
        if len(self._ids) != len(self.words):
            twice = next(word for i, word in enumerate(self.words) if self._ids[word] != i)
            raise GataError(f"vocabulary {self.version}: the word {twice!r} stands in it twice")

    @classmethod
    def of(cls, words: Iterable[str], version: str) -> "Vocabulary":
        """The marks, then ``words`` sorted, each once."""
        return cls((*SPECIALS, *sorted(set(words) - set(SPECIALS))), version)

    @classmethod
    def from_text(cls, text: str, source: str) -> "Vocabulary":
        """Read the text of a vocabulary file; ``source`` names it in errors."""
        header, *words = text.splitlines() or [""]
        if not header.startswith(_HEADER):
            raise GataError(f"{source}, line 1: expected '{_HEADER}VERSION', found {header!r}")
        return cls((*SPECIALS, *words), header.removeprefix(_HEADER))

    def to_text(self) -> str:
        """The text of a vocabulary file."""
        lines = (_HEADER + self.version, *self.words[len(SPECIALS) :])
        return "\n".join(lines) + "\n"

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self._ids

    def id(self, word: str) -> int:
        """The id of ``word``; ``UNK`` if it is not in the list."""
        return self._ids.get(word, UNK)

    def encode(self, tokens: Iterable[str]) -> list[int]:
        """The ids of ``tokens``."""
        return [self.id(token) for token in tokens]

    def decode(self, ids: Sequence[int]) -> list[str]:
        """The words of ``ids``."""
        return [self.words[i] for i in ids]


@cache
def default() -> Vocabulary:
    """The vocabulary of all cooking games, as shipped with the package."""
    path = files("gata.language") / WORDS_FILE
    return Vocabulary.from_text(path.read_text("utf-8"), WORDS_FILE)
