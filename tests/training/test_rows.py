"""Arrays on their way to a device, and rows of different lengths there."""

import warnings

import numpy as np
import torch

from gata.training.rows import Rows, even_sizes, short_and_long, to_device


def test_a_tensor_is_a_copy_of_an_array_that_may_be_read_only() -> None:
    array = np.arange(3)
    tensor = to_device(array, torch.device("cpu"))
    array[0] = 9
    assert tensor.tolist() == [0, 1, 2]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        wide = to_device(np.broadcast_to(array, (1, 3)), torch.device("cpu"))
    assert wide.tolist() == [[9, 1, 2]]


def test_few_texts_are_long() -> None:
    assert [short_and_long(count) for count in (1, 2, 8, 9, 64)] == [
        (1,),
        (1, 1),
        (6, 2),
        (6, 3),
        (48, 16),
    ]
    assert [even_sizes(count, 3) for count in (2, 3, 7)] == [(1, 1), (1, 1, 1), (3, 2, 2)]


def test_short_and_long_rows_are_apart() -> None:
    random = np.random.default_rng(3)
    lengths = random.integers(1, 12, 40)
    lengths[[7, 8]] = 30
    values = random.integers(1, 99, lengths.sum())
    rows = Rows(values, lengths, 0, torch.device("cpu"), long=False)
    numbers = torch.from_numpy(random.permutation(40)[:16])
    numbers[:3] = torch.tensor([7, 8, 7])
    longest = int(rows.longest_short(numbers))
    assert longest == sorted(lengths[numbers.numpy()])[11]
    grouped = rows.take_grouped(numbers, 8 * -(-longest // 8))
    assert [len(group) for group in grouped.groups] == [12, 4]
    together = grouped.together([group.unsqueeze(-1) for group in grouped.groups]).squeeze(-1)
    assert torch.equal(together, rows.take(numbers, rows.widest))
    (alone,) = rows.take_grouped(numbers[:1], 8).groups
    assert torch.equal(alone, rows.take(numbers[:1], rows.widest))
