"""Models by name: those in the package, or files of the user's own."""

from pathlib import Path

import torch
from torch import nn

from gata.errors import UsageError
from gata.models.files import COMPRESSED, SUFFIX, name_of
from gata.models.kinds import AGENT, ROLES
from gata.models.weights import load_model, read_model

DATA_DIR = Path(__file__).parent / "data"
"""The shipped files, ``NAME.safetensors.xz`` or ``NAME.safetensors``."""

WEIGHTS_FILE = f"weights{SUFFIX}"
"""The model in the folder of a run."""

AGENTS = "agents"
"""The folder among them of trained agents."""


def names() -> list[str]:
    """The names of the shipped pre-trained models, sorted."""
    return sorted(_files(DATA_DIR))


def agents() -> list[str]:
    """The names of the shipped trained agents, ``agent/NAME``, sorted."""
    return sorted(f"{AGENT}/{name}" for name in _files(DATA_DIR / AGENTS))


def _files(folder: Path) -> dict[str, Path]:
    """The files of weights in a folder, by their names."""
    endings = (SUFFIX, SUFFIX + COMPRESSED)
    return {name_of(path): path for ending in endings for path in folder.glob(f"*{ending}")}


def is_agent(name: str | Path) -> bool:
    """Whether a name or a file is that of a trained agent."""
    if isinstance(name, str) and name.partition("/")[0] in ROLES:
        return False
    return name in agents() or read_model(find(name)).kind == AGENT


def load(
    name: str | Path, device: torch.device | str = "cpu", role: str | None = None
) -> nn.Module:
    """A trained model or a part of one, ready for use: in float32, in evaluation mode.

    Args:
        name: ``ROLE/NAME`` of a shipped model, such as ``updater/coc`` or ``pretrain/og``, or the
            path of a file of your own, or of the folder of a run.
        device: where to put it.
        role: of a file of your own, the part that is wanted; the whole model by default.
    """
    named = role_in(name) if isinstance(name, str) else None
    if named is None:
        return load_model(_own_path(name), device=device, role=role)
    if role not in (None, named):
        raise UsageError(f"{name}: the name asks for the {named!r}, role for the {role!r}")
    return load_model(find(name), device=device, role=named)


def find(name: str | Path) -> Path:
    """The file of a model: by the name of a shipped one, with or without role, or by its path.

    The path of a run's folder is that of its weights.
    """
    prefix, _, rest = str(name).partition("/")
    if isinstance(name, str):
        if name in agents():
            return _files(DATA_DIR / AGENTS)[rest]
        for stem in (name, rest if prefix in ROLES else ""):
            if stem in names():
                return _files(DATA_DIR)[stem]
    return _own_path(name)


def role_in(name: str) -> str | None:
    """The role in the name of a shipped model, ``ROLE/NAME``; None where there is none."""
    prefix, _, rest = name.partition("/")
    return prefix if prefix in ROLES and rest in names() else None


def _own_path(name: str | Path) -> Path:
    path = Path(name)
    weights = path / WEIGHTS_FILE
    if weights.is_file() or (path.is_dir() and path != Path()):  # an empty name is no folder's
        return weights
    if isinstance(name, Path) or path.suffix in (SUFFIX, COMPRESSED) or path.is_file():
        return path
    none = "none in this version"
    raise UsageError(
        f"no model is called {name!r}; names are ROLE/MODEL, with roles {', '.join(ROLES)} and"
        f" models: {', '.join(names()) or none}; or agents: {', '.join(agents()) or none};"
        f" or give the path of a {SUFFIX} file or of a run's folder"
    )
