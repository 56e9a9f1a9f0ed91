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
from gata.games.identity import Fingerprint

PINS_FILE = Path(__file__).parent / "data" / "ftwp_pins.npy"
"""A row of 48 bytes per game, in the catalogue's order: content hash, world and plan, 16 each.

A row of zeros stands for a game that is left out: TextWorld cannot make it, or it meets a game
of the paper.
"""


class Pin(NamedTuple):
    """The first 128 bits (hex) of a game's content hash, and its fingerprint."""

    hash: str
    fingerprint: Fingerprint


@cache
def ftwp_pins() -> dict[str, Pin]:
    """The pins of all pre-training games, by name; games that are left out have none."""
    rows = np.load(PINS_FILE, allow_pickle=False)
    pins = {}
    for name, row in zip(_names(), rows, strict=True):
        if row.any():
            content, world, plan = (bytes(part).hex() for part in np.split(row, 3))
            pins[name] = Pin(content, Fingerprint(world, plan if int(plan, 16) else ""))
    return pins


def encode_pins(pins: dict[str, Pin]) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """The file's rows from pins by name; what has no pin gets zeros."""
    names = _names()
    rows = np.zeros((len(names), 48), np.uint8)
    for row, name in zip(rows, names, strict=True):
        if name in pins:
            pin = pins[name]
            digits = pin.hash + pin.fingerprint.world + (pin.fingerprint.plan or "0" * 32)
            row[:] = np.frombuffer(bytes.fromhex(digits), np.uint8)
    return rows


def _names() -> list[str]:
    return [entry.name for c in ftwp_collections().values() for entry in c.entries]
