"""The corpus of one split: flat integer arrays on disk, mapped into memory when opened.

A corpus is a folder of ``.npy`` files with a ``meta.json`` that names every file's SHA-256. The
latter is written last, so that a folder with one is whole. Everything repeated (texts, commands,
graphs, updates) is stored once and referred to by number.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gata.errors import GataError
from gata.files import atomic_write
from gata.graph.vocabulary import PAPER
from gata.language.vocabulary import default

Array = npt.NDArray[Any]

FORMAT = "gata corpus"
VERSION = 1
META_FILE = "meta.json"

EMPTY_GRAPH = 0
"""The number of the graph without edges: what was seen before a game begins."""


class Ragged(NamedTuple):
    """Rows of different lengths, end to end: row i is ``values[offsets[i]:offsets[i + 1]]``."""

    values: Array
    offsets: Array
    """(rows + 1,) int64."""

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.offsets) - 1

    def row(self, number: int) -> Array:
        """One row's values."""
        return self.values[self.offsets[number] : self.offsets[number + 1]]

    @property
    def lengths(self) -> Array:
        """(rows,) int64: how long each row is."""
        return np.diff(self.offsets)

    @classmethod
    def of(cls, rows: Iterable[npt.ArrayLike], dtype: npt.DTypeLike) -> "Ragged":
        """Put rows end to end."""
        arrays = [np.asarray(row, dtype) for row in rows]
        offsets = np.cumsum([0, *map(len, arrays)], dtype=np.int64)
        return cls(np.concatenate([np.empty(0, dtype), *arrays]), offsets)


class _Column(NamedTuple):
    """What an array holds: its type, what it has a row for, and what its numbers are ids of."""

    dtype: str
    rows: str
    ids: str | None
    least: int = 0


_RAGGED = {
    "texts": _Column("int16", "texts", "words"),
    "commands": _Column("int16", "commands", "words"),
    "graphs": _Column("int32", "graphs", "edges"),
    "updates": _Column("int16", "updates", "words"),
    "paths": _Column("int32", "paths", "records"),
}
_COLUMNS = {
    "record_game": _Column("int32", "records", "games"),
    "record_parent": _Column("int32", "records", "records", least=-1),
    "record_text": _Column("int32", "records", "texts"),
    "record_command": _Column("int32", "records", "commands"),
    "record_seen": _Column("int32", "records", "graphs"),
    "record_full": _Column("int32", "records", "graphs"),
    "record_update": _Column("int32", "records", "updates"),
    "path_new": _Column("int32", "paths", None),
    "choice_game": _Column("int32", "choices", "games"),
    "choice_seen": _Column("int32", "choices", "graphs"),
    "choice_full": _Column("int32", "choices", "graphs"),
    "option_command": _Column("int32", "options", "commands"),
    "option_seen": _Column("int32", "options", "graphs"),
    "option_full": _Column("int32", "options", "graphs"),
}


@dataclass(frozen=True)
class Request:
    """What a corpus was made from and how: equal requests give equal corpora."""

    games: str
    """The name of the set."""
    games_hash: str
    """Of the games' names and contents."""
    seed: int
    """Decides the random branches."""
    branch: int
    """How many random commands a branch has at most."""


@dataclass(frozen=True, eq=False)
class Corpus:
    """Everything recorded while playing the games of one split.

    *Records* are the states of the games' trajectory trees: the walkthrough, and at each of its
    states a branch of random commands. *Paths* are the ways from a game's start to a leaf.
    *Choices* are the states of the walkthroughs with everything that can be done there.
    """

    request: Request
    games: tuple[str, ...]
    """The games' names; ``record_game`` and ``choice_game`` are places in it."""
    left_out: int
    """How many commands of walkthroughs were not admissible when their turn came."""

    texts: Ragged
    """int16: the distinct cleaned observations as token ids of ``gata.language``, no marks."""
    commands: Ragged
    """int16: the distinct commands as token ids; "restart" is one of them."""
    graphs: Ragged
    """int32: the distinct graphs as ascending edge ids of ``gata.graph``; number 0 is empty."""
    updates: Ragged
    """int16: the distinct targets of command generation as token ids: update commands in the
    paper's order with ``SEP`` between them, no ``BOS`` or ``EOS``; may be empty."""

    record_game: Array
    """(records,) int32; likewise the others."""
    record_parent: Array
    """The record before, -1 at a game's start. Parents come before their children."""
    record_text: Array
    record_command: Array
    """The command that led here; "restart" at a game's start."""
    record_seen: Array
    """The graph of what the player may know by now."""
    record_full: Array
    """The graph of all that is true."""
    record_update: Array
    """What turns the parent's seen graph (the empty one at the start) into this record's."""

    paths: Ragged
    """int32: records from a game's start to a leaf: for each step of the walkthrough, the
    walkthrough up to it and its branch. A game's last path is the walkthrough itself."""
    path_new: Array
    """(paths,) int32: how many records at the end of the path are on no earlier one. Taken
    together these are all records, each once."""

    choice_game: Array
    """(choices,) int32: states of walkthroughs where there is something to choose from."""
    choice_seen: Array
    """The graph before the choice; likewise ``choice_full``."""
    choice_full: Array
    choice_offsets: Array
    """(choices + 1,) int64: choice i has options ``choice_offsets[i]`` to the next."""
    option_command: Array
    """(options,) int32: a command that can be chosen."""
    option_seen: Array
    """The graph after it; likewise ``option_full``."""
    option_full: Array

    @property
    def sizes(self) -> dict[str, int]:
        """How many there are of everything that has numbers."""
        return {
            "games": len(self.games),
            **{name: len(getattr(self, name)) for name in _RAGGED},
            "records": len(self.record_game),
            "choices": len(self.choice_game),
            "options": len(self.option_command),
        }

    @property
    def nbytes(self) -> int:
        """The size of all arrays."""
        return sum(array.nbytes for array in self._arrays().values())

    def _arrays(self) -> dict[str, Array]:
        """Every array by the name of its file."""
        arrays = {name: getattr(self, name) for name in (*_COLUMNS, "choice_offsets")}
        for name in _RAGGED:
            arrays[f"{name}.values"], arrays[f"{name}.offsets"] = getattr(self, name)
        return arrays

    def save(self, folder: Path) -> None:
        """Write the corpus into ``folder``; until all is written there is none to open."""
        _check(self, f"{folder}: ")
        try:
            (folder / META_FILE).unlink(missing_ok=True)
        except OSError as error:
            raise GataError(f"{folder}: cannot write a corpus here ({error.strerror})") from error
        hashes = {}
        for name, array in self._arrays().items():
            path = folder / f"{name}.npy"
            with atomic_write(path) as stream:
                np.save(stream, array, allow_pickle=False)
            hashes[path.name] = _file_hash(path)
        meta = {
            "format": FORMAT,
            "version": VERSION,
            **_vocabularies(),
            "request": asdict(self.request),
            "left_out": self.left_out,
            "sizes": self.sizes,
            "files": hashes,
            "games": self.games,
        }
        with atomic_write(folder / META_FILE) as stream:
            stream.write(json.dumps(meta, indent=1).encode())

    @classmethod
    def open(cls, folder: Path) -> "Corpus":
        """Open what ``save`` wrote; arrays stay on disk and are mapped into memory.

        Every file is checked against its hash, and every number against what it refers to, so
        that whoever reads a corpus can trust it.
        """
        meta = _Meta.read(folder / META_FILE)
        parts: dict[str, Any] = {
            name: meta.load(folder / f"{name}.npy", dtype) for name, dtype in _files()
        }
        for name in _RAGGED:
            parts[name] = Ragged(parts.pop(f"{name}.values"), parts.pop(f"{name}.offsets"))
        corpus = cls(
            request=meta.request(),
            games=meta.games(),
            left_out=meta.field("left_out", int),
            **parts,
        )
        _check(corpus, f"{folder}/")
        if corpus.sizes != meta.field("sizes", dict):
            raise GataError(f"{meta.path}: field 'sizes' is not what the arrays hold")
        return corpus


def _files() -> list[tuple[str, str]]:
    """Name and type of every array of a corpus."""
    plain = [(name, column.dtype) for name, column in _COLUMNS.items()]
    values = [(f"{name}.values", column.dtype) for name, column in _RAGGED.items()]
    offsets = [(f"{name}.offsets", "int64") for name in _RAGGED]
    return [*plain, *values, *offsets, ("choice_offsets", "int64")]


def words_hash(words: Iterable[str]) -> str:
    """The SHA-256 of a list of words in its order."""
    return hashlib.sha256("\n".join(words).encode()).hexdigest()


def _vocabularies() -> dict[str, str]:
    """What the numbers of a corpus stand for, in this version of the library."""
    return {
        "vocabulary_version": default().version,
        "vocabulary_hash": words_hash(default().words),
        "graph_hash": words_hash((*PAPER.nodes, "", *PAPER.relations)),
    }


def _check(corpus: Corpus, where: str) -> None:
    """Check types, lengths and that every number refers to something."""
    arrays = corpus._arrays()
    for name, dtype in _files():
        if arrays[name].ndim != 1 or arrays[name].dtype != np.dtype(dtype):
            raise GataError(
                f"{where}{name}.npy: has type {arrays[name].dtype} and {arrays[name].ndim}"
                f" dimensions, expected {dtype} and 1"
            )
    for name in _RAGGED:
        _check_offsets(
            arrays[f"{name}.offsets"], arrays[f"{name}.values"], f"{where}{name}.offsets.npy"
        )
    sizes = corpus.sizes
    for name, column in _COLUMNS.items():
        if len(arrays[name]) != sizes[column.rows]:
            raise GataError(
                f"{where}{name}.npy: has {len(arrays[name])} rows, expected one for each of"
                f" {sizes[column.rows]} {column.rows}"
            )
    if len(corpus.choice_offsets) != sizes["choices"] + 1:
        raise GataError(
            f"{where}choice_offsets.npy: has {len(corpus.choice_offsets)} rows, expected one more"
            f" than {sizes['choices']} choices"
        )
    _check_offsets(corpus.choice_offsets, corpus.option_command, f"{where}choice_offsets.npy")
    limits = {**sizes, "words": len(default()), "edges": PAPER.edge_count}
    for name, column in _COLUMNS.items():
        _check_ids(arrays[name], column, limits, f"{where}{name}.npy")
    for name, column in _RAGGED.items():
        _check_ids(arrays[f"{name}.values"], column, limits, f"{where}{name}.values.npy")


def _check_offsets(offsets: Array, values: Array, where: str) -> None:
    whole = len(offsets) > 0 and offsets[0] == 0 and offsets[-1] == len(values)
    if not whole or (np.diff(offsets) < 0).any():
        raise GataError(f"{where}: expected ascending numbers from 0 to {len(values)}")


def _check_ids(values: Array, column: _Column, limits: Mapping[str, int], where: str) -> None:
    if column.ids is None or not len(values):
        return
    least, most = int(values.min()), int(values.max())
    if least < column.least or most >= limits[column.ids]:
        raise GataError(
            f"{where}: holds numbers from {least} to {most}, but there are"
            f" {limits[column.ids]} {column.ids}"
        )


class _Meta(NamedTuple):
    """The description that stands beside the arrays, not yet trusted."""

    path: Path
    data: dict[str, Any]

    @classmethod
    def read(cls, path: Path) -> "_Meta":
        try:
            data = json.loads(path.read_bytes())
        except FileNotFoundError:
            raise GataError(
                f"{path}: not there, so {path.parent} holds no (whole) corpus;"
                f" {_advice(path.parent)}"
            ) from None
        except OSError as error:
            raise GataError(f"{path}: cannot read ({error.strerror})") from error
        except (ValueError, RecursionError) as error:
            raise GataError(f"{path}: not a JSON file ({error})") from error
        if not isinstance(data, dict):
            raise GataError(f"{path}: expected a JSON object, found {type(data).__name__}")
        meta = cls(path, data)
        for field, expected in (("format", FORMAT), ("version", VERSION), *_vocabularies().items()):
            found = meta.field(field, type(expected))
            if found != expected:
                raise GataError(
                    f"{path}: field '{field}' is {found!r}, expected {expected!r};"
                    " `gata pretrain data --again` makes a corpus for this version"
                )
        return meta

    def field(self, name: str, kind: type) -> Any:
        """A field of the given type."""
        value = self.data.get(name)
        if type(value) is not kind:
            raise GataError(f"{self.path}: field '{name}' is missing or not a {kind.__name__}")
        return value

    def request(self) -> Request:
        """What the corpus was made from."""
        data = self.field("request", dict)
        kinds = {"games": str, "games_hash": str, "seed": int, "branch": int}
        if {name: type(value) for name, value in data.items()} != kinds:
            raise GataError(f"{self.path}: field 'request' does not hold {', '.join(kinds)}")
        return Request(**data)

    def games(self) -> tuple[str, ...]:
        """The games' names."""
        names = self.field("games", list)
        if not all(isinstance(name, str) for name in names):
            raise GataError(f"{self.path}: field 'games' holds something that is no name")
        return tuple(names)

    def load(self, path: Path, dtype: str) -> Array:
        """Map one array into memory once its file has been checked."""
        expected = self.field("files", dict).get(path.name)
        if _file_hash(path) != expected:
            raise GataError(
                f"{path}: damaged: its SHA-256 is not the one in {META_FILE}, field 'files'"
            )
        try:
            array: Array = np.lib.format.open_memmap(path, mode="r")
        except (OSError, ValueError, EOFError) as error:
            raise GataError(f"{path}: not an array of {dtype} ({error})") from error
        return array


def _advice(folder: Path) -> str:
    """What to do where no corpus is: perhaps it is one folder further up or down."""
    inside = sorted(path.parent.name for path in folder.glob(f"*/{META_FILE}"))
    if inside:
        return f"choose one of those in it: {', '.join(inside)}"
    if (folder.parent / META_FILE).exists():
        return (
            f"{folder.parent} is a single corpus, expected a folder of train, valid and test, as"
            " `gata pretrain data` makes it of ftwp or level1"
        )
    return "`gata pretrain data` makes one"


def _file_hash(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except FileNotFoundError:
        raise GataError(f"{path}: this file of the corpus is missing") from None
    except OSError as error:
        raise GataError(f"{path}: cannot read ({error.strerror})") from error
