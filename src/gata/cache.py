"""Where things are kept that are made on demand. A leaf module: every room may import it."""

import os
import shutil
import time
from contextlib import suppress
from pathlib import Path

import platformdirs

HOME_VARIABLE = "GATA_HOME"

KEPT_DAYS = 30
"""What is made anew for each version is kept this long after its last use."""


def cache_dir() -> Path:
    """The cache folder: ``$GATA_HOME`` if set, else the platform's own place for caches.

    It may not exist yet; whoever writes makes it.
    """
    home = os.environ.get(HOME_VARIABLE)
    return Path(home) if home else platformdirs.user_cache_path("gata", appauthor=False)


def forget_old_neighbours(path: Path) -> None:
    """Mark a file or folder as used now; remove those beside it that nobody used for long."""
    oldest = time.time() - KEPT_DAYS * 24 * 3600
    with suppress(OSError):
        os.utime(path)
        for other in path.parent.iterdir():
            if other.stat().st_mtime >= oldest:
                continue
            if other.is_dir():
                shutil.rmtree(other, ignore_errors=True)
            else:
                other.unlink()
