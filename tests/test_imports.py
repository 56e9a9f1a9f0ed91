"""What may be imported without what."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("module", "absent"),
    [
        ("gata", "torch"),
        ("gata.models.shipped", "gata.engine"),
        ("gata.language", "torch"),
        ("gata.graph", "torch"),
        ("gata.graph.pictures.film", "torch"),
        ("gata.graph.pictures.film", "matplotlib"),
        ("gata.cli", "torch"),
        ("gata.cli", "matplotlib"),
        ("gata.cli", "numba"),
        ("gata.language", "gata.games"),
        ("gata.graph.pictures.film", "gata.games"),
        ("gata.graph.adjacency", "gata.engine"),
    ],
)
def test_rooms_do_not_bring_what_they_must_not(module: str, absent: str) -> None:
    program = f"import sys, {module}; sys.exit({absent!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
