"""What checkpoints and results have in common."""

import platform
import shlex
import sys
from collections.abc import Mapping
from datetime import UTC, datetime

import torch
from torch import Tensor

from gata import __version__, source


def hardware(device: torch.device, threads: int | None = None) -> str:
    """What a device is, in words.

    Args:
        device: which.
        threads: how many of a CPU work; by default as many as in this process.
    """
    if device.type == "cuda":
        return torch.cuda.get_device_name(device)
    return f"{platform.machine()} CPU, {threads or torch.get_num_threads()} threads"


def circumstances(device: torch.device) -> dict[str, str]:
    """What a result was made with."""
    return {
        "command": shlex.join(["gata", *sys.argv[1:]]),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "hardware": hardware(device),
        "gata": __version__,
        "code": source.fingerprint(),
        "torch": torch.__version__,
        "python": platform.python_version(),
    }


def prefixed(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Tensors with their names put under a common one."""
    return {f"{prefix}.{name}": tensor for name, tensor in tensors.items()}


def under(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The reverse: those whose names are under a common one."""
    start = f"{prefix}."
    return {
        name.removeprefix(start): tensor
        for name, tensor in tensors.items()
        if name.startswith(start)
    }
