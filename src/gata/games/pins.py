"""The fingerprints of the pre-training games, known before the games are made.

The games themselves are too many to ship, so they are made on demand; their fingerprints ship
instead. They show that a machine made the published games and no others, and that none of them
is one of the paper's games.
"""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gata.games.catalogue import ftwp_collections

PINS_FILE = Path(__file__).parent / "data" / "ftwp_pins.npy"
"""A row of 32 bytes per game, in the catalogue's order: 16 of the content hash, 16 of the world.

A row of zeros stands for a game that TextWorld cannot make.
"""


class Pin(NamedTuple):
    """The first 128 bits (hex) of a game's content hash, and its world fingerprint."""

    hash: str
    world: str


@cache
def ftwp_pins() -> dict[str, Pin]:
    """The pins of all pre-training games that can be made, by name."""
    names = [e.name for collection in ftwp_collections().values() for e in collection.entries]
    rows = np.load(PINS_FILE, allow_pickle=False)
    return {
        name: Pin(row[:16].tobytes().hex(), row[16:].tobytes().hex())
        for name, row in zip(names, rows, strict=True)
        if row.any()
    }


def encode_pins(pins: dict[str, Pin]) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """The file's rows from pins by name; what has no pin gets zeros."""
    names = [e.name for collection in ftwp_collections().values() for e in collection.entries]
    rows = np.zeros((len(names), 32), np.uint8)
    for row, name in zip(rows, names, strict=True):
        if name in pins:
            row[:] = np.frombuffer(bytes.fromhex(pins[name].hash + pins[name].world), np.uint8)
    return rows
