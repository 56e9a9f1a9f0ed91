"""Which device to calculate on, for the command line and for ``gata.load`` alike.

A leaf module: every room may import it. Torch takes seconds to import, so it waits for a question.
"""

from typing import TYPE_CHECKING

from gata.errors import UsageError

if TYPE_CHECKING:
    import torch


def choose_device(name: "str | torch.device") -> "torch.device":
    """The device of that name (cpu, cuda, cuda:1 ...) if it is usable here.

    ``auto`` is a GPU if there is one.
    """
    import torch

    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    unknown = f"device is {str(name)!r}, expected cpu or cuda"
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise UsageError(unknown) from error
    if device.type == "cuda" and not torch.cuda.is_available():
        raise UsageError("no CUDA GPU is usable here, use --device cpu")
    try:
        torch.empty(0, device=device).cpu()
    except (RuntimeError, AssertionError) as error:
        # Of a GPU torch says what is wrong in a line; of what it was not built for, in twenty.
        reason = f" ({str(error).splitlines()[0]})" if device.type == "cuda" else ""
        raise UsageError(unknown + reason) from error
    return device
