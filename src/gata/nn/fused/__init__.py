"""Layers of the networks as a few kernels each, for a GPU.

Written with torch's operations a layer is dozens of small kernels, and at batch sizes like the
paper's a GPU spends its time on starting them. The modules here do the same sums, written in
Triton, in one kernel or a few; products have the precision that torch is told. Who has no GPU, no
Triton or other numbers than float32 calculates as the layers themselves say, which is also what the
tests compare with; graphs of facts have ``gata.nn.sparse`` on a CPU. Nothing here can be
differentiated twice.
"""

import os
from functools import cache
from importlib.util import find_spec
from typing import Literal

import torch
from torch import Tensor

from gata.errors import UsageError

LEAST_SIZE, LARGEST_SIZE = 16, 64
"""Of the vectors that kernels are written for; powers of two."""

SWITCH = "GATA_KERNELS"
"""The environment variable that says whether kernels are taken: ``on`` (unless told) or ``off``."""

LEAST_CAPABILITY = (8, 0)
"""Of a GPU: the first with units for tf32, Ampere."""


def usable(values: Tensor) -> bool:
    """Whether the kernels can calculate with such vectors, (..., H)."""
    return (
        values.is_cuda
        and values.dtype == torch.float32
        and not torch.is_autocast_enabled("cuda")
        and _fits(values.shape[-1])
        and available(values.device)
    )


def precision() -> Literal["ieee", "tf32"]:
    """Of products: what torch is told to multiply matrices with."""
    return "ieee" if torch.get_float32_matmul_precision() == "highest" else "tf32"


def _fits(size: int) -> bool:
    return LEAST_SIZE <= size <= LARGEST_SIZE and size & (size - 1) == 0


@cache
def available(device: torch.device) -> bool:
    """Whether a GPU can run kernels, and shall."""
    return (
        wanted()
        and find_spec("triton") is not None
        and torch.cuda.get_device_capability(device) >= LEAST_CAPABILITY
    )


def switch_off() -> None:
    """Take no kernels from now on, a CPU's neither, here and in processes started from here."""
    os.environ[SWITCH] = "off"
    available.cache_clear()


def wanted() -> bool:
    """Whether kernels are switched on."""
    switch = os.environ.get(SWITCH, "on")
    if switch not in ("on", "off"):
        raise UsageError(f"{SWITCH} is {switch!r}, expected on or off")
    return switch == "on"
