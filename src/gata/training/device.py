"""Making the most of a device."""

import ctypes
import platform

import torch

_TRIM_THRESHOLD, _TOP_PAD, _MMAP_MAX = -1, -2, -4
"""Names of settings in ``malloc.h``."""
_LARGEST = 2**31 - 1
_STEP = 64 * 2**20
"""The heap grows by at least so many bytes."""


def get_ready(device: torch.device) -> None:
    """To be called before a long calculation."""
    if device.type == "cuda":
        torch.set_float32_matmul_precision("high")
    else:
        _keep_freed_memory()


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
