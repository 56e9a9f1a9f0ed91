"""The errors a user may see. Anything else that escapes is a bug."""

import sys


class GataError(Exception):
    """Something went wrong that the user can understand and mend; the process exits with 1.

    The message names the file, the field and what was expected.
    """


class UsageError(GataError):
    """A request that makes no sense (an unknown level, say); the process exits with 2."""


def in_words(error: BaseException) -> str:
    """What to tell a user of an error. Of a bug, its class says most."""
    return str(error) if isinstance(error, GataError) else f"{type(error).__name__}: {error}"


def install_extra(extra: str) -> str:
    """How to get what an extra of the package brings, by the Python that is asked for it.

    By the folder of the source: another project may have our name where pip looks.
    """
    python = sys.executable or "python"
    return f"{python} -m pip install -c constraints.txt '.[{extra}]' in the folder of gata's source"
