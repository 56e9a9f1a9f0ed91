"""Which code this is: a leaf module, for results that shall tell what made them."""

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import _Hash

PACKAGE = Path(__file__).parent
DIGITS = 16
"""Of a fingerprint."""


def digest(parts: Sequence[str] = (".",)) -> "_Hash":
    """A hash of Python files, of their names in the package and their contents.

    Args:
        parts: files and folders of the package; all of it by default.
    """
    found = hashlib.sha256()
    for part in parts:
        path = PACKAGE / part
        for file in [path] if path.is_file() else sorted(path.rglob("*.py")):
            found.update(file.relative_to(PACKAGE).as_posix().encode() + file.read_bytes())
    return found


@cache
def fingerprint() -> str:
    """Of the whole package, as it was when somebody first asked in this process."""
    return digest().hexdigest()[:DIGITS]
