"""Raw results of runs in files: what all kinds of records have in common."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from gata.errors import GataError

SUFFIX = ".json"

Kind = TypeVar("Kind")


def read_all(folder: Path, read: Callable[[Path], Kind], way: str) -> list[Kind]:
    """All records of a folder, by name; none if there is no such folder.

    Args:
        folder: of the files.
        read: reads one.
        way: to another file, for whoever has one that cannot be read.
    """
    return [read_advised(path, read, way) for path in sorted(folder.glob(f"*{SUFFIX}"))]


def read_advised(path: Path, read: Callable[[Path], Kind], way: str) -> Kind:
    """A record; what is wrong with it comes with what to do. The arguments are as above."""
    try:
        return read(path)
    except GataError as error:
        raise GataError(f"{error}\nmove the file elsewhere; {way}") from error


def check_settings(value: Mapping[str, Any], path: Path) -> None:
    """Settings that came later may be absent and are then the paper's; all of them may not."""
    if "learning" not in value["settings"]:
        raise GataError(f"{path}: settings.learning is missing")


def check_stem(name: str, path: Path) -> None:
    """A record is in the file of its name."""
    if path.stem != name:
        raise GataError(f"{path}: name is {name!r}, expected that of the file")
