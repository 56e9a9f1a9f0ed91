"""Corpora of some games each, put together to the corpus of all of them.

Numbers go by first appearance, game after game, so that the result is the same however the games
were divided.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gata.errors import UsageError
from gata.pretrain.data.corpus import Array, Corpus, Ragged
from gata.pretrain.data.recorder import Numbering

_KINDS: dict[str, tuple[npt.DTypeLike, tuple[str, ...]]] = {
    "texts": (np.int16, ("record_text",)),
    "commands": (np.int16, ("record_command", "option_command")),
    "graphs": (
        np.int32,
        tuple(f"{of}_{kind}" for of in ("record", "choice", "option") for kind in ("seen", "full")),
    ),
    "updates": (np.int16, ("record_update",)),
}
"""What is stored once: its type, and the arrays that refer to it."""


def merge(parts: Sequence[Corpus]) -> Corpus:
    """One corpus with the games of all ``parts``, in their order."""
    if len({part.request for part in parts}) != 1:
        raise UsageError("only parts of one and the same corpus can be put together")
    merged: dict[str, Any] = {}
    for kind, (dtype, referring) in _KINDS.items():
        numbering = Numbering(dtype)
        numbers = [numbering.add(getattr(part, kind)) for part in parts]
        merged[kind] = numbering.rows()
        for name in referring:
            old = [getattr(part, name) for part in parts]
            merged[name] = np.concatenate([new[ids] for new, ids in zip(numbers, old, strict=True)])
    games = [len(part.games) for part in parts]
    records = [len(part.record_game) for part in parts]
    options = [len(part.option_command) for part in parts]
    values = [len(part.paths.values) for part in parts]
    return Corpus(
        request=parts[0].request,
        games=tuple(name for part in parts for name in part.games),
        left_out=sum(part.left_out for part in parts),
        record_game=_shifted([part.record_game for part in parts], games),
        record_parent=_shifted([part.record_parent for part in parts], records),
        paths=Ragged(
            _shifted([part.paths.values for part in parts], records),
            _shifted_offsets([part.paths.offsets for part in parts], values),
        ),
        path_new=np.concatenate([part.path_new for part in parts]),
        choice_game=_shifted([part.choice_game for part in parts], games),
        choice_offsets=_shifted_offsets([part.choice_offsets for part in parts], options),
        **merged,
    )


def _shifted(parts: Sequence[Array], sizes: Sequence[int]) -> Array:
    """Numbers of things of which part i has ``sizes[i]``, counted through; -1 stays -1."""
    starts = np.cumsum([0, *sizes[:-1]], dtype=np.int32)
    return np.concatenate(
        [np.where(part < 0, part, part + start) for part, start in zip(parts, starts, strict=True)]
    )


def _shifted_offsets(parts: Sequence[Array], sizes: Sequence[int]) -> Array:
    """Offsets counted through; the end of one part is the beginning of the next."""
    starts = np.cumsum([0, *sizes[:-1]], dtype=np.int64)
    begins = [part[:-1] + start for part, start in zip(parts, starts, strict=True)]
    return np.concatenate([*begins, [sum(sizes)]], dtype=np.int64)
