"""Names that were typed and are not known. A leaf module: every room may import it."""

import difflib
import re
from collections.abc import Iterable

_ALIKE = 0.75
"""How much two words must have in common (``SequenceMatcher.ratio``) to be told of each other."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A remark for error messages: the known names most like ``name``, if any are."""
    candidates = [each for each in known if _may_have_its_numbers(name, each)]
    close = difflib.get_close_matches(name, candidates, n=3, cutoff=_ALIKE)
    return f" (did you mean {' or '.join(close)}?)" if close else ""


def _may_have_its_numbers(name: str, known: str) -> bool:
    """Whether the numbers in a name may be slips of those in a known one.

    Who types level9 does not mean level5, though the rest is the same; 56275 may be 56274.
    """
    numbers = (re.findall(r"\d+", each) for each in (name, known))
    pairs = zip(*numbers, strict=False)  # a part of the name may have been left out
    return all(difflib.SequenceMatcher(None, *pair).ratio() >= _ALIKE for pair in pairs)
