"""Kernels run on a GPU if there is one, else in Triton's interpreter; without Triton, nowhere."""

import os
from importlib.util import find_spec
from typing import Any

import pytest
import torch

from gata.nn import fused

ON_GPU = torch.cuda.is_available()
if not ON_GPU:
    # Read when a kernel is defined. Layers ask for kernels on a GPU only, so no other test cares.
    os.environ["TRITON_INTERPRET"] = "1"
if find_spec("triton") is None:
    collect_ignore_glob = ["test_*.py"]
elif not ON_GPU:
    from triton.runtime import interpreter

    patch_tensor = interpreter._patch_lang_tensor

    def patch_tensor_with_index(tensor: Any, scope: Any) -> None:
        """Triton 3.6 makes indices of arrays of one number, which NumPy no longer turns into it."""
        patch_tensor(tensor, scope)
        scope.set_attr(tensor, "__index__", lambda self: self.handle.data.item())

    interpreter._patch_lang_tensor = patch_tensor_with_index

    begin_program = interpreter.interpreter_builder.set_grid_idx

    def begin_from_the_last(*place: int) -> None:
        """A GPU runs programs in any order. Here, backwards: one that needed another would fail."""
        ends = interpreter.interpreter_builder.grid_dim
        begin_program(*(end - 1 - here for end, here in zip(ends, place, strict=True)))

    interpreter.interpreter_builder.set_grid_idx = begin_from_the_last


@pytest.fixture
def device() -> torch.device:
    return torch.device("cuda" if ON_GPU else "cpu")


@pytest.fixture(autouse=True)
def single_precision(exact: None) -> None:
    """Kernels are for float32; what they are compared with is made double by each test."""
    torch.set_default_dtype(torch.float32)


@pytest.fixture
def everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Layers take the kernels for all float32, on whatever runs them here."""
    monkeypatch.setattr(fused, "usable", lambda values: values.dtype == torch.float32)
