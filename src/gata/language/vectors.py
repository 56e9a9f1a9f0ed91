"""Word vectors for the words of a vocabulary: those shipped, or a file of the user's own.

The paper's agents read with frozen 300-dimensional fastText vectors, which may not be shipped;
the package has the 100-dimensional GloVe vectors of its vocabulary instead. ``word_vectors`` gives
either kind as one matrix, and says for each word where its row comes from:

* *found*: the file has the word;
* *composed*: the mean of vectors of related words that the file has (``frosted-glass`` from
  ``frosted`` and ``glass``, ``12`` from ``twelve``, ``west_of`` from ``west`` and ``of``);
* *random*: neither; a small fixed vector, the same for a word in every vocabulary. Padding is 0.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gata import console
from gata.cache import cache_dir
from gata.errors import GataError
from gata.files import check_file
from gata.language.vector_files import Table, read_npz, read_vectors, write_npz
from gata.language.vocabulary import PAD, SPECIALS, Vocabulary

SHIPPED_FILE = "glove.100d.npz"
SHIPPED_NAME = "GloVe 6B 100d (shipped)"

_CACHE_FORMAT = 1
"""Part of a cached file's name: raise it when what is cached changes."""

_RANDOM_SCALE = 0.1
"""Random vectors are uniform within this of 0, as the authors' are."""

_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
_ONES += " fifteen sixteen seventeen eighteen nineteen"
_TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety hundred"
_NUMBER_WORDS = (_ONES.split(), _TENS.split())

_RELATED = {
    "n't": "not",
    "'s": "is",
    "'m": "am",
    "'re": "are",
    "'ve": "have",
    "'ll": "will",
    "'d": "would",
    "ca": "can",
    "a": "an",
    "i": "me",
    "turn(s": "turns",
    "3rd": "third",
}
"""Words that some files lack, and what they mean."""


@dataclass(frozen=True)
class WordVectors:
    """A vector for each word of a vocabulary."""

    matrix: NDArray[np.float32]
    """(words, width): row i belongs to the vocabulary's word i."""
    source: str
    """Where the vectors come from."""
    found: tuple[str, ...]
    composed: Mapping[str, tuple[str, ...]]
    """The words whose vectors were averaged, by the word they stand for."""
    random: tuple[str, ...]
    """Words with no vector of their own; the vocabulary's marks are among them."""

    @property
    def width(self) -> int:
        """The number of dimensions."""
        return int(self.matrix.shape[1])


def word_vectors(vocabulary: Vocabulary, path: Path | None = None) -> WordVectors:
    """The vectors of ``vocabulary``, from a file of the user's or the shipped ones.

    Args:
        vocabulary: whose words are wanted.
        path: a fastText or GloVe file (``.vec``, ``.txt``, ``.bin``, ``.npz``) of any width. What
            is needed of it is kept in the cache folder, so a large file is read only once.
    """
    if path is None:
        return assemble(vocabulary, shipped_table(), SHIPPED_NAME)
    return assemble(vocabulary, _cached_table(path, wanted_words(vocabulary)), str(path))


def shipped_table() -> Table:
    """The words and vectors that ship with the package."""
    with (files("gata.language") / SHIPPED_FILE).open("rb") as stream:
        return read_npz(stream, SHIPPED_FILE)


def wanted_words(vocabulary: Vocabulary) -> frozenset[str]:
    """The words a file may be asked for: those of the vocabulary and those they are made of."""
    words = set(vocabulary.words) - set(SPECIALS)
    parts = {part for word in words for parts in compositions(word) for part in parts}
    return frozenset(words | parts)


def assemble(vocabulary: Vocabulary, table: Table, source: str) -> WordVectors:
    """Give each word its own vector, or one composed of others, or a random one."""
    if not table.rows.keys() & set(vocabulary.words):
        raise GataError(f"{source}: has none of the {len(vocabulary)} words of the vocabulary")
    matrix = np.zeros((len(vocabulary), table.width), dtype=np.float32)
    found: list[str] = []
    composed: dict[str, tuple[str, ...]] = {}
    random: list[str] = []
    for i, word in enumerate(vocabulary.words):
        if i == PAD:
            continue
        if i >= len(SPECIALS):
            if word in table.rows:
                matrix[i] = table.vector(word)
                found.append(word)
                continue
            parts = next((p for p in compositions(word) if table.rows.keys() >= set(p)), None)
            if parts:
                matrix[i] = np.mean([table.vector(part) for part in parts], axis=0)
                composed[word] = parts
                continue
        matrix[i] = _random_vector(word, table.width)
        random.append(word)
    matrix.setflags(write=False)
    return WordVectors(matrix, source, tuple(found), composed, tuple(random))


def compositions(word: str) -> Iterator[tuple[str, ...]]:
    """Ways to express ``word`` in other words, best first."""
    if word in _RELATED:
        yield (_RELATED[word],)
    if word.isdecimal() and int(word) <= 100:
        yield _spelled(int(word))
    parts = tuple(part for part in re.split(r"[-_]", word) if part)
    if parts and parts != (word,):
        yield parts
    if len(word) > 3 and word.endswith("s"):
        yield (word[:-1],)
    if len(word) > 1 and len(set(word)) == 1:
        yield (word[0],)


def _spelled(number: int) -> tuple[str, ...]:
    ones, tens = _NUMBER_WORDS
    if number < len(ones):
        return (ones[number],)
    ten, one = divmod(number, 10)
    return (tens[ten], ones[one]) if one else (tens[ten],)


def _random_vector(word: str, width: int) -> NDArray[np.float32]:
    generator = np.random.default_rng(list(word.encode()))
    return generator.uniform(-_RANDOM_SCALE, _RANDOM_SCALE, width).astype(np.float32)


def _cached_table(path: Path, wanted: Set[str]) -> Table:
    """What ``path`` has of ``wanted``, from the cache if the file has not changed since."""
    check_file(path)
    try:
        state = path.stat()
    except OSError as error:
        raise GataError(f"{path}: cannot read the vectors ({error.strerror})") from error
    identity = (_CACHE_FORMAT, path.resolve(), state.st_size, state.st_mtime_ns)
    key = "\n".join([*map(str, identity), *sorted(wanted)])
    cached = cache_dir() / "vectors" / f"{hashlib.sha256(key.encode()).hexdigest()}.npz"
    try:
        with cached.open("rb") as stream:
            return read_npz(stream, str(cached))
    except (OSError, GataError):
        pass  # Not there yet, or damaged: made again from the file itself.
    table = read_vectors(path, wanted)
    try:
        write_npz(cached, table)
    except GataError as error:
        console.note(f"{path} will be read again the next time: {error}")
    return table
