"""One file for a set of games: small, checked, read lazily.

Layout::

    gata-games 1 <newline>    magic and format version
    <8 bytes>                 length of the header, little-endian
    <32 bytes>                SHA-256 of the header
    <header>                  JSON: games, failures, blocks
    <block> <block> ...       LZMA streams: first the rule texts, then games by the dozen

A block of games is a JSON list of TextWorld's game objects whose ``KB`` is the number of their
rule text, which thousands of games share. Every game is checked against its SHA-256 when it is
read, so a damaged or altered file gives an error, never a wrong game.
"""

import hashlib
import json
import lzma
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

from gata.errors import GataError
from gata.files import atomic_write
from gata.games.game import Game, canonical_json
from gata.games.identity import Fingerprint, fingerprint

SUFFIX = ".games"
_MAGIC = b"gata-games 1\n"
_LENGTHS = struct.Struct("<Q32s")
GAMES_PER_BLOCK = 12
"""Games of a set are alike: a dozen together compress far better than one alone."""
_LZMA_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME}]
_MAX_HEADER_BYTES = 1 << 28
_MAX_BLOCK_BYTES = 1 << 27
"""No honest block comes near this; a file that unpacks to more is refused before it does."""
_BLOCKS_KEPT = 4
"""Decompressed blocks an archive keeps; reading in order touches each block once."""


@dataclass(frozen=True)
class ArchivedGame:
    """What the header says about a game."""

    name: str
    hash: str
    """SHA-256 of the canonical JSON (hex)."""
    world: str
    plan: str
    """The game's ``identity.Fingerprint``."""
    block: int
    position: int
    """Which block the game is in, and its place there."""

    @property
    def fingerprint(self) -> Fingerprint:
        """What the game is made of, known without reading it."""
        return Fingerprint(self.world, self.plan)


@dataclass(frozen=True)
class Failure:
    """A game that was asked for and left out, with the reason."""

    name: str
    reason: str


@dataclass(frozen=True)
class _Block:
    offset: int
    """In bytes, from the end of the header."""
    size: int


class Archive:
    """Games in a file, a lazy mapping from name to ``Game``."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with path.open("rb") as stream:
                header = _read_header(stream, path)
                self._data_start = stream.tell()
            size = path.stat().st_size
        except OSError as error:
            raise GataError(f"{path}: cannot read the archive ({error.strerror})") from error
        try:
            self.failures = tuple(Failure(**failure) for failure in header["failures"])
            self.blocks = tuple(_Block(**block) for block in header["blocks"])
            self.games: Mapping[str, ArchivedGame] = {
                game["name"]: ArchivedGame(**game) for game in header["games"]
            }
            expected = self._data_start + sum(block.size for block in self.blocks)
        except (KeyError, TypeError, AttributeError) as error:
            raise GataError(f"{path}: the header is not understood ({error})") from error
        if size != expected:
            raise GataError(f"{path}: truncated or padded ({size} bytes, expected {expected})")
        # One small cache per archive, so that a closed archive frees its blocks.
        self._block = lru_cache(maxsize=_BLOCKS_KEPT)(self._read_block)
        self._rules: Sequence[Mapping[str, Any]] | None = None

    def __len__(self) -> int:
        return len(self.games)

    def __contains__(self, name: object) -> bool:
        return name in self.games

    def __iter__(self) -> Iterator[str]:
        return iter(self.games)

    def __getitem__(self, name: str) -> Game:
        """Read one game and check it against its hash."""
        if name not in self.games:
            raise GataError(f"{self.path}: has no game {name!r}")
        entry = self.games[name]
        if self._rules is None:
            self._rules = self._read_block(0)
        try:
            stored = self._block(entry.block)[entry.position]
            data = {**stored, "KB": self._rules[stored["KB"]]}
        except (IndexError, KeyError, TypeError) as error:
            raise GataError(f"{self.path}: game {name!r} is not where it should be") from error
        content = canonical_json(data)
        if hashlib.sha256(content).hexdigest() != entry.hash:
            raise GataError(f"{self.path}: game {name!r} does not match its hash; file altered?")
        return Game(name, data)

    def read_raw_blocks(self) -> list[bytes]:
        """All blocks as they are stored."""
        try:
            with self.path.open("rb") as stream:
                stream.seek(self._data_start)
                return [stream.read(block.size) for block in self.blocks]
        except OSError as error:
            raise GataError(f"{self.path}: cannot read ({error.strerror})") from error

    def _read_block(self, number: int) -> Any:
        try:
            block = self.blocks[number]
            with self.path.open("rb") as stream:
                stream.seek(self._data_start + block.offset)
                packed = stream.read(block.size)
            return json.loads(_decompress(packed))
        except OSError as error:
            raise GataError(f"{self.path}: cannot read ({error.strerror})") from error
        except (IndexError, lzma.LZMAError, ValueError) as error:
            raise GataError(f"{self.path}: block {number} is damaged ({error})") from error


def write_archive(path: Path, games: Iterable[Game], failures: Iterable[Failure] = ()) -> None:
    """Write ``games`` into one file, in their order; all or nothing."""
    rules: list[Mapping[str, Any]] = []
    entries: list[ArchivedGame] = []
    packed: list[bytes] = []
    waiting: list[Mapping[str, Any]] = []

    def flush() -> None:
        if waiting:
            packed.append(_compress(waiting))
            waiting.clear()

    for game in games:
        knowledge = game.data["KB"]
        if knowledge not in rules:
            rules.append(knowledge)
        entries.append(
            ArchivedGame(
                name=game.name,
                hash=game.content_hash,
                **fingerprint(game)._asdict(),
                block=1 + len(packed),
                position=len(waiting),
            )
        )
        waiting.append({**game.data, "KB": rules.index(knowledge)})
        if len(waiting) == GAMES_PER_BLOCK:
            flush()
    flush()
    _write(path, entries, list(failures), [_compress(rules), *packed])


def join_archives(path: Path, parts: Sequence[Archive]) -> None:
    """Put the games of ``parts`` into one archive, in their order, re-packing nothing but rules."""
    rules: list[Mapping[str, Any]] = []
    games: list[ArchivedGame] = []
    failures: list[Failure] = []
    packed: list[bytes] = []
    for part in parts:
        part_rules = part._read_block(0)
        rules += [knowledge for knowledge in part_rules if knowledge not in rules]
        renumbered = [rules.index(knowledge) for knowledge in part_rules]
        first_block = 1 + len(packed)
        for raw in part.read_raw_blocks()[1:]:
            if renumbered == list(range(len(renumbered))):
                packed.append(raw)
            else:
                block = json.loads(_decompress(raw))
                packed.append(_compress([{**g, "KB": renumbered[g["KB"]]} for g in block]))
        games += [
            ArchivedGame(**{**asdict(game), "block": first_block + game.block - 1})
            for game in part.games.values()
        ]
        failures += part.failures
    _write(path, games, failures, [_compress(rules), *packed])


def _write(
    path: Path, games: list[ArchivedGame], failures: list[Failure], packed: list[bytes]
) -> None:
    if len({game.name for game in games}) != len(games):
        raise GataError(f"{path}: two games of the same name cannot go into one archive")
    blocks, offset = [], 0
    for block in packed:
        blocks.append(_Block(offset, len(block)))
        offset += len(block)
    header = json.dumps(
        {
            "games": [asdict(game) for game in games],
            "failures": [asdict(failure) for failure in failures],
            "blocks": [asdict(block) for block in blocks],
        },
        separators=(",", ":"),
    ).encode()
    with atomic_write(path) as stream:
        stream.write(_MAGIC)
        stream.write(_LENGTHS.pack(len(header), hashlib.sha256(header).digest()))
        stream.write(header)
        for block in packed:
            stream.write(block)


def _compress(value: Any) -> bytes:
    return lzma.compress(canonical_json(value), lzma.FORMAT_XZ, filters=_LZMA_FILTERS)


def _decompress(packed: bytes) -> bytes:
    decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ)
    content = decompressor.decompress(packed, _MAX_BLOCK_BYTES)
    if not decompressor.eof:
        raise lzma.LZMAError("it is cut off, or far too large")
    return content


def _read_header(stream: BinaryIO, path: Path) -> dict[str, Any]:
    magic = stream.read(len(_MAGIC))
    if magic != _MAGIC:
        kind = (
            "another version of the format" if magic[:11] == _MAGIC[:11] else "not a game archive"
        )
        raise GataError(f"{path}: {kind} (expected it to begin with {_MAGIC!r})")
    fixed = stream.read(_LENGTHS.size)
    if len(fixed) < _LENGTHS.size:
        raise GataError(f"{path}: truncated inside the header")
    length, digest = _LENGTHS.unpack(fixed)
    text = stream.read(min(length, _MAX_HEADER_BYTES))
    if len(text) != length:
        raise GataError(f"{path}: truncated inside the header")
    if hashlib.sha256(text).digest() != digest:
        raise GataError(f"{path}: the header does not match its checksum; file altered?")
    try:
        header: dict[str, Any] = json.loads(text)
    except ValueError as error:
        raise GataError(f"{path}: the header is not JSON ({error})") from error
    return header
