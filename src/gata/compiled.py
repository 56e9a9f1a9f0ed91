"""Compiling functions with numba, and keeping them compiled. A leaf module.

Importing it takes as long as importing numba: only who compiles something should.
"""

import hashlib
import os
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba

from gata.cache import cache_dir, forget_old_neighbours

Function = TypeVar("Function", bound=Callable[..., Any])


def digest_of(sources: Iterable[Path]) -> str:
    """A name for this version of the sources that compiled things depend on, and of numba."""
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sources:
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


@cache
def kernel_folder(digest: str) -> Path | None:
    """Where compiled functions of this version are kept; None if nothing can be written there."""
    folder = cache_dir() / "kernels" / digest
    try:
        folder.mkdir(parents=True, exist_ok=True)
        is_writable = os.access(folder, os.W_OK)
    except OSError:
        is_writable = False
    if not is_writable:
        from gata import console  # only now: it takes long to import

        console.note(f"{folder}: cannot write; what is compiled will be compiled anew each time")
        return None
    forget_old_neighbours(folder)
    return folder


def kernel(function: Function, folder: Path | None, **options: Any) -> Function:
    """Compile a function when it is first called; it may hold no Python objects.

    It runs without the interpreter's lock, so threads can work side by side. numba looks only at
    the file a function stands in to see whether its compiled form is still good; where it depends
    on other files, too, ``folder`` should be another for each version of them.

    Args:
        function: what is compiled.
        folder: where its compiled form is kept, if it is.
        options: of ``numba.njit``.
    """
    config: Any = numba.config
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder or "")
    try:
        compiled: Function = numba.njit(cache=folder is not None, nogil=True, **options)(function)
        return compiled
    finally:
        config.CACHE_DIR = before
