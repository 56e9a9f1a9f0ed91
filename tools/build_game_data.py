"""Make the game data that ships in the package. Needs the ``[textworld]`` extra.

    python tools/build_game_data.py paper            # the ten archives of the paper's games
    python tools/build_game_data.py pins             # the fingerprints of the pre-training games

Both are deterministic: running them again on any machine gives the same games.
"""

import sys
from pathlib import Path

import numpy as np

from gata.files import atomic_write
from gata.games.archive import SUFFIX
from gata.games.catalogue import SPLITS, ftwp_collections, paper_collections
from gata.games.making import Order, make_archive
from gata.games.pins import PINS_FILE, Pin, encode_pins
from gata.games.store import DATA_DIR, archive_path, paper_fingerprints


def build_paper(folder: Path) -> None:
    """Make the ten archives of 140 games each into ``folder``."""
    for name, collection in paper_collections().items():
        orders = [Order(entry.name, entry.key) for entry in collection.entries]
        archive = make_archive(folder / f"{name}{SUFFIX}", orders)
        for failure in archive.failures:
            print(failure.reason, file=sys.stderr)
        archive.path.with_suffix(".lock").unlink(missing_ok=True)


def build_pins() -> None:
    """Make all pre-training games into the cache and note their fingerprints."""
    pins: dict[str, Pin] = {}
    for name, collection in ftwp_collections().items():
        avoid = paper_fingerprints(SPLITS)
        orders = [Order(entry.name, entry.key, None, avoid) for entry in collection.entries]
        archive = make_archive(archive_path(name), orders)
        pins |= {
            game.name: Pin(game.hash[:32], game.fingerprint) for game in archive.games.values()
        }
        for failure in archive.failures:
            print(failure.reason, file=sys.stderr)
    with atomic_write(PINS_FILE) as stream:
        np.save(stream, encode_pins(pins), allow_pickle=False)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["paper"]:
            build_paper(DATA_DIR)
        case ["paper", folder]:
            build_paper(Path(folder))
        case ["pins"]:
            build_pins()
        case _:
            sys.exit(__doc__)
