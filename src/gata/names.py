"""Names that were typed and are not known. A leaf module: every room may import it."""

import difflib
from collections.abc import Iterable


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A remark for error messages: the known names most like ``name``, if any are."""
    close = difflib.get_close_matches(name, list(known), n=3, cutoff=0.75)
    return f" (did you mean {' or '.join(close)}?)" if close else ""
