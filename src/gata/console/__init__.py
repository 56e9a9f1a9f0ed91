"""What the user sees: tables and bars on a terminal, plain lines in a pipe, JSON on request.

Results go to standard output, progress and notes to standard error, so that a pipe carries
results only. A leaf: every room may import it.
"""

from gata.console.bars import Bar, Bars, track
from gata.console.output import note, print_json, silence, table, text

__all__ = ["Bar", "Bars", "note", "print_json", "silence", "table", "text", "track"]
