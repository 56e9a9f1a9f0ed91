"""Graph-aided agents for text games."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    import torch

__version__ = "0.1.0"


def load(name: "str | Path", device: "torch.device | str" = "cpu", role: str | None = None) -> Any:
    """A trained agent, a trained model or a part of one, ready for use.

    ``gata.load("updater/coc")`` is the graph updater of a model in the package (``gata models
    list`` shows all), a torch module in float32 and evaluation mode;
    ``gata.load("agent/NAME")`` is a trained agent that plays (``gata.agents.greedy.GreedyAgent``).
    A path loads a file of your own. Details: ``gata.models.shipped.load``.
    """
    # torch takes seconds to import, and who plays games needs none of it.
    from gata.devices import choose_device
    from gata.models import shipped

    device = choose_device(device)
    if role is None and shipped.is_agent(name):
        from gata.agents.greedy import GreedyAgent
        from gata.agents.stored import load_agent

        return GreedyAgent(load_agent(name, device).brain)
    return shipped.load(name, device, role)
