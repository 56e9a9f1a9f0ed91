"""Compiling the kernel's functions, and keeping them compiled from one run to the next."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

import numba

from gata.cache import cache_dir


@cache
def sources_digest() -> str:
    """A name for this version of the sources that compiled things depend on."""
    here = Path(__file__).parent
    digest = hashlib.sha256(numba.__version__.encode())
    for folder in (here, here.parent / "language", here.parent / "graph"):
        for source in sorted(folder.glob("*.py")):
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def kernel(function: Any) -> Any:
    """Compile a function when it is first called; it may hold no Python objects.

    It runs without the interpreter's lock, so threads can work side by side. numba looks only at
    the file a function stands in to see whether its compiled form is still good; ours also
    depends on tables in other files, so each version of the sources has a folder of its own.
    """
    config: Any = numba.config
    before = config.CACHE_DIR
    config.CACHE_DIR = str(cache_dir() / "kernels" / sources_digest())
    try:
        return numba.njit(cache=True, nogil=True)(function)
    finally:
        config.CACHE_DIR = before
