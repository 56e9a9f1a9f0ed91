"""What is typed by hand about the runs agrees with their records and with the paper's tables."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

import pytest

from gata.paper.cells import Cell, Results
from gata.paper.scores import TEST, TRAINING

ROOT = Path(__file__).parents[2]
TABLES = (TEST, TRAINING)
SIZE = 100
LEVELS = (1, 2, 3)
"""The runs that the prose is about."""
NO_SCORES = {"0.9"}
"""The discount."""


@pytest.fixture(scope="module")
def prose() -> str:
    page = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    (section,) = re.findall(
        r"^## What the runs so far say\n(.*?)^## ", page, re.DOTALL | re.MULTILINE
    )
    return section


@pytest.fixture(scope="module")
def cells() -> list[tuple[Cell, float, float]]:
    """Every cell that was run, and the paper's test and training score of it."""
    results = Results.read(ROOT / "results" / "agents")
    found = [
        (
            results.cell(agent, level, SIZE),
            *(table[agent].scores(SIZE)[level - 1] for table in TABLES),
        )
        for agent in TEST
        for level in LEVELS
    ]
    return [each for each in found if each[0]]


def written(score: float) -> str:
    """As it stands in tables."""
    return f"{score:.1f}"


def means(cell: Cell) -> tuple[str, str, str]:
    """Test score of the seed that is best on validation, of all seeds, training score."""
    scores = (cell.best.test_score, fmean(cell.test_scores), fmean(cell.training_scores))
    best, every, training = map(written, scores)
    return best, every, training


def test_figures_stand_beside_the_papers_of_the_same_cell(
    prose: str, cells: list[tuple[Cell, float, float]]
) -> None:
    known = set()
    for cell, test, training in cells:
        best, every, trained = means(cell)
        known |= {(best, written(test)), (every, written(test)), (trained, written(training))}
    pairs = re.findall(r"(\d+\.\d) \((\d+\.\d)\)", prose)
    assert len(pairs) > 10
    assert not set(pairs) - known


def test_every_score_is_of_a_run_of_the_paper_or_of_the_guesser(
    prose: str, cells: list[tuple[Cell, float, float]]
) -> None:
    known = {*NO_SCORES, *_of_runs(cells), *_of_the_paper(), *_of_the_guesser()}
    assert not set(re.findall(r"\d+\.\d+", prose)) - known


def test_the_goal_of_level_1_is_told_by_both_measures(
    prose: str, cells: list[tuple[Cell, float, float]]
) -> None:
    best, every, _ = means(_told_the_graph(cells)[0])
    assert float(every) >= 90 > float(best)
    told = " ".join(prose.split())
    assert f"the mean of three seeds does, with {every}" in told
    assert f"the seed that is best on the validation games does not, with {best}." in told


def test_the_readme_tells_means_of_seeds(cells: list[tuple[Cell, float, float]]) -> None:
    every = [means(cell)[1] for cell in _told_the_graph(cells)]
    told = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    sentence = "scores {}, {} and {} on the unseen games of levels 1 to 3, means of three seeds."
    assert sentence.format(*every) in told


def _told_the_graph(cells: list[tuple[Cell, float, float]]) -> list[Cell]:
    """GATA-GTF (SP), level by level."""
    return [cell for cell, *_ in cells if cell.best.settings.agent == "gtf-sp"]


def _of_runs(cells: list[tuple[Cell, float, float]]) -> Iterator[str]:
    for cell, *_ in cells:
        yield from means(cell)
        yield from map(written, cell.test_scores)
        yield from (written(record.valid_score) for record in cell.records)


def _of_the_paper() -> Iterator[str]:
    """Of the agents that are not told the graph, and of GATA-GTF (SP)."""
    for table in TABLES:
        for agent, row in table.items():
            if agent == "gtf-sp" or not agent.startswith("gtf"):
                yield from (written(row.scores(SIZE)[level - 1]) for level in LEVELS)


def _of_the_guesser() -> Iterator[str]:
    for level in (1, 2):
        path = ROOT / "results" / "analysis" / f"reading_level{level}.json"
        told = json.loads(path.read_text(encoding="utf-8"))["guessing"]
        yield from (f"{told[split]['score']:g}" for split in ("train", "test"))
