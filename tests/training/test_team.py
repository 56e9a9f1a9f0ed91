"""Threads that work on parts of a batch."""

import threading

import pytest
import torch

from gata.training.team import Outcome, Team


def threads_elsewhere() -> int:
    """How many threads torch has in a thread that begins now."""
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(torch.get_num_threads()))
    thread.start()
    thread.join()
    return found[0]


@pytest.mark.parametrize("members", [1, 2, 3, 7])
def test_a_team_adds_sums_and_keeps_rows_in_order(members: int) -> None:
    numbers = torch.arange(5.0)
    team = Team(members)
    total, rows = team.work(lambda x: Outcome((x.sum(),), (2 * x,)), [numbers])
    assert total == 10
    assert rows.tolist() == [0, 2, 4, 6, 8]


def test_a_team_leaves_the_threads_of_others_alone() -> None:
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(3)
        team = Team(2)
        (inside,) = team.work(
            lambda x: Outcome((), (torch.full_like(x, torch.get_num_threads()),)), [torch.ones(4)]
        )
        assert inside.tolist() == [1, 1, 1, 1]
        assert (torch.get_num_threads(), threads_elsewhere()) == (3, 3)
    finally:
        torch.set_num_threads(before)
