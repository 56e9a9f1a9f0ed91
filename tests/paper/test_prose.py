"""What is typed by hand about the runs agrees with their records and with the paper's tables."""

import json
import operator
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
TEXT = "tr-dqn"
LEARNT = ("gata-og-text", "gata-coc-text")
NO_SCORES = {"0.9"}
"""The discount."""


def section(page: str, title: str) -> str:
    """What is typed under a heading of a page, without tables that are made."""
    text = (ROOT / page).read_text(encoding="utf-8")
    (found,) = re.findall(rf"^## {title}\n(.*?)^## ", text, re.DOTALL | re.MULTILINE)
    return re.sub(r"<!-- begin figures.*?end figures -->", "", found, flags=re.DOTALL)


@pytest.fixture(scope="module")
def verdict() -> str:
    """What the README says of the runs, in one line."""
    return " ".join(section("README.md", "How good it is").split())


@pytest.fixture(scope="module")
def prose(verdict: str) -> str:
    """All that is typed about the runs."""
    titles = ("In short", "What the runs so far say")
    return "\n".join((verdict, *(section("docs/results.md", title) for title in titles)))


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


def test_the_readme_tells_means_of_seeds(
    verdict: str, cells: list[tuple[Cell, float, float]]
) -> None:
    every = [means(cell)[1] for cell in _told_the_graph(cells)]
    sentence = "scores {}, {} and {} on the unseen games of levels 1 to 3, means of three seeds."
    assert sentence.format(*every) in verdict
    papers = map(written, TEST["gtf-sp"].scores(SIZE))
    assert "The paper has {}, {} and {}, of one chosen seed.".format(*papers) in verdict


def test_learnt_graphs_do_not_beat_text_here_as_they_do_in_the_paper(
    verdict: str, prose: str, cells: list[tuple[Cell, float, float]]
) -> None:
    ours = {}
    for cell, *_ in cells:
        settings = cell.best.settings
        ours[settings.agent, settings.level] = tuple(map(float, means(cell)))
    for agent in LEARNT:
        for level in (1, 2):
            # By all three measures.
            assert all(map(operator.lt, ours[agent, level], ours[TEXT, level]))
    ahead = [_ahead_in_the_paper(agent) for agent in LEARNT]
    (og, coc) = ([f"{points:.0f}" for points in each[:2]] for each in ahead)
    assert "OG ahead by {} and {} points, COC by {} and {}.".format(*og, *coc) in verdict
    # Of the sum of relative improvements.
    base = TEST[TEXT].scores(SIZE)
    for each in ahead:
        shares = [points / score for points, score in zip(each, base, strict=True)]
        assert shares[3] > sum(shares) / 2
    assert "more than half is from level 4" in " ".join(prose.split())


def test_what_was_not_run_is_told(prose: str) -> None:
    settings = [record.settings for record in Results.read(ROOT / "results" / "agents").records]
    assert {each.level for each in settings} == set(LEVELS)
    assert {each.agent for each in settings if each.level == 3} == {TEXT, "gtf-sp"}
    assert {each.games for each in settings} == {str(SIZE)}
    rows = {each.agent for each in settings}
    assert not rows & {"gata-og", "gata-coc"}
    missing = f"{len(TEST.keys() - rows)} of the {len(TEST)} rows in all"
    assert missing in " ".join(prose.split())
    ours = re.findall(r"\| [^|]*\d[^|]* / ", (ROOT / "docs" / "tables.md").read_text("utf-8"))
    assert not ours, "a table without runs has runs: move it to docs/results.md"


def test_the_cookbook_is_opened_as_seldom_as_is_told(prose: str) -> None:
    folder = ROOT / "results" / "analysis"
    told = [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("reading_*.json"))]
    seen = [run for file in told for run in file["agents"] if "/gtf" not in run["agent"]]
    opened, games = (sum(run[key] for run in seen) for key in ("opens cookbook", "games"))
    assert f"open the cookbook in {opened} of {games} test games" in " ".join(prose.split())


def _ahead_in_the_paper(agent: str) -> list[float]:
    """Points on the test games that the paper's agent has more than its text baseline, by level."""
    scores = (TEST[each].scores(SIZE) for each in (agent, TEXT))
    return [ours - text for ours, text in zip(*scores, strict=True)]


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
