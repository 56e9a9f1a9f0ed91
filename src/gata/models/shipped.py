"""Models by name: those in the package, or files of the user's own."""

from pathlib import Path

import torch
from torch import nn

from gata.errors import UsageError
from gata.models.kinds import ROLES
from gata.models.weights import load_model

DATA_DIR = Path(__file__).parent / "data"
"""The shipped files, ``NAME.safetensors``."""

SUFFIX = ".safetensors"


def names() -> list[str]:
    """The names of the shipped models, sorted."""
    return sorted(path.stem for path in DATA_DIR.glob(f"*{SUFFIX}"))


def load(
    name: str | Path, device: torch.device | str = "cpu", role: str | None = None
) -> nn.Module:
    """A trained model or a part of one, ready for use: in float32, in evaluation mode.

    Args:
        name: ``ROLE/NAME`` of a shipped model, such as ``updater/coc`` or ``pretrain/og``, or the
            path of a file of your own.
        device: where to put it.
        role: of a file of your own, the part that is wanted; the whole model by default.
    """
    prefix, _, rest = str(name).partition("/")
    if isinstance(name, str) and prefix in ROLES and rest in names():
        if role not in (None, prefix):
            raise UsageError(f"{name}: the name asks for the {prefix!r}, role for the {role!r}")
        return load_model(_shipped_path(rest), device=device, role=prefix)
    return load_model(_own_path(name), device=device, role=role)


def find(name: str | Path) -> Path:
    """The file of a model: by the name of a shipped one, with or without role, or by its path."""
    prefix, _, rest = str(name).partition("/")
    for stem in (str(name), rest if prefix in ROLES else ""):
        if isinstance(name, str) and stem in names():
            return _shipped_path(stem)
    return _own_path(name)


def _shipped_path(name: str) -> Path:
    return DATA_DIR / f"{name}{SUFFIX}"


def _own_path(name: str | Path) -> Path:
    path = Path(name)
    if isinstance(name, Path) or path.suffix == SUFFIX or path.is_file():
        return path
    there = ", ".join(names()) or "none in this version"
    raise UsageError(
        f"no model is called {name!r}; names are ROLE/MODEL, with roles {', '.join(ROLES)} and"
        f" models: {there}; or give the path of a {SUFFIX} file"
    )
