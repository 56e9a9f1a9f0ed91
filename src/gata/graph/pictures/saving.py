"""From a matplotlib figure to a file's content, the same each time to the byte."""

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_METADATA = {"png": {"Software": None}, "svg": {"Date": None}}
"""What would differ between versions and days is left out."""


def figure_bytes(figure: "Figure", image_format: str) -> bytes:
    """A figure as ``png`` or ``svg``; texts of the latter stay texts."""
    from matplotlib import rc_context

    stream = io.BytesIO()
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "gata"}):
        figure.savefig(stream, format=image_format, metadata=_METADATA[image_format])
    return stream.getvalue()
