"""Compiling the kernel's functions, and keeping them compiled from one run to the next."""

import hashlib
import os
from functools import cache
from pathlib import Path
from typing import Any

import numba

from gata.cache import cache_dir, forget_old_neighbours


def sources() -> list[Path]:
    """The files on which compiled functions and compiled games depend."""
    package = Path(__file__).parents[1]
    folders = (package / name for name in ("engine", "language", "graph"))
    modules = (file for folder in folders for file in sorted(folder.glob("*.py")))
    return [*modules, package / "facts.py", package / "games" / "game.py"]


@cache
def sources_digest() -> str:
    """A name for this version of the sources that compiled things depend on."""
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sources():
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


@cache
def kernel_folder() -> Path | None:
    """Where compiled functions of this version are kept; None if nothing can be written there."""
    folder = cache_dir() / "kernels" / sources_digest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        is_writable = os.access(folder, os.W_OK)
    except OSError:
        is_writable = False
    if not is_writable:
        from gata import console  # only now: it takes long to import

        console.note(f"{folder}: cannot write; the engine will be compiled anew each time")
        return None
    forget_old_neighbours(folder)
    return folder


@cache
def announce_compilation() -> None:
    """Say, once, that the first step will take long, where no kernel is kept yet."""
    folder = kernel_folder()
    if folder is not None and next(folder.rglob("*.nbi"), None) is None:
        from gata import console  # only now: it takes long to import

        console.note(
            "the engine is compiled for this machine, which takes half a minute or so; it is kept"
            f" for the next time in {folder.parent}"
        )


def kernel(function: Any) -> Any:
    """Compile a function when it is first called; it may hold no Python objects.

    It runs without the interpreter's lock, so threads can work side by side. numba looks only at
    the file a function stands in to see whether its compiled form is still good; ours also
    depends on tables in other files, so each version of the sources has a folder of its own.
    """
    folder = kernel_folder()
    config: Any = numba.config
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder or "")
    try:
        return numba.njit(cache=folder is not None, nogil=True)(function)
    finally:
        config.CACHE_DIR = before
