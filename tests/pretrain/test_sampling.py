"""Which examples come when: shuffled epochs, lanes, and going on from a position."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gata.pretrain.data.corpus import Ragged
from gata.pretrain.lanes import Lanes
from gata.pretrain.order import Shuffled, spread


@given(st.integers(1, 20), st.lists(st.integers(0, 15), max_size=12))
def test_every_epoch_has_everything_once(count: int, portions: list[int]) -> None:
    order = Shuffled(count, seed=3)
    drawn = np.concatenate([np.empty(0, int), *(order.take(portion) for portion in portions)])
    assert len(drawn) == order.drawn == sum(portions)
    for start in range(0, len(drawn) - count + 1, count):
        assert sorted(drawn[start : start + count]) == list(range(count))


def test_epochs_and_seeds_differ() -> None:
    order = Shuffled(50, seed=1)
    first, second = order.take(50), order.take(50)
    assert first.tolist() != second.tolist()
    assert Shuffled(50, seed=2).take(50).tolist() != first.tolist()


def test_order_goes_on_from_a_count() -> None:
    order, other = Shuffled(7, seed=1), Shuffled(7, seed=1)
    order.take(17)
    other.drawn = 17
    assert order.take(9).tolist() == other.take(9).tolist()


PATHS = Ragged.of([[10], [20, 21, 22], [30, 31], [40, 41, 42, 43, 44, 45]], np.int32)


@pytest.mark.parametrize("steps", [1, 2, 5])
def test_lanes_walk_whole_paths_one_after_another(steps: int) -> None:
    lanes = Lanes(PATHS, 3, seed=4)
    stretches = [lanes.take(steps) for _ in range(40)]
    records = np.concatenate([stretch.records for stretch in stretches])
    starts = np.concatenate([stretch.starts for stretch in stretches])
    paths = np.concatenate([stretch.paths for stretch in stretches])
    assert starts[0].all()
    begun = 0
    for lane in range(3):
        (begins,) = np.nonzero(starts[:, lane])
        begun += len(begins)
        for begin, end in pairwise(begins):
            assert len(set(paths[begin:end, lane])) == 1
            path = PATHS.row(int(paths[begin, lane]))
            assert records[begin:end, lane].tolist() == path.tolist()
    assert lanes.drawn == begun


def test_lanes_go_on_from_a_position() -> None:
    lanes, other = Lanes(PATHS, 3, seed=4), Lanes(PATHS, 3, seed=4)
    lanes.take(7)
    other.seek(lanes.position())
    for _ in range(5):
        one, two = lanes.take(3), other.take(3)
        assert one.records.tolist() == two.records.tolist()
        assert one.starts.tolist() == two.starts.tolist()


def test_what_is_spread() -> None:
    assert spread(5, None).tolist() == [0, 1, 2, 3, 4]
    assert spread(5, 9).tolist() == [0, 1, 2, 3, 4]
    assert spread(10, 3).tolist() == [0, 3, 6]
