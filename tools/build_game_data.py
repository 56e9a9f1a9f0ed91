"""Make the game data that ships in the package. Needs the ``[textworld]`` extra.

    python tools/build_game_data.py paper FOLDER   # the ten archives of the paper's games
    python tools/build_game_data.py pins FOLDER    # the fingerprints of the pre-training games

Both make everything anew into FOLDER; ``pins`` then writes the package's file. They are
deterministic: any machine makes the same games, and the same archives byte for byte.
"""

import sys
from pathlib import Path

import numpy as np

from gata.files import atomic_write
from gata.games.archive import SUFFIX, Archive
from gata.games.catalogue import SPLITS, ftwp_collections, paper_collections
from gata.games.making import Order, make_archive
from gata.games.pins import PINS_FILE, Pin, encode_pins
from gata.games.store import paper_fingerprints


def build_paper(folder: Path) -> None:
    """Make the ten archives of 140 games each into ``folder``."""
    for name, collection in paper_collections().items():
        orders = [Order(entry.name, entry.key) for entry in collection.entries]
        _report(make_archive(folder / f"{name}{SUFFIX}", orders))


def build_pins(folder: Path) -> None:
    """Make all pre-training games into ``folder`` and note their fingerprints."""
    pins: dict[str, Pin] = {}
    avoid = paper_fingerprints(SPLITS)
    for name, collection in ftwp_collections().items():
        orders = [Order(entry.name, entry.key, None, avoid) for entry in collection.entries]
        archive = make_archive(folder / f"{name}{SUFFIX}", orders)
        pins |= {
            game.name: Pin(game.hash[:32], game.fingerprint) for game in archive.games.values()
        }
        _report(archive)
    with atomic_write(PINS_FILE) as stream:
        np.save(stream, encode_pins(pins), allow_pickle=False)


def _report(archive: Archive) -> None:
    print(f"{archive.path}: {len(archive)} games")
    for failure in archive.failures:
        print(failure.reason)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["paper", folder]:
            build_paper(Path(folder))
        case ["pins", folder]:
            build_pins(Path(folder))
        case _:
            sys.exit(__doc__)
