"""Writing files so that a crash, a full disk or a second process never leaves half a file.

A leaf module: every room may import it.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from gata.errors import GataError, UsageError

_umask = os.umask(0)
os.umask(_umask)
_FILE_RIGHTS = 0o666 & ~_umask
"""Asked for once, at import: the umask can only be read by setting it, which threads would see."""


_TEMPORARY = ".tmp"
"""Ends the names of files that are not whole yet; a dot begins them."""


@contextmanager
def atomic_write(path: Path) -> Iterator[IO[bytes]]:
    """Open a temporary file beside ``path`` that takes its place when the block ends well.

    If the block raises, or the disk is full, ``path`` keeps what it had and the temporary file
    is removed. Errors of the file system become a ``GataError`` that names ``path``.
    """
    temporary: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(
            dir=path.parent, prefix=f".{path.name}.", suffix=_TEMPORARY
        )
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        # mkstemp makes the file private; a shared cache or repository wants the usual rights.
        Path(temporary).chmod(_FILE_RIGHTS)
        Path(temporary).replace(path)
        temporary = None
    except OSError as error:
        raise GataError(f"{path}: cannot write ({error.strerror or error})") from error
    finally:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)


def is_leftover(path: Path) -> bool:
    """Whether ``atomic_write`` has not finished this file; perhaps it was killed."""
    return path.name.startswith(".") and path.suffix == _TEMPORARY


def remove_leftovers(folder: Path) -> None:
    """Delete what processes were writing in a folder when they were killed.

    Only where nobody else is writing.
    """
    for path in filter(is_leftover, list(folder.iterdir())):
        path.unlink(missing_ok=True)


def check_folder(folder: Path, option: str = "") -> None:
    """Refuse a place for a folder where a file is, or that is inside of one.

    Args:
        folder: need not be there yet.
        option: of the command line that named it, if that is known.
    """
    found = _what_is_there(folder)
    if not found.is_dir():
        raise UsageError(f"{option} {found} is a file, expected a folder".lstrip())


def check_file(path: Path, option: str = "") -> None:
    """Refuse a place for a file where a folder is; the arguments are those of ``check_folder``."""
    if path.is_dir():
        raise UsageError(f"{option} {path} is a folder, expected a file".lstrip())


def expect_folder(folder: Path, expected: str) -> None:
    """Refuse a folder to read from that is a file, or not there.

    Args:
        folder: that was named.
        expected: what is in such a folder, or whose it is, after "expected".
    """
    check_folder(folder)
    if not folder.exists():
        raise UsageError(f"{folder}: no such folder, expected {expected}")


def check_writable(folder: Path, option: str = "") -> None:
    """Refuse a folder that cannot be written to, before the work whose results go there.

    A folder that is not there yet is not made: the work may be refused for other reasons. The
    arguments are those of ``check_folder``.
    """
    check_folder(folder, option)
    try:
        with tempfile.TemporaryFile(dir=_what_is_there(folder)):
            pass
    except OSError as error:
        reason = error.strerror or error
        raise UsageError(f"{option} {folder}: cannot write there ({reason})".lstrip()) from error


def check_writable_file(path: Path, option: str = "") -> None:
    """Refuse a file that cannot be written, likewise."""
    check_file(path, option)
    check_writable(path.parent, option)


def _what_is_there(path: Path) -> Path:
    """The path itself, or the nearest of the folders that it is to be in."""
    return next(place for place in (path, *path.parents) if place.exists())
