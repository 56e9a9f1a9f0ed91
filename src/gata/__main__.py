"""``python -m gata``: the same as ``gata``."""

import sys

from gata.cli import main

if __name__ == "__main__":
    sys.exit(main())
