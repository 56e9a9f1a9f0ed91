"""An exact, fast engine for TextWorld's games.

``VectorEnv`` plays many games at once, arrays in and arrays out; ``TextEnv`` plays one in
TextWorld's own shape; ``gata.engine.gym`` has the Gymnasium environments. See docs/engine.md.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gata.engine.building import build
    from gata.engine.core import Outputs
    from gata.engine.pack import Pack
    from gata.engine.tables import State
    from gata.engine.text_env import TextEnv
    from gata.engine.vector_env import VectorEnv

# A submodule must not have the name of what it exports: importing it would hide that.
_HOMES = {
    "Outputs": "core",
    "Pack": "pack",
    "State": "tables",
    "TextEnv": "text_env",
    "VectorEnv": "vector_env",
    "build": "building",
}

__all__ = ["Outputs", "Pack", "State", "TextEnv", "VectorEnv", "build"]


def __getattr__(name: str) -> Any:
    """Import on first use: the command line's help must not wait for numba."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"gata.engine.{_HOMES[name]}"), name)
