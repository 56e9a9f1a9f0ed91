from collections import Counter

import pytest

from gata.errors import UsageError
from gata.games.catalogue import (
    SPLITS,
    GameKey,
    canonical_collection,
    ftwp_collections,
    paper_collections,
    paper_seeds,
    paper_set,
)
from gata.games.settings import Setting


def test_ten_collections_of_140_games() -> None:
    collections = paper_collections()
    assert len(collections) == 10
    for collection in collections.values():
        assert [len(collection.of_split(split)) for split in SPLITS] == [100, 20, 20]
        assert {entry.key.foods for entry in collection.entries} == {"train"}
        for entry in collection.entries:
            rule = "clipped" if entry.split == "train" else "folded"
            assert entry.key.distractors == rule
    assert len({entry.name for c in collections.values() for entry in c.entries}) == 1400


def test_seeds_never_repeat_across_splits() -> None:
    seeds = [seed for split in SPLITS for seed in paper_seeds()[split]]
    assert len(set(seeds)) == 140


def test_training_sets_are_nested() -> None:
    for level in (1, 2, 3, 4):
        largest = paper_set(level, "train")
        assert paper_set(level, "train", 100) == largest
        assert paper_set(level, "train", 20) == largest[:20]
        assert [entry.key.seed for entry in paper_set(level, "train", 1)] == [6916]


def test_level_5_mixes_the_four_levels_evenly() -> None:
    for size, share in ((100, 25), (20, 5)):
        games = paper_set(5, "train", size)
        assert Counter(entry.name.split("/")[0] for entry in games) == {
            f"level{level}": share for level in (1, 2, 3, 4)
        }
        assert len({entry.key.seed for entry in games}) == size
    assert paper_set(5, "train", 20) == paper_set(5, "train", 100)[:20]
    for split in ("valid", "test"):
        parts = [paper_set(level, split) for level in (1, 2, 3, 4)]
        assert paper_set(5, split) == sum(parts, ())


def test_the_pretraining_sets_have_their_published_sizes() -> None:
    sizes = {name: len(collection.entries) for name, collection in ftwp_collections().items()}
    assert sizes == {"ftwp-train": 4440, "ftwp-valid": 222, "ftwp-test": 514}
    for collection in ftwp_collections().values():
        assert len({entry.name for entry in collection.entries}) == len(collection.entries)
        assert {entry.key.foods for entry in collection.entries} == {collection.name[5:]}


def test_difficulties_that_are_levels_go_by_the_levels_name() -> None:
    assert [canonical_collection(f"difficulty{n}") for n in (3, 7, 5, 9)] == [
        "level1", "level2", "level3", "level4",
    ]  # fmt: skip
    assert canonical_collection("difficulty6") == "difficulty6"


@pytest.mark.parametrize(
    ("level", "split", "size"),
    [(0, "train", None), (6, "test", None), (1, "train", 50), (5, "train", 1), (1, "test", 20)],
)
def test_sets_that_do_not_exist_are_refused(level: int, split: str, size: int | None) -> None:
    with pytest.raises(UsageError, match=r"level|size"):
        paper_set(level, split, size)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_seeds_out_of_range_are_refused(seed: int) -> None:
    with pytest.raises(UsageError, match="out of range"):
        GameKey(Setting(), "train", seed, "folded")
