"""Compiling the kernel's functions, and keeping them compiled from one run to the next."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

import numba
import platformdirs


@cache
def _cache_folder() -> str:
    """A folder of its own for each version of the engine's sources.

    numba looks only at the file a function stands in to see whether its compiled form is still
    good; ours also depends on tables in other files.
    """
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    folder = Path(platformdirs.user_cache_dir("gata")) / "kernels" / digest.hexdigest()[:16]
    return str(folder)


def kernel(function: Any) -> Any:
    """Compile a function when it is first called; it may hold no Python objects.

    It runs without the interpreter's lock, so threads can work side by side.
    """
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = _cache_folder()
    try:
        return numba.njit(cache=True, nogil=True)(function)
    finally:
        numba.config.CACHE_DIR = before
