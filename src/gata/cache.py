"""Where things are kept that are made on demand. A leaf module: every room may import it."""

import os
from pathlib import Path

import platformdirs

HOME_VARIABLE = "GATA_HOME"


def cache_dir() -> Path:
    """The cache folder: ``$GATA_HOME`` if set, else the platform's own place for caches.

    It may not exist yet; whoever writes makes it.
    """
    home = os.environ.get(HOME_VARIABLE)
    return Path(home) if home else platformdirs.user_cache_path("gata", appauthor=False)
