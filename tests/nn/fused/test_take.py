"""The kernel that puts rows side by side."""

import torch

from gata.nn.fused.take import take


def test_rows_are_padded_and_cut(device: torch.device) -> None:
    torch.manual_seed(1)
    lengths = torch.tensor([3, 0, 7, 1, 12], device=device)
    starts = lengths.cumsum(0) - lengths
    values = torch.randint(1, 1000, (23,), dtype=torch.int16, device=device)
    numbers = torch.tensor([[4, 0], [1, 2], [3, 4]], device=device)

    found = take(values, starts, lengths, numbers, 9, -5)

    assert found.shape == (3, 2, 9)
    assert found.dtype == torch.int64
    for number, row in zip(numbers.flatten().tolist(), found.flatten(0, 1).tolist(), strict=True):
        start, length = int(starts[number]), int(lengths[number])
        expected = values[start : start + length].tolist()
        assert row == (expected + [-5] * 9)[:9]
