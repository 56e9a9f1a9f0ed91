"""Several processes that train one model together, as torchrun starts them.

Each process has all weights and draws every batch, but learns from its share of it only. Losses
are sums divided by what the whole batch counts, so the sum of all processes' gradients is the
gradient of one process that learns from the whole batch, whatever their number.
"""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from importlib import import_module

import torch
import torch.distributed as dist
from torch import Tensor

from gata import console
from gata.errors import GataError, UsageError

_PATIENCE = timedelta(days=365)
"""The others wait while one validates, however long that takes. A process that ended is noticed
all the same: its connections close."""


@dataclass(frozen=True)
class Together:
    """The processes of a training, seen from one of them."""

    rank: int = 0
    """Which one this is."""
    count: int = 1
    """How many there are."""

    @property
    def leads(self) -> bool:
        """Whether this is the one that writes files, validates and talks to the user."""
        return self.rank == 0

    def share(self, examples: int) -> slice:
        """Which of so many examples in a row this process learns from."""
        return slice(self.rank * examples // self.count, (self.rank + 1) * examples // self.count)

    def add_up(self, tensor: Tensor) -> None:
        """Replace a tensor by the sum of all processes' tensors."""
        if self.count == 1:
            return
        try:
            dist.all_reduce(tensor)
        except RuntimeError as error:
            raise GataError(
                "another process of this training has ended, so this one does too; the last"
                f" checkpoint stays ({str(error).splitlines()[0]})"
            ) from error

    def any(self, flag: bool) -> bool:
        """Whether the flag is up in any process; all get the same answer."""
        flags = torch.tensor(int(flag))  # on the host, so that no GPU is waited for
        self.add_up(flags)
        return bool(flags)

    def whole(self, part: Tensor, size: int) -> Tensor:
        """Put the processes' shares, along the first dimension, together again: (size, ...)."""
        if self.count == 1:
            return part
        rows = torch.zeros(size, *part.shape[1:], dtype=part.dtype)
        rows[self.share(size)] = part.cpu()
        self.add_up(rows)
        return rows

    def wait(self) -> None:
        """Until all processes are here."""
        self.any(False)

    @contextmanager
    def leader_first(self) -> Iterator[None]:
        """What the leader does within is done before the others begin."""
        if not self.leads:
            self.wait()
        yield
        if self.leads:
            self.wait()


ALONE = Together()
"""One process, which needs no others."""


def expect_nobody(command: str) -> None:
    """Refuse to be one of several processes: they would write to the same files."""
    if _started() > 1:
        raise UsageError(
            f"{command}: torchrun has started {_started()} processes, expected 1; only"
            " `gata pretrain` works in several"
        )


def _started() -> int:
    """How many processes torchrun has started; 1 without it."""
    return int(os.environ["WORLD_SIZE"]) if dist.is_torchelastic_launched() else 1


@contextmanager
def join(device: torch.device) -> Iterator[tuple[Together, torch.device]]:
    """Meet the other processes if torchrun has started this one; the leader alone speaks within.

    Args:
        device: what the user wants to train on; of several GPUs each process takes its own.

    Yields:
        The processes, and this one's device.
    """
    if _started() == 1:
        yield ALONE, device
        return
    if os.environ["LOCAL_WORLD_SIZE"] == os.environ["WORLD_SIZE"]:
        _stay_on_this_machine()
    if device.type == "cuda":
        device = _own_gpu(device)
        torch.cuda.set_device(device)
    _import_what_keeps_groups()
    # Flags and states travel as tensors of the host, gradients as tensors of the device.
    dist.init_process_group(
        "cpu:gloo,cuda:nccl" if device.type == "cuda" else "gloo", timeout=_PATIENCE
    )
    try:
        together = Together(dist.get_rank(), dist.get_world_size())
        with console.silence(not together.leads):
            yield together, device
    finally:
        dist.destroy_process_group()


def _import_what_keeps_groups() -> None:
    """Let nothing but torch's own list refer to the group, so that it ends when it is destroyed.

    Functions of the imported module have the group of that moment as a default argument. Imported
    later, as optimisers do, they keep the group's threads alive until the interpreter is taken
    down, and a thread that frees a tensor only then aborts the process.
    """
    import_module("torch.distributed.nn.functional")


def _stay_on_this_machine() -> None:
    """Listen on the loopback interface, unless the user has named another one."""
    loopback = next(name for _, name in socket.if_nameindex() if name.startswith("lo"))
    for variable in ("GLOO_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME"):
        os.environ.setdefault(variable, loopback)


def _own_gpu(device: torch.device) -> torch.device:
    if device.index is not None:
        raise UsageError(f"--device is {device}, expected cuda: each process takes its own GPU")
    number, there = int(os.environ["LOCAL_RANK"]), torch.cuda.device_count()
    if number >= there:
        wanted = os.environ["LOCAL_WORLD_SIZE"]
        raise UsageError(
            f"torchrun --nproc-per-node is {wanted}, expected at most the number of GPUs, {there}"
        )
    return torch.device("cuda", number)
