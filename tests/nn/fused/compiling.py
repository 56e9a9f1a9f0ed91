"""Compiles every kernel for a GPU, which need not be there; a script, for a process of its own.

Usage: ``python -m tests.nn.fused.compiling CAPABILITY PRECISION``, such as ``90 high``. It prints
JSON: the bytes of shared memory of each compiled kernel, and the functions that no kernel needed.

Kernels are made when they are called first, for what they are called with. So a selector of the
paper's size rates some states and is differentiated; its kernels are compiled but not started, and
so the numbers are whatever lay in memory.
"""

import importlib
import json
import pkgutil
import re
import sys
from typing import Any

import torch
from torch import Tensor
from triton.backends.compiler import GPUTarget
from triton.runtime import driver
from triton.runtime.jit import JITFunction

from gata.agents.selector import ActionSelector
from gata.belief.interface import BeliefGraph
from gata.models.vocabularies import shipped
from gata.nn import fused
from gata.nn.fused.take import take
from gata.nn.settings import NetworkSettings
from gata.nn.tokens import Grouped

STATES, WORDS, COMMANDS, COMMAND_WORDS = 64, 80, 20, 6


class AbsentGPU:
    """As much of a driver as a compiler asks for."""

    def __init__(self, capability: int) -> None:
        self.target = GPUTarget("cuda", capability, 32)

    def get_current_target(self) -> GPUTarget:
        return self.target

    def get_current_device(self) -> int:
        return 0

    def get_current_stream(self, device: int) -> int:
        return 0


def compile_only() -> dict[str, Any]:
    """From now on kernels are compiled but not started; returns where they will be, by name."""
    kernels: dict[str, Any] = {}
    compile_or_start = JITFunction.run

    def run(function: JITFunction, *args: Any, grid: Any, warmup: bool, **options: Any) -> Any:
        kernel = compile_or_start(function, *args, grid=grid, warmup=True, **options)
        kernels[f"{name(function)} {kernel.hash[:6]}"] = kernel
        return kernel

    JITFunction.run = run
    return kernels


def name(function: JITFunction) -> str:
    return f"{function.fn.__module__}.{function.fn.__name__}"


def written() -> set[str]:
    """The names of all functions in Triton's language."""
    modules = [
        importlib.import_module(f"{fused.__name__}.{module.name}")
        for module in pkgutil.iter_modules(fused.__path__)
    ]
    values = [value for module in modules for value in vars(module).values()]
    return {name(value) for value in values if isinstance(value, JITFunction)}


def use_all_kernels() -> None:
    """Rate the commands of some states, at play and to learn; take some rows."""
    lexicon = shipped().lexicon
    module = ActionSelector(lexicon, NetworkSettings(), uses="both")
    edges = torch.zeros(STATES, lexicon.relations, lexicon.nodes, lexicon.nodes)
    graph = BeliefGraph(edges, torch.ones(STATES, lexicon.nodes, dtype=torch.bool))
    words = torch.ones(COMMANDS, COMMAND_WORDS, dtype=torch.int64)

    def rate() -> Tensor:
        tables = module.tables()
        state = module.pool(Grouped.of(torch.ones(STATES, WORDS, dtype=torch.int64)), graph, tables)
        commands = module.commands(words, tables).expand(STATES, -1, -1)
        return module.rate(state, commands, torch.ones(STATES, COMMANDS, dtype=torch.bool))

    with torch.no_grad():
        rate()
    rate().sum().backward()
    ids, numbers = torch.zeros(STATES * WORDS, dtype=torch.int16), torch.arange(STATES)
    take(ids, numbers, numbers, numbers, WORDS, padding=0)


def main(capability: str, precision: str) -> None:
    driver.set_active(AbsentGPU(int(capability)))
    torch.set_float32_matmul_precision(precision)
    fused.usable = lambda values: values.dtype == torch.float32
    kernels = compile_only()
    use_all_kernels()
    used = {kernel.partition(" ")[0] for kernel in kernels}
    for kernel in kernels.values():
        # Functions of kernels keep their name, with what they are called with behind it.
        used |= set(re.findall(r"@\"?([\w.]+?)__", str(kernel.asm["source"])))
    print(
        json.dumps(
            {
                "shared": {
                    kernel: compiled.metadata.shared
                    for kernel, compiled in kernels.items()
                    if compiled.asm["cubin"]
                },
                "unused": sorted(written() - used),
            }
        )
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
