"""One thread: the networks are too small for more, and tests run side by side."""

from tests.belief.conftest import one_thread

__all__ = ["one_thread"]
