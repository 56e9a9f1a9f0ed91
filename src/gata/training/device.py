"""Making the most of a device."""

import ctypes
import platform
from threading import Lock

import torch

from gata import console
from gata.nn import fused

_TRIM_THRESHOLD, _TOP_PAD, _MMAP_MAX = -1, -2, -4
"""Names of settings in ``malloc.h``."""
_LARGEST = 2**31 - 1
_STEP = 64 * 2**20
"""The heap grows by at least so many bytes."""

_checking = Lock()
_checked: set[torch.device] = set()
"""GPUs on which the kernels were compared with the plain layers."""


def get_ready(device: torch.device) -> None:
    """To be called before a long calculation."""
    if device.type == "cuda":
        torch.set_float32_matmul_precision("high")
        _check_kernels(device)
    else:
        _keep_freed_memory()


def _check_kernels(device: torch.device) -> None:
    """Take no kernels on a GPU on which they do not calculate what the layers do.

    Once per process: runs of a sweep come here one after the other. Kernels are compiled for it;
    Triton keeps most of what comes out for the next time.
    """
    with _checking:
        if device in _checked or not fused.available(device):
            return
        _checked.add(device)
        from gata.nn.fused.checking import fault

        problem = fault(device)
        if problem is not None:
            fused.switch_off()
            console.note(
                f"the GPU's kernels are switched off, torch's own operations take their place"
                f" (slower, the same results): {problem}"
            )


def _keep_freed_memory() -> None:
    """Let a process that frees and asks for large tensors all the time keep its memory.

    By default glibc returns each large block to the system and gets the next one from there, page
    by page and set to zero: on a CPU that takes about a fifth of the time of an update. Other C
    libraries are left alone.
    """
    if platform.libc_ver()[0] != "glibc":
        return
    mallopt = ctypes.CDLL(None).mallopt
    mallopt(_MMAP_MAX, 0)
    mallopt(_TRIM_THRESHOLD, _LARGEST)
    mallopt(_TOP_PAD, _STEP)
