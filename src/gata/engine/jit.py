"""Compiling the engine's functions, and keeping them compiled from one run to the next."""

from functools import cache
from pathlib import Path
from typing import Any

from gata import compiled


def sources() -> list[Path]:
    """The files on which compiled functions and compiled games depend."""
    package = Path(__file__).parents[1]
    folders = (package / name for name in ("engine", "language", "graph"))
    modules = (file for folder in folders for file in sorted(folder.glob("*.py")))
    others = (package / name for name in ("compiled.py", "facts.py", "games/game.py"))
    return [*modules, *others]


@cache
def sources_digest() -> str:
    """A name for this version of the sources that compiled things depend on."""
    return compiled.digest_of(sources())


def kernel_folder() -> Path | None:
    """Where compiled functions of this version are kept; None if nothing can be written there."""
    return compiled.kernel_folder(sources_digest())


@cache
def announce_compilation() -> None:
    """Say, once, that the first step will take long, where no kernel is kept yet."""
    folder = kernel_folder()
    if folder is not None and next(folder.rglob("*.nbi"), None) is None:
        from gata import console  # only now: it takes long to import

        console.note(
            "the engine is compiled for this machine, which takes half a minute or so; it is kept"
            f" for the next time in {folder.parent}"
        )


def kernel(function: Any) -> Any:
    """Compile a function of the engine when it is first called; see ``compiled.kernel``."""
    return compiled.kernel(function, kernel_folder())
