"""Reading the files that word vectors come in, as far as given words need it.

``.vec`` and ``.txt`` (fastText, GloVe, word2vec text), ``.bin`` (fastText models and word2vec's
binary form) and ``.npz`` (ours: arrays ``words`` and ``vectors``). Large files are read from
front to back without being held in memory; what is wrong with one is said with the line or the
byte where it is.
"""

import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from gata.errors import GataError, UsageError
from gata.files import atomic_write

Name = TypeVar("Name", str, bytes)

MAX_WIDTH = 10_000
"""No vectors are wider; a larger number means a damaged file or one of another kind."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_MAX_WORD_BYTES = 4096
_FASTTEXT_MAGIC = 793712314
_FASTTEXT_VERSIONS = (11, 12)
_FASTTEXT_END = "</s>"


@dataclass(frozen=True)
class Table:
    """Some words and their vectors."""

    words: tuple[str, ...]
    vectors: NDArray[np.float32]
    """(words, width)"""

    @classmethod
    def of(cls, vectors: Mapping[str, NDArray[np.float32]], width: int) -> "Table":
        """From a vector by word; words are put in order."""
        words = tuple(sorted(vectors))
        matrix = np.array([vectors[word] for word in words], dtype=np.float32)
        return cls(words, matrix.reshape(len(words), width))

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """Where each word is; the first place of a word that is there twice."""
        return _first_places(self.words)

    @property
    def width(self) -> int:
        """The number of dimensions."""
        return int(self.vectors.shape[1])

    def vector(self, word: str) -> NDArray[np.float32]:
        """The vector of a word that is in the table."""
        row: NDArray[np.float32] = self.vectors[self.rows[word]]
        return row


def _first_places(names: Sequence[Name]) -> dict[Name, int]:
    """Where each name is first; in every kind of file the first vector of a word counts."""
    return {name: i for i, name in reversed(list(enumerate(names)))}


def read_vectors(path: Path, wanted: Set[str]) -> Table:
    """The vectors of those of the ``wanted`` words that the file has."""
    readers: dict[str, Callable[[IO[bytes], str, Set[str]], Table]] = {
        ".vec": _read_text,
        ".txt": _read_text,
        ".bin": _read_binary,
        ".npz": _read_wanted_npz,
    }
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise UsageError(
            f"{path}: vectors end in {', '.join(readers)}, not {path.suffix or 'nothing'!r}"
            " (unpack a compressed file first)"
        )
    try:
        with path.open("rb") as stream:
            table = reader(stream, str(path), wanted)
    except OSError as error:
        raise GataError(f"{path}: cannot read the vectors ({error.strerror})") from error
    if not np.isfinite(table.vectors).all():
        word = table.words[int((~np.isfinite(table.vectors)).any(axis=1).argmax())]
        raise GataError(f"{path}: the vector of {word!r} has a number that is not finite")
    return table


# --- .npz --------------------------------------------------------------------------------------


def write_npz(path: Path, table: Table, dtype: type[np.floating[Any]] = np.float32) -> None:
    """Write a table; its words are one array of UTF-8 bytes, a line each."""
    words = np.frombuffer("\n".join(table.words).encode(), dtype=np.uint8)
    with atomic_write(path) as stream:
        np.savez_compressed(stream, words=words, vectors=table.vectors.astype(dtype))


def read_npz(stream: IO[bytes], source: str) -> Table:
    """Read a table that ``write_npz`` wrote, or whose ``words`` are an array of strings."""
    try:
        with np.load(stream, allow_pickle=False) as arrays:
            if not hasattr(arrays, "files"):
                raise GataError(f"{source}: is a single array, expected 'words' and 'vectors'")
            for name in ("words", "vectors"):
                if name not in arrays.files:
                    raise GataError(
                        f"{source}: has no array {name!r}, only {', '.join(arrays.files) or 'none'}"
                    )
            words, vectors = arrays["words"], arrays["vectors"]
    except GataError:
        raise
    except Exception as error:
        # Damage shows as whatever zipfile, zlib and numpy's parser of headers stumble over.
        reason = f"{type(error).__name__}: {error}"
        raise GataError(f"{source}: not a sound .npz file ({reason})") from error
    names = _npz_words(words, source)
    if vectors.ndim != 2 or len(vectors) != len(names) or vectors.dtype.kind not in "fiu":
        raise GataError(
            f"{source}: 'vectors' has shape {vectors.shape} and type {vectors.dtype}, expected"
            f" ({len(names)}, width) numbers, a row for each of the words"
        )
    _check_width(vectors.shape[1], source)
    return Table(names, vectors.astype(np.float32))


def _npz_words(words: NDArray[Any], source: str) -> tuple[str, ...]:
    if words.dtype.kind == "U" and words.ndim == 1:
        return tuple(map(str, words))
    if words.dtype == np.uint8 and words.ndim == 1:
        try:
            return tuple(words.tobytes().decode().split("\n"))
        except UnicodeDecodeError as error:
            raise GataError(f"{source}: 'words' is not UTF-8 text ({error})") from error
    raise GataError(
        f"{source}: 'words' has type {words.dtype} and {words.ndim} dimensions, expected one"
        " dimension of strings or of UTF-8 bytes"
    )


def _read_wanted_npz(stream: IO[bytes], source: str, wanted: Set[str]) -> Table:
    table = read_npz(stream, source)
    rows = {word: table.vector(word) for word in table.rows.keys() & wanted}
    return Table.of(rows, table.width)


# --- .vec and .txt -----------------------------------------------------------------------------


def _read_text(stream: IO[bytes], source: str, wanted: Set[str]) -> Table:
    """Read ``word number number ...`` lines, with or without a first line ``words width``.

    Fields are separated by blanks. The number of fields of every line is checked, the numbers
    of wanted words only: that is what makes a file of two million words take seconds.
    """
    first = stream.readline().removeprefix(_BYTE_ORDER_MARK)
    if not first.strip():
        raise GataError(f"{source}, line 1: empty, expected a word and its vector")
    promised, width = _text_header(first.split(), source)
    wanted_bytes = {word.encode(): word for word in wanted}
    vectors: dict[str, NDArray[np.float32]] = {}
    count, number = 0, 1
    lines: Iterable[tuple[int, bytes]] = enumerate(stream, start=2)
    if promised is None:
        lines = chain([(1, first)], lines)
    for number, line in _bare_lines(lines, source):
        count += 1
        if promised is not None and count > promised:
            raise GataError(
                f"{source}, line {number}: one word more than the {promised} that the first line"
                " promises"
            )
        where = f"{source}, line {number}"
        regular = line.count(b" ") == width and b"\t" not in line
        name = line.partition(b" ")[0] if regular else _odd_name(line, width, where)
        word = wanted_bytes.get(name)
        if word is not None and word not in vectors:
            vectors[word] = _numbers(line.split()[1:], where, word)
    if promised is not None and count != promised:
        raise GataError(
            f"{source}, line {number}: the file ends after {count} words, its first line promises"
            f" {promised} (is it cut off?)"
        )
    return Table.of(vectors, width)


def _bare_lines(lines: Iterable[tuple[int, bytes]], source: str) -> Iterator[tuple[int, bytes]]:
    """The numbered lines without white space at their ends.

    Empty lines may stand at the end of the file only. A last line without a line end is refused:
    the file may have been cut off inside a number, which cannot be told from a whole one.
    """
    empty = 0
    for number, line in lines:
        bare = line.rstrip()
        if not bare:
            empty = empty or number
            continue
        if empty:
            raise GataError(f"{source}, line {empty}: empty, expected a word and its vector")
        yield number, bare
        if not line.endswith(b"\n"):
            raise GataError(
                f"{source}, line {number}: the last line has no end; the file may be cut off"
                " (if it is whole, add a line end)"
            )


def _odd_name(line: bytes, width: int, where: str) -> bytes:
    """The word of a line that has not just a word and ``width`` numbers with one blank between.

    More than one blank may stand there, and a few words of GloVe's largest files contain blanks:
    those are told from too many numbers by not ending in a number.
    """
    if b"\t" in line:
        raise GataError(f"{where}: the fields are separated by tabs, expected blanks")
    fields = line.split()
    name, numbers = fields[:-width], fields[-width:]
    is_name = len(name) == 1 or (len(name) > 1 and not _is_number(name[-1]))
    if not is_name or not all(map(_is_number, numbers)):
        raise GataError(
            f"{where}: expected a word and {width} numbers, found {len(fields)} fields"
            + ("" if name else " (is the file cut off?)")
        )
    return b" ".join(name)


def _numbers(fields: list[bytes], where: str, word: str) -> NDArray[np.float32]:
    try:
        vector = np.array(fields, dtype=np.float32)
    except ValueError as error:
        raise GataError(f"{where}: the vector of {word!r}: {error}") from error
    if not np.isfinite(vector).all():
        raise GataError(f"{where}: the vector of {word!r} has a number that is not finite")
    return vector


def _text_header(fields: list[bytes], source: str) -> tuple[int | None, int]:
    """The number of words, if the first line promises it, and the width."""
    if len(fields) == 2 and all(field.isdigit() for field in fields):
        count, width = map(int, fields)
        _check_width(width, f"{source}, line 1")
        return count, width
    width = len(fields) - 1
    if width < 2 or not _is_number(fields[1]):
        raise GataError(
            f"{source}, line 1: expected 'WORDS WIDTH' or a word and its vector, found"
            f" {b' '.join(fields)[:60].decode(errors='replace')!r}"
        )
    return None, width


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _check_width(width: int, where: str) -> None:
    if not 1 <= width <= MAX_WIDTH:
        raise GataError(f"{where}: vectors of width {width}, expected 1 to {MAX_WIDTH}")


# --- .bin --------------------------------------------------------------------------------------


def _read_binary(stream: IO[bytes], source: str, wanted: Set[str]) -> Table:
    magic = stream.read(4)
    stream.seek(0)
    if magic == struct.pack("<i", _FASTTEXT_MAGIC):
        return _FastText(stream, source).table(wanted)
    return _read_word2vec(stream, source, wanted)


def _read_word2vec(stream: IO[bytes], source: str, wanted: Set[str]) -> Table:
    """Read ``WORDS WIDTH`` on a line, then for each word its name, a blank and its floats."""
    header = stream.readline(100).split()
    if len(header) != 2 or not all(field.isdigit() for field in header):
        raise GataError(
            f"{source}: neither a fastText model nor a word2vec file (it does not begin with"
            " 'WORDS WIDTH')"
        )
    count, width = map(int, header)
    _check_width(width, f"{source}, line 1")
    wanted_bytes = {word.encode(): word for word in wanted}
    vectors: dict[str, NDArray[np.float32]] = {}
    for i in range(count):
        where = f"{source}, byte {stream.tell()}, word {i + 1} of {count}"
        name = _read_until(stream, b" ", where).lstrip(b"\n")
        data = _read_exactly(stream, 4 * width, where)
        if (word := wanted_bytes.get(name)) is not None and word not in vectors:
            vectors[word] = np.frombuffer(data, dtype="<f4")
    return Table.of(vectors, width)


def _read_exactly(stream: IO[bytes], size: int, where: str) -> bytes:
    data = stream.read(size)
    if len(data) != size:
        raise GataError(f"{where}: the file is cut off, {size - len(data)} bytes are missing")
    return data


def _read_until(stream: IO[bytes], end: bytes, where: str) -> bytes:
    name = bytearray()
    while (character := stream.read(1)) != end:
        if not character:
            raise GataError(f"{where}: the file is cut off")
        name += character
        if len(name) > _MAX_WORD_BYTES:
            raise GataError(f"{where}: no word is that long; the file is damaged")
    return bytes(name)


class _FastTextArguments(NamedTuple):
    """The head of a fastText model, in the order of the file."""

    width: int
    window: int
    epochs: int
    min_count: int
    negatives: int
    word_ngrams: int
    loss: int
    model: int
    buckets: int
    min_ngram: int
    max_ngram: int
    update_rate: int
    threshold: float


class _FastText:
    """A fastText model: vectors of words, and of the pieces all words are made of.

    A word's vector is the mean of its own row and those of its pieces, its character n-grams
    within ``<word>``, found by hashing. So even a word the model has not seen has a vector.
    """

    def __init__(self, stream: IO[bytes], source: str) -> None:
        self._stream = stream
        self._source = source
        _, version = self._read("<ii")
        if version not in _FASTTEXT_VERSIONS:
            raise GataError(f"{source}: fastText model of version {version}, expected 11 or 12")
        self._arguments = _FastTextArguments(*self._read("<12id"))
        _check_width(self._arguments.width, source)
        if version == 11 and self._arguments.model == 3:
            # Supervised models of version 11 have no pieces, whatever their head says.
            self._arguments = self._arguments._replace(max_ngram=0)
        if self._arguments.max_ngram > 0 and self._arguments.buckets < 1:
            raise GataError(
                f"{source}: a fastText model with pieces of up to {self._arguments.max_ngram}"
                f" characters, but {self._arguments.buckets} vectors for them"
            )
        entries, self._word_count, _, _, pruned = self._read("<iiiqq")
        self._rows = _first_places(self._read_names(entries))
        if pruned > 0 or self._read("<?")[0]:
            raise GataError(f"{source}: a compressed fastText model; expected a whole one (.bin)")
        height, width = self._read("<qq")
        expected = self._word_count + self._arguments.buckets
        if (height, width) != (expected, self._arguments.width):
            raise GataError(
                f"{source}: the vectors have shape ({height}, {width}), expected"
                f" ({expected}, {self._arguments.width})"
            )
        self._start = stream.tell()
        size = stream.seek(0, 2)
        if size < self._start + 4 * height * width:
            raise GataError(
                f"{source}: the file is cut off, {self._start + 4 * height * width - size} bytes"
                " of vectors are missing"
            )

    def table(self, wanted: Set[str]) -> Table:
        """The vectors of the wanted words; those the model has not seen are left out."""
        vectors = {
            word: self._vector(word) for word in sorted(wanted) if word.encode() in self._rows
        }
        return Table.of(vectors, self._arguments.width)

    def _vector(self, word: str) -> NDArray[np.float32]:
        rows = [self._rows[word.encode()], *self._piece_rows(word)]
        mean: NDArray[np.float32] = np.mean([self._row(row) for row in rows], axis=0)
        return mean

    def _piece_rows(self, word: str) -> Iterator[int]:
        shortest, longest = self._arguments.min_ngram, self._arguments.max_ngram
        marked = f"<{word}>" if word != _FASTTEXT_END else ""  # which has no pieces
        for start in range(len(marked)):
            for length in range(max(1, shortest), longest + 1):
                end = start + length
                # A boundary mark by itself is no piece.
                if end > len(marked) or (length == 1 and (start == 0 or end == len(marked))):
                    continue
                piece = marked[start:end].encode()
                yield self._word_count + _fasttext_hash(piece) % self._arguments.buckets

    def _row(self, row: int) -> NDArray[np.float32]:
        size = 4 * self._arguments.width
        self._stream.seek(self._start + row * size)
        return np.frombuffer(_read_exactly(self._stream, size, self._source), dtype="<f4")

    def _read_names(self, entries: int) -> list[bytes]:
        """The words of the dictionary; the labels of supervised models, which follow, are not."""
        names = []
        for i in range(entries):
            where = f"{self._source}, byte {self._stream.tell()}, word {i + 1} of {entries}"
            names.append(_read_until(self._stream, b"\0", where))
            self._read("<qb")  # how often it was seen, and whether it is a label
        return names[: self._word_count]

    def _read(self, layout: str) -> tuple[Any, ...]:
        where = f"{self._source}, byte {self._stream.tell()}"
        return struct.unpack(layout, _read_exactly(self._stream, struct.calcsize(layout), where))


def _fasttext_hash(piece: bytes) -> int:
    """FNV-1a over bytes read as signed, as fastText does it."""
    value = 2166136261
    for byte in piece:
        signed = byte - 256 if byte > 127 else byte
        value = ((value ^ (signed & 0xFFFFFFFF)) * 16777619) & 0xFFFFFFFF
    return value
