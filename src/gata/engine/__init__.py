"""An exact, fast engine for TextWorld's games.

``VectorEnv`` plays many games at once, arrays in and arrays out; ``TextEnv`` (in ``text_env``)
plays one in TextWorld's own shape; ``gata.engine.gym`` has the Gymnasium environments. See
docs/engine.md.
"""

from gata.engine.build import build
from gata.engine.core import Outputs
from gata.engine.pack import Pack
from gata.engine.tables import State
from gata.engine.text_env import TextEnv
from gata.engine.vector_env import VectorEnv

__all__ = ["Outputs", "Pack", "State", "TextEnv", "VectorEnv", "build"]
