"""Networks are compared with formulas in float64, one thread, a fixed seed."""

from collections.abc import Iterator

import pytest
import torch


@pytest.fixture(autouse=True)
def exact() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(7)
    yield
    torch.set_default_dtype(torch.float32)
    torch.set_num_threads(threads)
