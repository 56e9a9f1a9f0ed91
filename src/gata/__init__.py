"""Graph-aided agents for text games."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    import torch
    from torch import nn

__version__ = "0.1.0"


def load(
    name: "str | Path", device: "torch.device | str" = "cpu", role: str | None = None
) -> "nn.Module":
    """A trained model or a part of one, ready for use: in float32, in evaluation mode.

    ``gata.load("updater/coc")`` is the graph updater of a model in the package (``gata models
    list`` shows all); a path loads a file of your own. Details: ``gata.models.shipped.load``.
    """
    # torch takes seconds to import, and who plays games needs none of it.
    from gata.models import shipped

    return shipped.load(name, device, role)
