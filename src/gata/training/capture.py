"""Functions of tensors that a GPU replays as one piece.

At batch sizes like the paper's a GPU waits for its host most of the time: thousands of kernels of
a few microseconds each. Captured as a CUDA graph they are launched at once.
"""

import gc
import threading
from collections.abc import Callable, Hashable

import torch
from torch import Tensor

Tensors = tuple[Tensor, ...]

_CAPTURING = threading.Lock()
"""Threads may share a GPU, but capture one after the other, and destroy nothing meanwhile."""

_STREAMS: dict[torch.device, torch.cuda.Stream] = {}
"""Where each GPU captures."""

EAGER_RUNS = 2
"""Before a function is captured it runs so often as usual: libraries set themselves up."""


class Captured:
    """A function of tensors, captured on a GPU once per shape of its arguments and variant.

    Its first few runs of a shape are usual ones, and count like any other. On a CPU, or with
    ``capture`` off, all are.

    What is captured works on the memory it was captured with. Beside its arguments the function
    may use tensors that stay where they are (weights, a replay's columns); where they move, the
    caller says so by another ``version``.
    """

    def __init__(
        self,
        function: Callable[..., Tensors],
        device: torch.device,
        *,
        capture: bool = True,
    ) -> None:
        self._function, self._device = function, device
        self._capture = capture and device.type == "cuda"
        self._version: Hashable = None
        self._runs: dict[Hashable, int] = {}
        self._graphs: dict[Hashable, _Graph] = {}
        self._pool = torch.cuda.graph_pool_handle() if self._capture else None

    def __call__(
        self, *tensors: Tensor, version: Hashable = None, variant: Hashable = None
    ) -> Tensors:
        """What the function returns; on a GPU, copies that the next call leaves alone.

        Args:
            tensors: the function's arguments.
            version: of the tensors that the function uses beside its arguments.
            variant: of what the function does beside its arguments' shapes; each is captured.
        """
        if not self._capture:
            return self._function(*tensors)
        if version != self._version:
            self._forget()
            self._version = version
        key = (variant, *(tensor.shape for tensor in tensors))
        if key in self._graphs:
            return self._graphs[key].replay(tensors)
        self._runs[key] = self._runs.get(key, 0) + 1
        if self._runs[key] <= EAGER_RUNS:
            return self._function(*tensors)
        graph = _Graph(self._function, tensors, self._device, self._pool)
        self._graphs[key] = graph
        return graph.replay(tensors)

    def _forget(self) -> None:
        """Begin anew, with memory of its own: a pool whose graphs are gone takes no more."""
        self._runs.clear()
        with _CAPTURING:
            self._graphs.clear()
        self._pool = torch.cuda.graph_pool_handle()


def let_go() -> None:
    """Free what work that is over has captured: it refers to itself, so only a search finds it."""
    with _CAPTURING:
        gc.collect()


class _Graph:
    """A CUDA graph: fixed inputs and outputs, filled and read anew."""

    def __init__(
        self,
        function: Callable[..., Tensors],
        tensors: Tensors,
        device: torch.device,
        pool: object,
    ) -> None:
        self._inputs = tuple(tensor.clone() for tensor in tensors)
        self._graph = torch.cuda.CUDAGraph()
        with _CAPTURING, torch.cuda.device(device):
            # Other threads may go on meanwhile with what a capturing one must not do.
            with torch.cuda.graph(
                self._graph,
                pool=pool,  # type: ignore[arg-type]
                stream=_stream(device),
                capture_error_mode="thread_local",
            ):
                self._outputs = function(*self._inputs)
            # What products work in is kept per stream: graphs that were captured after each other
            # would share it, though they run at the same time and end at different ones. Taken
            # from the list of what is kept, it stays part of this graph's own memory.
            torch._C._cuda_clearCublasWorkspaces()

    def replay(self, tensors: Tensors) -> Tensors:
        for mine, given in zip(self._inputs, tensors, strict=True):
            mine.copy_(given)
        self._graph.replay()
        return tuple(output.clone() for output in self._outputs)


def _stream(device: torch.device) -> torch.cuda.Stream:
    """The stream on which a GPU captures.

    Torch has 32 streams of each priority and hands them out by turns. Whoever runs something takes
    one of the usual priority, so nobody is ever given this one.
    """
    if device not in _STREAMS:
        stream = torch.cuda.Stream(device, priority=-1)  # type: ignore[no-untyped-call]
        _STREAMS[device] = stream
    return _STREAMS[device]
