"""What is typed by hand about probing agrees with the raw files and with the paper's table."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import pytest

from gata.paper.probing import (
    GROUPS,
    METRICS,
    NEGATIVES,
    PAPER_SCORES,
    Seed,
    mean_score,
    read_probed,
    spread,
)
from tests.paper.test_prose import ROOT, section

Rows = Mapping[str, Sequence[Seed]]

PAGE = "docs/probing.md"
UNTRAINED = "untrained memory, standardised"
RAW = {kind: ROOT / "results" / "probe" / f"{kind}.json" for kind in NEGATIVES}
COLUMN = ("exact", "test", "all")
"""What the prose is about where it does not say."""
BOUNDS = ("random", "ground-truth")
UPDATERS = ("og", "coc")
DRAWN = (", mixed", ", other pairs", "untrained memory, standardised")
"""Rows that draw something of their own for each seed."""
NOT_KEPT = (
    "the random graph scored 0.62 to 0.70",
    "with batches of 64 the ground truth reached 0.91 only",
)
"""Of trials whose files were not kept, as the page says."""


@pytest.fixture(scope="module")
def prose() -> str:
    """What is said of the figures, in one line."""
    title = "What differs from the paper, and what the figures say"
    return " ".join(section(PAGE, title).split())


@pytest.fixture(scope="module")
def results() -> dict[str, Rows]:
    """The raw files, by the kind of unrelated pairs."""
    return {kind: read_probed(path).rows for kind, path in RAW.items()}


def mean(seeds: Sequence[Seed]) -> float:
    return mean_score(seeds, *COLUMN)


def values(seeds: Sequence[Seed]) -> list[float]:
    return [seed.score(*COLUMN) for seed in seeds]


def spreads(results: dict[str, Rows], *groups: str) -> Iterator[tuple[str, float]]:
    """What stands after the ± in each cell of these groups of pairs, with the row's name."""
    for rows in results.values():
        for name, seeds in rows.items():
            for column in product(METRICS, ("train", "test"), groups):
                yield name, spread(seeds, *column)


def sentences(results: dict[str, Rows]) -> Iterator[str]:
    """All that have figures, as they must be."""
    low, high = ([mean(rows[bound]) for rows in results.values()] for bound in BOUNDS)
    (random,) = {f"{score:.2f}" for score in low}
    yield f"{random} with a random graph, {min(high):.2f} to {max(high):.2f} with the true one."

    papers = {name: row[COLUMN] for name, row in PAPER_SCORES.items()}
    yield "it has OG {og:.2f}, COC {coc:.2f} and Tr-DRQN {text-og:.2f}".format(**papers)

    drawn, others = (
        max(apart for name, apart in spreads(results, "all") if name.endswith(DRAWN) == wanted)
        for wanted in (True, False)
    )
    yield (
        f"In the columns of all pairs ± is {others:.2f} at most, and {drawn:.2f} where a row draws"
        " something of its own for each seed"
    )
    leaning = max(apart for _, apart in spreads(results, "related", "unrelated"))
    yield f"in those of related and of unrelated pairs alone it is up to {leaning:.2f}"

    def beside(first: str, second: str) -> list[str]:
        """The scores of two rows, of each updater and kind of unrelated pairs."""
        return [
            f"{mean(rows[updater + what]):.2f}"
            for rows in results.values()
            for updater in UPDATERS
            for what in (first, second)
        ]

    told = "any game: OG {} and {}, COC {} and {}; from the same game {} and {}, {} and {})"
    yield told.format(*beside(" memory, mixed", ""))
    told = (
        "it has OG {} instead of {}, COC {} instead of {}; with counterparts from the same game {}"
        " instead of {}, {} instead of {}."
    )
    yield told.format(*beside(", other pairs", ""))
    told = "that leaves {} and {} percent, in the same game {} and {}."
    yield told.format(*(f"{100 * share:.0f}" for share in left_by_others(results)))

    def of(*names: str) -> list[str]:
        return [f"{mean(rows[name]):.2f}" for rows in results.values() for name in names]

    standardised = ("og memory, standardised", "coc memory, standardised")
    told = (
        "bring {} with counterparts from any game and {} from the same game. Standardised likewise,"
        " h_t has {} and {} (OG), {} and {} (COC), and {} and {} with random weights."
    )
    numbers = [of(name) for name in ("two counts", *standardised, UNTRAINED)]
    yield told.format(*(score for pair in numbers for score in pair))
    told = "as it is has {} and {} with OG, {} and {} with COC."
    yield told.format(*of("og memory"), *of("coc memory"))
    most = max(map(abs, brought_by_training(results)))
    yield f"training makes {most:.2f} of a difference at most, in either direction"

    printed = (PAPER_SCORES["random"]["exact", "test", group] for group in GROUPS[:2])
    yield 'answers "unrelated" always ({:.2f} and {:.2f})'.format(*printed)


def test_every_figure_stands_in_a_sentence_that_is_known(
    prose: str, results: dict[str, Rows]
) -> None:
    rest = prose
    for sentence in (*sentences(results), *NOT_KEPT):
        assert sentence in rest
        rest = rest.replace(sentence, "")
    assert not re.findall(r"\d\.\d+", rest)


def test_graphs_stay_below_the_paper_and_below_the_memory_of_text(
    prose: str, results: dict[str, Rows]
) -> None:
    """As the README and the page of results say, too."""
    assert "ours have both graphs below that, and below Tr-DRQN, with either kind" in prose
    for rows in results.values():
        for updater in UPDATERS:
            assert max(values(rows[updater])) < PAPER_SCORES[updater][COLUMN]
            assert max(values(rows[updater])) < min(values(rows["text-og"]))


def test_mixtures_lie_between_the_graph_and_the_memory(
    prose: str, results: dict[str, Rows]
) -> None:
    """Each of their matrices tells more than the graph with any seed."""
    assert "each of them tells more than the graph with any seed" in prose
    for rows in results.values():
        for updater in UPDATERS:
            graph, mixed, memory = (
                values(rows[f"{updater}{what}"]) for what in ("", " memory, mixed", " memory")
            )
            assert max(graph) < min(mixed)
            assert max(mixed) < min(memory)


def left_by_others(results: dict[str, Rows]) -> Iterator[float]:
    """What cells of other pairs tell more than a random graph, as a share of what own cells do."""
    for rows in results.values():
        nothing = mean(rows["random"])
        for updater in UPDATERS:
            own, others = (mean(rows[updater + what]) - nothing for what in ("", ", other pairs"))
            yield others / own


def brought_by_training(results: dict[str, Rows]) -> Iterator[float]:
    """What a trained memory tells more than an untrained one, both standardised."""
    for rows in results.values():
        for updater in UPDATERS:
            yield mean(rows[f"{updater} memory, standardised"]) - mean(rows[UNTRAINED])


def test_cells_tell_little_of_their_own_pairs(prose: str, results: dict[str, Rows]) -> None:
    assert "**The cells of our graphs tell this probe little of their own pairs.**" in prose
    assert min(left_by_others(results)) > 0.6


def test_two_counts_tell_as_much_as_a_memory(prose: str, results: dict[str, Rows]) -> None:
    """And more than our graphs, as the README and the page of results say, too."""
    assert "**Two counts tell as much as a memory.**" in prose
    for rows in results.values():
        counts = mean(rows["two counts"])
        assert counts > max(mean(rows[updater]) for updater in UPDATERS) + 0.05
        for updater in UPDATERS:
            assert abs(counts - mean(rows[f"{updater} memory"])) < 0.03


def test_training_brings_little_beside_size(prose: str, results: dict[str, Rows]) -> None:
    assert "**Training brings h_t little that this probe finds** beside larger numbers." in prose
    for rows in results.values():
        for updater in UPDATERS:
            assert mean(rows[f"{updater} memory"]) < mean(rows[f"{updater} memory, standardised"])
    brought = [*brought_by_training(results)]
    assert min(brought) < 0 < max(brought)


def test_the_pre_training_is_as_it_is_told(prose: str) -> None:
    for updater in UPDATERS:
        folder = ROOT / "results" / "pretrain" / updater
        settings = json.loads((folder / "settings.json").read_text(encoding="utf-8"))["settings"]
        assert (settings["batch"], settings["steps"]) == (128, 5)
        last = (folder / "metrics.jsonl").read_text(encoding="utf-8").splitlines()[-1]
        updates, paths = (f"{json.loads(last)[key]:,}" for key in ("update", "examples"))
        assert re.search(rf"`{updater}` (had )?{updates} [^`]*\({paths} paths", prose)


def test_memories_are_on_a_par(results: dict[str, Rows]) -> None:
    for rows in results.values():
        memories = [mean(rows[name]) for name in ("og memory", "coc memory", "text-og")]
        graphs = [mean(rows[updater]) for updater in UPDATERS]
        assert max(memories) - min(memories) < 0.02 < min(memories) - max(graphs)


def test_counterparts_of_the_same_game_are_easier_but_for_the_bounds(
    prose: str, results: dict[str, Rows]
) -> None:
    any_game, same_game = (results[kind] for kind in ("any-game", "same-game"))
    harder = {name for name in any_game if mean(same_game[name]) <= mean(any_game[name])}
    assert harder == set(BOUNDS)
    told = "**Counterparts of the same game are easier** for all but the two bounds."
    assert told in prose


@pytest.mark.parametrize("kind", NEGATIVES)
def test_the_task_is_as_it_is_told(kind: str) -> None:
    page = " ".join((ROOT / PAGE).read_text(encoding="utf-8").split())
    raw: dict[str, Any] = json.loads(RAW[kind].read_text(encoding="utf-8"))
    settings = raw["settings"]
    assert settings["negatives"] == kind
    assert (settings["train"], settings["test"]) == ("level5/train", "level5/test")
    games = [raw["data"][split]["games"] for split in ("train", "test")]
    assert "{} training games of level 5 and {} of its test games".format(*games) in page
    assert f"learning rate 1e-4, {settings['epochs']} epochs" in page
    assert settings["learning_rate"] == 1e-4
    seconds = (json.loads(path.read_text(encoding="utf-8"))["seconds"] for path in RAW.values())
    assert "took {:.0f} and {:.0f} seconds on one thread of a CPU".format(*seconds) in page
    assert raw["hardware"].endswith(" CPU, 1 threads")
    assert len(settings["seeds"]) == 3
    assert "means over three seeds" in page
