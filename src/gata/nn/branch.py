"""Independent parts of a calculation, side by side on a GPU."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor

_STREAMS: dict[tuple[int, str], torch.cuda.Stream] = {}
"""Of the branches of each stream, by their names."""


class Branch:
    """Part of a captured calculation that the GPU may work on beside the rest.

    Most kernels of an update occupy a small part of a GPU, and what a text and a graph say is
    calculated independently:

        branch = Branch("graph")
        with branch.aside():
            nodes = encode(graph)
        words = read(text)
        branch.join(nodes)

    What a branch uses must be kept until it has joined: its memory is not the branch's to keep.
    Where nothing is being captured (``gata.training.capture``) all happens in the order it is
    written.
    """

    def __init__(self, name: str) -> None:
        """``name``: tells the branches that leave one stream apart."""
        self._name = name
        self._stream: torch.cuda.Stream | None = None

    @contextmanager
    def aside(self, *uses: Tensor) -> Iterator[None]:
        """Branch off, once.

        Args:
            uses: tensors from before that gradients will need again; without gradients, none.
        """
        if not (torch.cuda.is_available() and torch.cuda.is_current_stream_capturing()):
            yield
            return
        trunk = torch.cuda.current_stream()
        self._stream = _stream(trunk, self._name)
        self._stream.wait_stream(trunk)
        _keep(uses, self._stream)
        with torch.cuda.stream(self._stream):
            yield

    def join(self, *made: Tensor) -> None:
        """What comes now comes after the branch, if there was one, and may use what it made.

        Other branches can join as well.
        """
        if self._stream is not None:
            trunk = torch.cuda.current_stream()
            trunk.wait_stream(self._stream)
            _keep(made, trunk)


def side_by_side(works: Sequence[Callable[[], Tensor]], *uses: Tensor) -> list[Tensor]:
    """The results of works that do not depend on each other, a branch for each.

    Args:
        works: what is to be done.
        uses: see ``Branch.aside``.
    """
    if len(works) == 1:
        return [works[0]()]
    branches, results = [], []
    for number, work in enumerate(works):
        branch = Branch(f"work {number}")
        with branch.aside(*uses):
            results.append(work())
        branches.append(branch)
    for branch, result in zip(branches, results, strict=True):
        branch.join(result)
    return results


def _keep(tensors: Iterable[Tensor], stream: torch.cuda.Stream) -> None:
    """Let the memory of tensors be given to no one else while a stream may need it."""
    for tensor in tensors:
        tensor.record_stream(stream)


def _stream(trunk: torch.cuda.Stream, name: str) -> torch.cuda.Stream:
    """Always the same for a branch of this name.

    Torch has 32 streams of each priority and hands them out by turns. Whoever runs something takes
    one of the usual priority, so nobody is ever given one of these.
    """
    key = (trunk.cuda_stream, name)
    if key not in _STREAMS:
        _STREAMS[key] = torch.cuda.Stream(trunk.device, priority=-1)  # type: ignore[no-untyped-call]
    return _STREAMS[key]
