"""What may be imported without what."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import gata


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


LAYERS: tuple[frozenset[str], ...] = tuple(
    map(
        frozenset,
        (
            {"console"},
            {"language", "graph", "nn"},
            {"games"},
            {"engine"},
            {"belief"},
            {"models"},
            {"training"},
            {"agents"},
            {"rl", "pretrain"},
            {"evaluation"},
            {"paper"},
            {"cli"},
        ),
    )
)
"""Arrows go one way: a room imports from rooms of earlier layers, and from itself."""
SOURCES = Path(gata.__file__).parent
ROOT = Path(__file__).parent.parent


def imported_rooms(path: Path) -> set[str]:
    """The rooms a module imports from, anywhere in it."""
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        rooms |= {name.split(".")[1] for name in names if name.startswith("gata.")}
    return {room for room in rooms if (SOURCES / room).is_dir()}


@pytest.mark.parametrize("room", sorted(room for layer in LAYERS for room in layer))
def test_arrows_between_rooms_go_one_way(room: str) -> None:
    place = next(n for n, layer in enumerate(LAYERS) if room in layer)
    allowed = {room, *(each for layer in LAYERS[:place] for each in layer)}
    for path in sorted((SOURCES / room).rglob("*.py")):
        against = imported_rooms(path) - allowed
        assert not against, f"{path.relative_to(SOURCES)} imports from {sorted(against)}"


def test_every_room_has_a_layer() -> None:
    rooms = {path.parent.name for path in SOURCES.glob("*/__init__.py")}
    assert rooms == {room for layer in LAYERS for room in layer}


@pytest.mark.parametrize("page", ["docs/design.md", "CONTRIBUTING.md"])
def test_pages_draw_the_same_arrows(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8").replace("`", "")
    (drawn,) = re.findall(r"console\s+→[\w\s,→]*→\s+cli", text)
    layers = [frozenset(re.findall(r"\w+", layer)) for layer in drawn.split("→")]
    assert layers == list(LAYERS)


def test_every_room_and_leaf_is_told_of() -> None:
    text = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    rooms = re.findall(r"^\| `(\w+)/` \|", text, re.MULTILINE)
    assert sorted(rooms) == sorted(room for layer in LAYERS for room in layer)
    (leaves,) = re.findall(r"^Leaf modules.*?\n\n", text, re.DOTALL | re.MULTILINE)
    modules = {path.stem for path in SOURCES.glob("*.py") if not path.stem.startswith("__")}
    assert set(re.findall(r"`(\w+)`", leaves)) == modules
