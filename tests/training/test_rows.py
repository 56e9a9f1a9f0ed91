"""Arrays on their way to a device."""

import warnings

import numpy as np
import torch

from gata.training.rows import to_device


def test_a_tensor_is_a_copy_of_an_array_that_may_be_read_only() -> None:
    array = np.arange(3)
    tensor = to_device(array, torch.device("cpu"))
    array[0] = 9
    assert tensor.tolist() == [0, 1, 2]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        wide = to_device(np.broadcast_to(array, (1, 3)), torch.device("cpu"))
    assert wide.tolist() == [[9, 1, 2]]
