"""From games to an engine: compile them, or load what was compiled before.

Compiled games are kept in the cache folder, named by everything they depend on: the games, the
vocabularies, and the engine's own sources.
"""

import hashlib
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gata.cache import cache_dir, forget_old_neighbours
from gata.engine.compiler import compile_game
from gata.engine.jit import sources_digest
from gata.engine.pack import Pack, pack
from gata.engine.tables import Tables
from gata.errors import GataError, UsageError
from gata.files import atomic_write
from gata.games.game import Game
from gata.games.selection import load_games
from gata.games.store import content_hashes
from gata.graph.vocabulary import PAPER, GraphVocabulary
from gata.language.vocabulary import Vocabulary, default

_TEXT_FIELDS = ("widths", "texts", "commands", "headings", "names", "max_scores")
_DIGEST_BYTES = 32


def build(
    games: Sequence[Game],
    *,
    vocabulary: Vocabulary | None = None,
    graph: GraphVocabulary | None = None,
    use_cache: bool = True,
) -> Pack:
    """Games ready to be played.

    Args:
        games: the games; a ``GameList`` need not even be read where the cache has its engine.
        vocabulary: the words of tokens (default: the shipped ones).
        graph: the nodes and relations of graphs (default: the paper's); edges among others are
            left out.
        use_cache: whether to read and write the cache folder.
    """
    vocabulary = vocabulary or default()
    graph = graph or PAPER
    if not use_cache:
        return pack([compile_game(game, graph) for game in games], vocabulary, graph)
    path = cache_dir() / "engines" / f"{_key(games, vocabulary, graph)}.engine"
    loaded = load_pack(path, vocabulary, graph)
    if loaded is None:
        loaded = pack([compile_game(game, graph) for game in games], vocabulary, graph)
        try:
            save_pack(loaded, path)
        except GataError as error:
            from gata import console  # only now: it takes long to import

            console.note(f"compiled games are not kept for the next time: {error}")
    forget_old_neighbours(path)
    return loaded


def _key(games: Sequence[Game], vocabulary: Vocabulary, graph: GraphVocabulary) -> str:
    digest = hashlib.sha256(sources_digest().encode())
    for part in (vocabulary.words, graph.nodes, graph.relations):
        digest.update("\n".join(part).encode())
        digest.update(b"\0")
    for name, content in content_hashes(games):
        digest.update(f"{name}\n{content}\n".encode())
    return digest.hexdigest()[:32]


def save_pack(packed: Pack, path: Path) -> None:
    """Write compiled games to a file: a SHA-256 of the rest, then a ``.npz``."""
    texts = {name: getattr(packed, name) for name in _TEXT_FIELDS}
    arrays: dict[str, Any] = packed.tables._asdict()
    arrays["texts"] = np.frombuffer(json.dumps(texts).encode(), np.uint8)
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    content = buffer.getvalue()
    with atomic_write(path) as stream:
        stream.write(hashlib.sha256(content).digest())
        stream.write(content)


def load_pack(path: Path, vocabulary: Vocabulary, graph: GraphVocabulary) -> Pack | None:
    """Read games compiled for these words and this graph; None if there is no whole file."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    # The kernel trusts what it reads, so a damaged file must not even be looked into.
    digest, content = data[:_DIGEST_BYTES], data[_DIGEST_BYTES:]
    if hashlib.sha256(content).digest() != digest:
        return None
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    texts = json.loads(arrays.pop("texts").tobytes())
    return Pack(
        tables=Tables(**arrays),
        widths=texts["widths"],
        texts=tuple(texts["texts"]),
        commands=tuple(texts["commands"]),
        headings=tuple(map(tuple, texts["headings"])),
        names=tuple(texts["names"]),
        max_scores=tuple(texts["max_scores"]),
        vocabulary=vocabulary,
        graph=graph,
    )


def games_named(games: str | Sequence[Game]) -> Sequence[Game]:
    """Games as they are, or those that a name stands for (``gata.games.load_games``)."""
    if isinstance(games, str):
        return load_games(games)
    given: object = games
    if not isinstance(given, Sequence):
        raise UsageError(f"the games are {games!r}, expected a name, a list of games, or a pack")
    if len(games) == 0:
        raise GataError("no games to play: the list is empty")
    if not isinstance(given[0], Game):
        raise UsageError(
            f"the games are a list of {type(given[0]).__name__}, expected games: load_games of"
            " gata.games gets them by name"
        )
    return games
