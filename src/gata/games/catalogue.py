"""Which games there are: the paper's sets and the pre-training sets, as settings and seeds.

Nothing here holds a game; a ``GameKey`` says how to make one, a name says how to ask for it:

- ``level1/train/6916`` to ``level4/test/85952``: the paper's levels;
- ``difficulty1/...`` to ``difficulty10/...``: the ten settings of the public data set (levels
  1-4 are difficulties 3, 7, 5 and 9, and go by their level's name);
- ``level5``: no games of its own, a mixture of levels 1-4;
- ``ftwp/train/recipe1+cut/1001``: the First TextWorld Problems games, for pre-training.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal, get_args

from gata.errors import UsageError
from gata.games.settings import (
    DIFFICULTIES,
    LEVEL_DIFFICULTY,
    LEVELS,
    MIXED_LEVEL,
    FoodSplit,
    Setting,
)
from gata.names import did_you_mean

Split = Literal["train", "valid", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)

TRAINING_SIZES = (1, 20, 100)
"""The sizes of the paper's training sets; the smaller ones are the first games of the largest."""
MIXED_TRAINING_SIZES = (20, 100)

MAX_SEED = 2**32 - 1
"""The largest seed numpy's ``RandomState``, and so TextWorld, accepts."""

Distractors = Literal["clipped", "folded"]
"""How a negative draw for the number of extra foods is read: as 0, or by its absolute value.

TextWorld 1.7 folds; the version that made the paper's training games clipped.
"""


@dataclass(frozen=True)
class GameKey:
    """Everything that decides a game."""

    setting: Setting
    foods: FoodSplit
    seed: int
    distractors: Distractors

    def __post_init__(self) -> None:
        if not 0 <= self.seed <= MAX_SEED:
            raise UsageError(f"seed {self.seed} is out of range, expected 0 to {MAX_SEED}")


@dataclass(frozen=True)
class Entry:
    """A game of a collection: its name, where it belongs and how it is made."""

    name: str
    split: Split
    key: GameKey


@dataclass(frozen=True)
class Collection:
    """Games that live in one archive file."""

    name: str
    entries: tuple[Entry, ...]

    def of_split(self, split: Split) -> tuple[Entry, ...]:
        """The entries of one split, in the published order."""
        return tuple(entry for entry in self.entries if entry.split == split)


def check_split(split: str) -> Split:
    """The split of that name, or a clear refusal."""
    if split not in SPLITS:
        raise UsageError(f"unknown split {split!r}, expected one of {', '.join(SPLITS)}")
    return split


@cache
def paper_seeds() -> Mapping[Split, tuple[int, ...]]:
    """The seeds of the paper's games, the same at every level."""
    seeds = _read_data("paper_seeds.json")
    return {split: tuple(seeds[split]) for split in SPLITS}


@cache
def paper_collections() -> Mapping[str, Collection]:
    """The ten paper collections of 140 games each, by name; levels first."""
    level_of = {difficulty: level for level, difficulty in LEVEL_DIFFICULTY.items()}
    names = {f"level{level}": DIFFICULTIES[number] for level, number in LEVEL_DIFFICULTY.items()}
    names |= {f"difficulty{n}": s for n, s in DIFFICULTIES.items() if n not in level_of}
    return {name: _paper_collection(name, setting) for name, setting in names.items()}


def _paper_collection(name: str, setting: Setting) -> Collection:
    entries = []
    for split, seeds in paper_seeds().items():
        distractors: Distractors = "clipped" if split == "train" else "folded"
        # Every split draws its foods from TextWorld's train split: unseen games, not unseen foods.
        entries += [
            Entry(f"{name}/{split}/{seed}", split, GameKey(setting, "train", seed, distractors))
            for seed in seeds
        ]
    return Collection(name, tuple(entries))


@cache
def ftwp_collections() -> Mapping[str, Collection]:
    """The pre-training games: ``ftwp-train`` (4,440), ``ftwp-valid`` (222), ``ftwp-test`` (514)."""
    sets = _read_data("ftwp_seeds.json")
    return {
        f"ftwp-{split}": Collection(
            f"ftwp-{split}",
            tuple(
                Entry(
                    f"ftwp/{split}/{setting}/{seed}",
                    split,
                    GameKey(Setting.parse(setting), split, seed, "folded"),
                )
                for setting, seeds in sets[split].items()
                for seed in seeds
            ),
        )
        for split in SPLITS
    }


def collections() -> Mapping[str, Collection]:
    """Every collection by name."""
    return {**paper_collections(), **ftwp_collections()}


def _aliases() -> dict[str, str]:
    return {f"difficulty{number}": f"level{level}" for level, number in LEVEL_DIFFICULTY.items()}


def canonical_collection(name: str) -> str:
    """The collection's own name: ``difficulty3`` is ``level1``; anything unknown is refused."""
    name = _aliases().get(name, name)
    if name not in collections():
        raise UsageError(
            f"unknown games {name!r}{did_you_mean(name, set_names())}, expected a set such as"
            f" level1 to level{MIXED_LEVEL}, difficulty1 to difficulty{len(DIFFICULTIES)}, ftwp, or"
            " one of its splits, such as level1/train; `gata games list` shows all"
        )
    return name


def set_names() -> list[str]:
    """The short names of all sets of games, and of their splits."""
    sets = [*collections(), f"level{MIXED_LEVEL}", "ftwp", *_aliases()]
    return [*sets, *(f"{name}/{split}" for name in sets for split in SPLITS if "-" not in name)]


def check_level(level: int) -> None:
    """Refuse a level that there is not."""
    if level not in (*LEVELS, MIXED_LEVEL):
        raise UsageError(f"unknown level {level}, expected 1 to {MIXED_LEVEL}")


def paper_set(level: int, split: Split, size: int | None = None) -> tuple[Entry, ...]:
    """The games of one of the paper's levels (1-5).

    ``size`` chooses among the training sets (1, 20 or 100 games; default the largest) and is
    for ``train`` only. Level 5 deals the hundred training seeds to levels 1-4 in turn, so that
    its 100 games are 25 of each level, its first 20 games 5 of each, and no two share a seed;
    its validation and test sets are all those of the four levels.
    """
    check_level(level)
    per_level = [paper_collections()[f"level{n}"].of_split(split) for n in LEVELS]
    if split != "train":
        if size is not None:
            raise UsageError(f"the {split} set has one size; a size is for training sets only")
        return per_level[level - 1] if level in LEVELS else tuple(sum(per_level, ()))
    sizes = MIXED_TRAINING_SIZES if level == MIXED_LEVEL else TRAINING_SIZES
    size = max(sizes) if size is None else size
    if size not in sizes:
        expected = ", ".join(map(str, sizes))
        raise UsageError(f"level {level} has no training set of {size} games, expected {expected}")
    if level == MIXED_LEVEL:
        dealt = (per_level[i % len(per_level)][i] for i in range(max(sizes)))
        return tuple(dealt)[:size]
    return per_level[level - 1][:size]


def _read_data(file: str) -> Any:
    text = resources.files("gata.games").joinpath("data", file).read_text(encoding="utf-8")
    return json.loads(text)
