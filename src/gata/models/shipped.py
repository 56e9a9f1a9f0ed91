"""Models by name: those in the package, or files of the user's own."""

import json
import re
from pathlib import Path

import torch
from torch import nn

from gata.errors import GataError, UsageError
from gata.models.files import COMPRESSED, SUFFIX, name_of
from gata.models.kinds import AGENT, ROLES
from gata.models.weights import load_model, read_model
from gata.names import did_you_mean

DATA_DIR = Path(__file__).parent / "data"
"""The shipped files, ``NAME.safetensors.xz`` or ``NAME.safetensors``."""

WEIGHTS_FILE = f"weights{SUFFIX}"
"""The model in the folder of a run."""
SETTINGS_FILE = "settings.json"
"""What decides the run's course; there from its beginning on."""

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
        path = find(name) if name in agents() else _own_path(name)
        return load_model(path, device=device, role=role, called=str(name))
    path = find(name)
    if role not in (None, named):
        fitting = [each for each in read_model(path).names if each.startswith(f"{role}/")]
        wanted = fitting[0] if fitting else f"{role}/NAME (`gata models list` shows them)"
        raise UsageError(f"{name}: expected an {role}, not an {named}; give {wanted} or a file")
    return load_model(path, device=device, role=named, called=str(name))


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


def without_role(name: str) -> str:
    """The name of a shipped model without its role, if it has one; any other name as it is."""
    return name if role_in(name) is None else name.partition("/")[2]


def _own_path(name: str | Path) -> Path:
    path = Path(name)
    weights = path / WEIGHTS_FILE
    if weights.is_file():
        return weights
    if path.is_dir() and path != Path():  # an empty name is no folder's
        raise _no_weights(path)
    if isinstance(name, Path) or path.suffix in (SUFFIX, COMPRESSED) or path.is_file():
        return path
    raise UsageError(
        f"no model is called {name!r}{_meant(name)}; `gata models list` shows the names, or give"
        f" the path of a {SUFFIX} file or of a run's folder that is there"
    )


def _no_weights(folder: Path) -> GataError:
    """What to say of a folder without weights."""
    settings = folder / SETTINGS_FILE
    if not settings.exists():
        inside = sorted(path.parent for path in folder.glob(f"*/{SETTINGS_FILE}"))
        hint = f"; give that of one, such as {inside[0]}" if inside else ""
        return UsageError(f"{folder}: not the folder of a run (it has no {SETTINGS_FILE}){hint}")
    try:
        every = json.loads(settings.read_text("utf-8"))["settings"]["learning"]["evaluate_every"]
        when = f" (--evaluate-every {every} episodes)"
        way = f"gata train --resume {folder}"
    except (OSError, ValueError, KeyError, TypeError):  # of a pre-training, or damaged
        when, way = "", "the command that began the run"
    return GataError(
        f"{folder}: no weights yet: they are written at the first evaluation{when}; go on with"
        f" {way}"
    )


def _meant(name: str) -> str:
    """The names that may have been meant; of a model without a role, all of its names."""
    if name in names():
        return f" (did you mean {' or '.join(read_model(find(name)).names)}?)"
    # Who names a kind of agent, with or without a level, may want any that was trained; so may who
    # names a seed that is not there.
    kind = re.sub(r"-seed\d+$", "", name.removeprefix(f"{AGENT}/"))
    beginning = f"{AGENT}/{kind}-"
    if trained := [each for each in agents() if each.startswith(beginning)]:
        return f" (did you mean {' or '.join(trained)}?)"
    with_roles = [f"{role}/{stem}" for role in ROLES for stem in names()]
    return did_you_mean(name, [*names(), *agents(), *with_roles])
