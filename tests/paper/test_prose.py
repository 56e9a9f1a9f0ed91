"""What is typed by hand about the runs agrees with their records and with the paper's tables."""

import json
import operator
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gata.agents.playing import Episode
from gata.evaluation.fresh import FreshRecord, read_fresh_records
from gata.evaluation.records import Record
from gata.evaluation.reloads import count_reloads, reloads
from gata.evaluation.standing import error_of_mean
from gata.evaluation.statistics import COVERAGE
from gata.models.shipped import agents
from gata.paper.cells import Cell, Results
from gata.paper.scores import TEST, TRAINING
from gata.rl.settings import LearningSettings
from tests.prose import ROOT, section, written

TABLES = (TEST, TRAINING)
SIZE = 100
LEVELS = (1, 2, 3)
HARDEST, MIXED = 4, 5
ALL_LEVELS = (*LEVELS, HARDEST, MIXED)
"""The runs that the prose is about: those of single levels, and of the one that mixes them."""
TEXT = "tr-dqn"
LEARNT = ("gata-og-text", "gata-coc-text")
ALONE = ("gata-og", "gata-coc")
GRAPH_ALONE = "gata-coc"
OFTEN = ROOT / "results" / "controls" / "update-every-16"
"""The controls that learn about three times as often."""
FEWER = ROOT / "results" / "controls" / "parallel-25"
"""Those that play a tenth as many games at once."""
PATIENT = ROOT / "results" / "controls" / "patience-100"
"""Those that never take up their best weights again."""
NO_SCORES = {"0.9"}
"""The discount."""


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
def cells(results: Results) -> list[tuple[Cell, float, float]]:
    """Every cell that was run, and the paper's test and training score of it."""
    found = [
        (
            results.cell(agent, level, SIZE),
            *(table[agent].scores(SIZE)[level - 1] for table in TABLES),
        )
        for agent in TEST
        for level in ALL_LEVELS
    ]
    return [each for each in found if each[0]]


def means(cell: Cell) -> tuple[str, str, str]:
    """Test score of the seed that is best on validation, of all seeds, training score."""
    scores = (cell.best.test_score, cell.test_scores.mean(), cell.training_scores.mean())
    best, every, training = map(written, scores)
    return best, every, training


@pytest.fixture(scope="module")
def results() -> Results:
    return Results.read(ROOT / "results" / "agents")


@pytest.fixture(scope="module")
def often() -> Results:
    return Results.read(OFTEN / "agents")


@pytest.fixture(scope="module")
def patient() -> Results:
    return Results.read(PATIENT / "agents")


@pytest.fixture(scope="module")
def fresh() -> dict[tuple[str, int], FreshRecord]:
    """What shipped agents did on fresh games, by agent and level."""
    shipped = {name.partition("/")[2] for name in agents()}
    records = read_fresh_records(ROOT / "results" / "fresh")
    found = [record for record in records if record.name in shipped]
    assert len(found) == len(shipped)
    return {(record.agent.name, record.settings.level): record for record in found}


@pytest.fixture(scope="module")
def watched() -> dict[str, dict[str, int]]:
    return endings(ROOT / "results" / "analysis")


def endings(folder: Path) -> dict[str, dict[str, int]]:
    """How the test games of each watched run ended, by its name."""
    told = [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("reading_*.json"))]
    return {
        run["agent"].rpartition("/")[2]: Counter(run["endings"])
        | {key: run[key] for key in ("games", "opens cookbook", "takes knife")}
        for file in told
        for run in file["agents"]
    }


def every(results: Results, agent: str = TEXT) -> float:
    """Test score of all seeds on level 1."""
    return float(results.cell(agent, 1, SIZE).test_scores.mean())


def points(score: float) -> str:
    """As it stands in a sentence that says in which direction."""
    return f"{abs(score):.1f}"


def test_learnt_graphs_have_fewer_points_than_text_as_is_told(
    verdict: str, prose: str, results: Results
) -> None:
    og, coc = ([results.difference(agent, level, SIZE) for level in LEVELS] for agent in LEARNT)
    assert all(each.mean < 0 for each in (*og, *coc))
    told = [points(each.mean) for each in (*og, *coc)]
    assert "OG has {}, {} and {} fewer, COC {}, {} and {}.".format(*told) in verdict
    sentence = (
        "OG with text has {} points fewer than Tr-DQN on level 1, {} on level 2 and {} on level 3,"
        " COC with text {}, {} and {}."
    )
    assert sentence.format(*told) in " ".join(prose.split())
    assert [each.high < 0 for each in (*og, *coc)] == [False, True, *[False] * 4]
    assert "one of the six" in verdict
    assert "leaves out 0, OG's on level 2" in verdict
    best = [points(_behind(results, agent, level)) for agent in LEARNT for level in LEVELS]
    sentence = (
        "OG with text has {}, {} and {} points fewer than Tr-DQN, COC with text {}, {} and {};"
    )
    assert sentence.format(*best) in verdict


def test_the_text_baseline_is_further_from_the_paper_in_training_than_learnt_graphs(
    verdict: str, prose: str, results: Results
) -> None:
    def distances(agent: str) -> list[float]:
        ours = (results.cell(agent, level, SIZE).training_scores.mean() for level in LEVELS)
        return [float(a - b) for a, b in zip(ours, TRAINING[agent].scores(SIZE), strict=False)]

    assert all(abs(distance) < 4 for agent in LEARNT for distance in distances(agent))
    above = "Tr-DQN is {:.0f}, {:.0f} and {:.0f} points above it".format(*distances(TEXT))
    for text in (verdict, " ".join(prose.split())):
        assert "By the highest training score of each seed" in text
        assert "within 4 points of the paper on levels 1 to 3" in text
        assert above in text


def test_level_3_is_told_as_it_was_learnt_and_played(prose: str, results: Results) -> None:
    told = " ".join(prose.split())
    og, coc = (results.cell(agent, 3, SIZE) for agent in LEARNT)
    games = [game for cell in (og, coc) for record in cell.records for game in record.test_games]
    won = [game for game in games if game.won]
    assert all(game.won or game.steps == 50 for game in games)
    quick = sum(game.steps <= 10 for game in won)
    sentence = "win {} of {} test games, {} of them within ten steps, and run out of time in the {}"
    assert sentence.format(len(won), len(games), quick, len(games) - len(won)) in told
    assert f"over all seeds {means(coc)[1]} and {means(og)[1]}, fewer than Tr-DQN" in told
    apart = [results.difference(agent, 3, SIZE) for agent in LEARNT]
    assert all(each.low < 0 < each.high for each in apart)
    quarters = [_quarters(cell) for cell in (coc, og, results.cell(TEXT, 3, SIZE))]
    sentence = "COC is at {}, {}, {} and {}, OG at {}, {}, {} and {}, Tr-DQN at {}, {}, {} and {}."
    assert sentence.format(*(score for each in quarters for score in each)) in told


def test_reloads_are_as_many_as_is_told(results: Results) -> None:
    about = " ".join(section("docs/results.md", "Reloads").split())
    numbers = {record.name: reloads(record) for record in results.records}
    assert f"where ours did {sum(numbers.values())} times" in about
    theirs = sum(map(_reloads_of_the_authors, results.records))
    assert f"on our curves it would have done so {theirs} times" in about
    drawn = {share: round(_reloads_of_chance(share)) for share in (0.9, 0.6, 0.3)}
    assert drawn == {0.9: 12, 0.6: 16, 0.3: 16}
    assert "bring 12 (nine of ten games won) to 16 reloads (six of ten, or three) in 100" in about
    (good,) = (each for each in results.cell("gtf", 3, SIZE).records if each.settings.seed == 3)
    assert f"at {good.training_score:.0f} in training" in about
    assert f"seed 3 of `gtf` on level 3, with {reloads(good)}." in about
    most = [numbers[record.name] for record in results.records if record.valid_score < 99]
    told = f"in most of our runs it does so {min(most)} to {max(most)} times"
    assert len(most) > len(numbers) / 2
    assert told in " ".join(section("docs/results.md", "In short").split())


def test_one_run_was_held_in_the_trap_by_reloads(
    verdict: str, prose: str, results: Results, patient: Results
) -> None:
    about = " ".join(section("docs/results.md", "Reloads").split())
    held, free = (every.cell(TEXT, 2, SIZE).records[1] for every in (results, patient))
    assert [record.settings.seed for record in (held, free)] == [2, 2]
    scores = [point.valid_score for point in held.curve]
    last_best = max(i for i, score in enumerate(scores) if score == max(scores))
    found = held.curve[last_best].episodes
    assert f"had its best, {written(held.valid_score)} on the validation games" in about
    assert f"after {found:,} episodes" in about
    assert f"In the {round(held.episodes - found, -3):,} episodes after that" in about
    before = reloads(replace(held, curve=held.curve[: last_best + 1]))
    assert f"back to those weights {reloads(held) - before} times" in about
    assert round(10 * held.settings.learning.epsilon(found)) == 6
    assert "when six of ten of its commands were still random" in about
    assert reloads(free) == 0
    scores = [written(record.test_score) for record in (held, free)]
    assert (
        "held a seed of Tr-DQN on level 2 at {}; without it the same seed has {}".format(*scores)
        in verdict
    )
    trained = [written(record.training_score or 0) for record in (held, free)]
    sentence = "has {1} on the test games instead of {0}, and {3} in training instead of {2}"
    assert sentence.format(*scores, *trained) in " ".join(prose.split())
    sentence = "is at {3} in training instead of {2} and has {1} on the test games instead of {0},"
    assert sentence.format(*scores, *trained) in about
    assert f"and {written(free.valid_score)} on the validation games." in about
    low = next(i for i, p in enumerate(free.curve) if (p.train_score or 0) > 34)
    assert f"stays below 34 for {round(free.curve[low - 1].episodes, -3):,} episodes" in about


def test_without_reloads_all_leave_the_trap_and_score_no_more(
    verdict: str, prose: str, results: Results, patient: Results
) -> None:
    about, controls = (
        " ".join(section("docs/results.md", title).split()) for title in ("Reloads", "Controls")
    )
    usual, free = (every.cell(TEXT, 2, SIZE) for every in (results, patient))
    assert [len(cell.records) for cell in (usual, free)] == [3, 3]
    (_, every_usual, trained_usual), (_, every_free, trained_free) = means(usual), means(free)
    assert f"Three seeds have {every_free} instead of {every_usual}" in verdict
    sentence = f"brings nothing on the test games, {every_free} instead of {every_usual}."
    assert sentence in " ".join(prose.split())
    sentence = f"has {trained_free} in training on level 2 instead of {trained_usual}, and"
    assert f"{sentence} {every_free} on the test games instead of {every_usual}" in controls
    assert f"they have {every_free} on average instead of {every_usual}:" in about
    left = usual.training_scores.ravel() > 50
    assert left.tolist() == [True, False, True]
    pairs = [written(score) for cell in (free, usual) for score in cell.test_scores[left].mean(1)]
    assert "have {} and {} instead of {} and {}.".format(*pairs) in about
    least, most = map(written, (free.training_scores.min(), free.training_scores.max()))
    assert f"with {least} to {most} in training." in about
    seen = endings(PATIENT)
    assert sorted(seen) == sorted(record.name for record in patient.records)
    assert not any(run["opens cookbook"] for run in seen.values())


def test_falls_are_as_many_and_as_deep_as_is_told(prose: str, results: Results) -> None:
    told = " ".join(prose.split())
    deepest = {record: _deepest_fall(record) for record in results.records}
    text = [fall for record, fall in deepest.items() if record.settings.agent == TEXT]
    graph = [fall for record, fall in deepest.items() if record.settings.agent != TEXT]
    assert all(record.agent.uses != "text" for record in deepest if record.settings.agent != TEXT)
    many = sum(fall >= 20 for fall in graph)
    assert f"in {many} of {len(graph)} runs that read a graph" in told
    assert f"the deepest is {max(graph):.0f} points down." in told
    assert len(text) == 10
    assert f"The ten runs of Tr-DQN have no fall of more than {max(text):.0f}." in told
    hardware = {record.hardware for record, fall in deepest.items() if fall >= 20}
    assert len(hardware) == 2


def test_text_is_ahead_in_training_seed_by_seed(prose: str, results: Results) -> None:
    base, *learnt = (results.cell(agent, 1, SIZE).training_scores for agent in (TEXT, *LEARNT))
    assert all(base.min() > scores.max() for scores in learnt)
    assert "each seed of our Tr-DQN is ahead of each seed of both" in " ".join(prose.split())


def test_sentences_have_the_scores_of_those_they_name(prose: str, results: Results) -> None:
    """Each as it must stand, in the order of the agents in it."""
    told = " ".join(prose.split())

    def every(level: int, *agents: str) -> list[str]:
        return [means(results.cell(agent, level, SIZE))[1] for agent in agents]

    def seeds(agent: str, level: int, *numbers: int) -> list[str]:
        records = results.cell(agent, level, SIZE).records
        return [written(record.test_score) for record in records if record.settings.seed in numbers]

    og, coc = LEARNT
    trapped = [*seeds(TEXT, 2, 2), *seeds(coc, 2, 2, 3), *seeds(og, 2, 2, 3)]
    papers = _not_told_the_graph(2)
    for sentence, figures in {
        "GATA-GTF (SP)** has {}, {} and {} over all seeds": [
            figure for level in LEVELS for figure in every(level, "gtf-sp")
        ],
        "Over all seeds Tr-DQN, GATA-COC and GATA-OG with text are at {}, {} and {},": every(
            1, TEXT, coc, og
        ),
        "That brings {}, {}, {}, {} and {}, one or two points of five": trapped,
        "not told the graph score {} to {} on this level": [
            written(min(papers)),
            written(max(papers)),
        ],
        "Tr-DQN with {} and {}, GATA-COC with text with {},": [
            *seeds(TEXT, 2, 1, 3),
            *seeds(coc, 2, 1),
        ],
        "wins none ({}, seed 1)": seeds(og, 2, 1),
        "Over all seeds the three are at {}, {} and {};": every(2, TEXT, coc, og),
        "(38.3) and {} over all seeds": every(3, TEXT),
        "in training they are at {} (97.9)": [means(results.cell("gtf", 3, SIZE))[2]],
        "reaches from {} to {} over its seeds, Tr-DQN from {} to {}.": [
            figure
            for agent in ("gtf-sp", TEXT)
            for scores in [sorted(seeds(agent, 3, 1, 2, 3), key=float)]
            for figure in (scores[0], scores[-1])
        ],
    }.items():
        assert sentence.format(*figures) in told


def test_games_end_as_is_told(
    prose: str, results: Results, watched: dict[str, dict[str, int]]
) -> None:
    told = " ".join(prose.split())

    def total(runs: list[dict[str, int]], *keys: str) -> list[int]:
        return [sum(run.get(key, 0) for run in runs) for key in keys]

    first = [
        run for name, run in watched.items() if "level1" in name and not name.startswith("gtf")
    ]
    assert len(first) == 12
    assert "We watched all twelve of these agents" in told
    assert (
        "the cookbook is opened in {} of {} games, {} are lost by a wrong cut and {} by running out"
        " of time"
    ).format(*total(first, "opens cookbook", "games", "wrong cut", "out of time")) in told
    trapped = [
        watched[f"{agent}-level2-100games-seed{seed}"]
        for agent, seeds in (("tr-dqn", (2,)), (LEARNT[0], (2, 3)), (LEARNT[1], (2, 3)))
        for seed in seeds
    ]
    assert (
        "the knife in {} test games of {}.".format(*total(trapped, "takes knife", "games")) in told
    )
    assert ("{} of their {} games end like that, {} with the wrong cook and {} out of time").format(
        *total(trapped, "burned", "games", "wrong cook", "out of time")
    ) in told
    others = [
        run["takes knife"]
        for name, run in watched.items()
        if "level2" in name and not name.startswith("gtf") and run not in trapped
    ]
    assert f"Our other four take the knife in {min(others)} to {max(others)} of 20 games" in told
    games = [game for record in results.cell(TEXT, 3, SIZE).records for game in record.test_games]
    won = [game for game in games if game.won]
    quick = sum(game.steps <= 10 for game in won)
    assert f"wins {len(won)} of {len(games)} test games, {quick} of them within ten steps" in told
    assert all(game.won or game.steps == 50 for game in games)
    assert f"all {len(games) - len(won)} others run out of time" in told


def test_mixed_levels_are_won_as_is_told(prose: str, results: Results) -> None:
    told = " ".join(prose.split())
    wins, left, scores = {}, {}, {}
    for agent in ("gtf-sp", TEXT):
        by_level = _games_by_level(results.cell(agent, MIXED, SIZE))
        assert [len(each) for each in by_level] == [20] * 4
        wins[agent] = [sum(game.won for game in each) for each in by_level]
        left[agent] = sum(not game.won and game.steps < 50 for game in by_level[2])
        scores[agent] = _hardest(results, agent)
    best, every, training = means(results.cell("gtf-sp", MIXED, SIZE))
    assert f"GATA-GTF (SP) has {best} (52.8) and over three seeds {every}," in told
    assert f"in training they are at {training} (73.4)" in told
    sentence = "GATA-GTF (SP) wins {}, {}, {} and {}, Tr-DQN {}, {}, {} and {}."
    assert sentence.format(*wins["gtf-sp"], *wins[TEXT]) in told
    alone = sum(game.won for game in results.cell("gtf-sp", 3, SIZE).best.test_games)
    assert alone == 2 * wins["gtf-sp"][2]
    assert f"games of level 3 alone ({alone} by the best seed)" in told
    assert max(left.values()) == 0
    assert "there they have {} and {}.".format(*scores.values()) in told


def test_the_hardest_games_end_as_is_told(prose: str, results: Results) -> None:
    told = " ".join(prose.split())
    cell = results.cell("gtf-sp", HARDEST, SIZE)
    paper = TEST["gtf-sp"].scores(SIZE)[HARDEST - 1]
    best, every, training = means(cell)
    games = [game for record in cell.records for game in record.test_games]
    (most,) = {game.max_score for game in games}
    points = round(paper / 100 * 20 * most)
    assert 100 * points / (20 * most) == pytest.approx(paper, abs=0.05)
    assert f"has {best} ({paper}, {points} of {20 * most} points)" in told
    assert f"way of telling and {every} over three seeds; in training {training} (38.9)" in told
    assert not any(game.won for game in games)
    assert not any(point.train_success for record in cell.records for point in record.curve)
    ended = sum(game.steps < 50 for game in games)
    stuck = sum(game.score == 3 for game in games)
    assert f"In {ended} of {len(games)} test games they end the game themselves" in told
    assert f"and {stuck} end with 3 of {most} points" in told
    scores = sorted((record.test_score for record in cell.records), reverse=True)
    sentence = "have {}, {} and {} (the paper {}) and win no game"
    assert sentence.format(*map(written, scores), paper) in told
    assert results.cell("gtf-sp", 2, SIZE).best.test_score == 100


def test_figures_stand_beside_the_papers_of_the_same_cell(
    prose: str, cells: list[tuple[Cell, float, float]], results: Results
) -> None:
    few, paper = results.cell("gtf", 1, 20), TEST["gtf"].scores(20)[0]
    known = {(means(few)[0], written(paper))}
    for cell, test, training in cells:
        best, every, trained = means(cell)
        known |= {(best, written(test)), (every, written(test)), (trained, written(training))}
    pairs = re.findall(r"(\d+\.\d) \((\d+\.\d)\)", prose)
    assert len(pairs) > 10
    assert not set(pairs) - known


def test_every_score_is_of_a_run_of_the_paper_or_of_the_guesser(
    prose: str,
    cells: list[tuple[Cell, float, float]],
    results: Results,
    often: Results,
    patient: Results,
    fresh: dict[tuple[str, int], FreshRecord],
) -> None:
    known = {*NO_SCORES, *_of_runs(cells), *_of_the_paper(), *_of_the_guesser()}
    known |= {written(_guessed(level)["score"]) for level in (1, 2)}
    for record in fresh.values():
        known |= {written(record.scores.mean()), written(error_of_mean(record.scores))}
    known |= {figure for cell in often.cells.values() for figure in means(cell)[1:]}
    known.add(written(every(often) - every(often, LEARNT[1])))
    few = results.cell("gtf", 1, 20)
    known |= {written(record.test_score) for record in few.records}
    known |= {written(TEST["gtf"].scores(20)[0])}
    known |= {_hardest(results, agent) for agent in ("gtf-sp", TEXT)}
    known |= {written(record.valid_score) for record in results.cell("gtf", 3, SIZE).records}
    known.add(means(patient.cell(TEXT, 2, SIZE))[1])
    for record in patient.records:
        known |= {written(record.test_score), written(record.training_score or 0)}
    known |= {written(record.training_score or 0) for record in results.cell(TEXT, 2, SIZE).records}
    for agent, level in ((agent, level) for agent in LEARNT for level in LEVELS):
        known.add(points(results.difference(agent, level, SIZE).mean))
        known.add(points(_behind(results, agent, level)))
    assert not set(re.findall(r"\d+\.\d+", prose)) - known


def test_the_goal_of_level_1_is_told_by_both_measures(
    prose: str, cells: list[tuple[Cell, float, float]]
) -> None:
    best, every, _ = means(_told_the_graph(cells)[0])
    assert float(every) >= 90 > float(best)
    told = " ".join(prose.split())
    assert f"the mean of three seeds does, with {every}" in told
    assert f"the seed that is best on the validation games does not, with {best}." in told


def test_without_pretraining_the_true_graph_is_as_good(
    verdict: str, prose: str, results: Results
) -> None:
    told = " ".join(prose.split())
    first, second, third = (results.cell("gtf", level, SIZE) for level in LEVELS)
    every = [means(cell)[1] for cell in (first, second, third)]
    assert "(`gtf`) they are {}, {} and {}.".format(*every) in verdict
    assert [len(cell.records) for cell in (first, second, third)] == [3, 3, 3]
    assert (first.test_successes == 100).all()
    assert "All three seeds win all 20 test games of level 1." in told
    lost = [record for record in second.records if record.test_success < 100]
    assert [record.valid_score for record in lost] == [100]
    sentence = "the other, which won every validation game too, has {}."
    assert sentence.format(*(written(record.test_score) for record in lost)) in told
    scores = [written(record.test_score) for record in third.records]
    valid = [written(record.valid_score) for record in third.records]
    sentence = (
        "On level 3 the three seeds have {}, {} and {}, after {}, {} and {} on the validation"
        " games, and {} on average;"
    )
    assert sentence.format(*scores, *valid, every[2]) in told
    few = results.cell("gtf", 1, 20)
    scores = [written(record.test_score) for record in few.records]
    assert "three seeds have {}, {} and {} on level 1".format(*scores) in told
    paper = written(TEST["gtf"].scores(20)[0])
    assert f"by the paper's way of telling {means(few)[0]} ({paper})" in told


def test_the_readme_sets_like_beside_like(
    verdict: str, cells: list[tuple[Cell, float, float]]
) -> None:
    best, every, _ = zip(*(means(cell) for cell in _told_the_graph(cells)), strict=True)
    papers = map(written, TEST["gtf-sp"].scores(SIZE)[:3])
    sentence = (
        "scores {}, {} and {} on the unseen games of levels 1 to 3; the paper has {}, {} and {}."
    )
    assert sentence.format(*best, *papers) in verdict
    assert "Means of our three seeds are {}, {} and {}.".format(*every) in verdict


def test_learnt_graphs_do_not_beat_text_here_as_they_do_in_the_paper(
    verdict: str, prose: str, cells: list[tuple[Cell, float, float]]
) -> None:
    ours = {}
    for cell, *_ in cells:
        settings = cell.best.settings
        ours[settings.agent, settings.level] = tuple(map(float, means(cell)))
    for agent in LEARNT:
        for level in LEVELS:
            # By all three measures.
            assert all(map(operator.lt, ours[agent, level], ours[TEXT, level]))
    ahead = [_ahead_in_the_paper(agent) for agent in LEARNT]
    (og, coc) = ([round(points) for points in each[:3]] for each in ahead)
    sentence = "OG ahead by {} and {} points and behind by {}, COC ahead by {}, {} and {}."
    assert sentence.format(*og[:2], -og[2], *coc) in verdict
    # Of the sum of relative improvements.
    base = TEST[TEXT].scores(SIZE)
    for each in ahead:
        shares = [points / score for points, score in zip(each, base, strict=True)]
        assert shares[3] > sum(shares) / 2
    assert "more than half is from level 4" in " ".join(prose.split())


def test_the_graph_alone_is_as_good_as_with_text(
    verdict: str, prose: str, results: Results
) -> None:
    cell = results.cell(GRAPH_ALONE, 1, SIZE)
    assert len(cell.records) == 3
    best, every, training = means(cell)
    test, trained = (written(table[GRAPH_ALONE].scores(SIZE)[0]) for table in TABLES)
    assert f"but for COC on level 1 ({best}; the paper has {test})," in verdict
    told = " ".join(prose.split())
    assert f"Without text COC has {best} ({test}) on level 1." in told
    sentence = "without text has {} ({}), {} over all seeds, and {} ({}) in training,"
    assert sentence.format(best, test, every, training, trained) in told


def test_learning_more_often_does_not_help_as_is_told(
    verdict: str, prose: str, results: Results, often: Results
) -> None:
    told = " ".join(prose.split())
    text, graph = (often.cell(agent, 1, SIZE) for agent in (TEXT, LEARNT[1]))
    usual_text, usual_graph = (results.cell(agent, 1, SIZE) for agent in (TEXT, LEARNT[1]))
    assert [len(cell.records) for cell in often.cells.values()] == [3, 3]
    updates = [f"{np.mean([run.updates for run in cell.records]):,.0f}" for cell in (text, graph)]
    sentence = "Tr-DQN makes {} on average and GATA-COC with text {}."
    assert sentence.format(*updates) in told
    (_, text_every, text_trained), (_, graph_every, graph_trained) = means(text), means(graph)
    (_, text_before, text_was), (_, graph_before, graph_was) = means(usual_text), means(usual_graph)
    assert graph_every == graph_before
    for sentence in (
        f"Tr-DQN at {text_trained} instead of {text_was}, GATA-COC by little, at {graph_trained}"
        f" instead of {graph_was};",
        f"on new games they do not: {text_every} instead of {text_before}, and {graph_every} as"
        " before.",
    ):
        assert sentence in told
    assert (
        f"COC with text has {graph_every} over three seeds of level 1, as before, and Tr-DQN"
        f" {text_every} instead of {text_before}"
    ) in verdict
    behind = [every(results) - every(results, LEARNT[1]), every(often) - every(often, LEARNT[1])]
    sentence = "COC's distance to Tr-DQN, {} points, becomes {}, but because Tr-DQN comes down."
    assert sentence.format(*map(written, behind)) in told
    seen = endings(OFTEN)
    assert sorted(seen) == sorted(record.name for record in often.records)
    assert not any(run["opens cookbook"] for run in seen.values())
    games = sum(run["games"] for run in seen.values())
    assert f"None of these six opens the cookbook in any of the {games} test games" in told


def test_fresh_games_are_told_as_they_were_played(
    verdict: str, prose: str, fresh: dict[tuple[str, int], FreshRecord]
) -> None:
    told = " ".join(prose.split())
    three = [fresh[agent, 1] for agent in (TEXT, *LEARNT)]
    scores = [written(record.scores.mean()) for record in three]
    (error,) = {written(error_of_mean(record.scores)) for record in three}
    sentence = "have {}, {} and {}, each with a standard error of {}: these games do not tell them"
    for text in (verdict, " ".join(section("docs/results.md", "In short").split())):
        assert sentence.format(*scores, error) in text
    differences = [record.scores - three[0].scores for record in three[1:]]
    assert all(abs(each.mean()) < 2 * error_of_mean(each) for each in differences)
    guess, second = (written(_guessed(level)["score"]) for level in (1, 2))
    assert f"never reading it, has {guess}." in verdict
    assert f"never reading it, has {guess} there (66.25 on the twenty)." in told
    text, graph = (written(fresh[agent, 2].scores.mean()) for agent in (TEXT, LEARNT[1]))
    assert f"Tr-DQN has {text} and COC with text {graph}, one seed of each." in verdict
    assert f"Tr-DQN has {text}, guessing {second}, COC with text {graph}." in told
    known = [fresh["gtf-sp", level] for level in LEVELS]
    assert known[0].successes.mean() == 100
    assert "wins all 1,000 of level 1." in verdict
    sentence = "has {} on level 1 (a seed that was chosen by the paper's test games), {} and {}."
    assert sentence.format(*(written(record.scores.mean()) for record in known)) in told


def test_wins_stand_beside_those_of_the_guesser(
    prose: str, fresh: dict[tuple[str, int], FreshRecord]
) -> None:
    wins = [sum(fresh[agent, 1].successes == 100) for agent in (TEXT, *LEARNT)]
    sentence = (
        "the guesser wins {:.0f} on average, the shipped seeds of Tr-DQN, OG and COC with text win"
        " {}, {} and {}."
    )
    assert sentence.format(_guessed(1)["won"], *wins) in " ".join(prose.split())


def test_agents_are_set_beside_guessing_game_by_game(
    fresh: dict[tuple[str, int], FreshRecord], results: Results
) -> None:
    told = " ".join(section("docs/results.md", "Fresh test games").split())

    def fewer(agent: str, level: int) -> str:
        file, record = _fresh_guessing(level), fresh[agent, level]
        assert record.games_sha256 == file["games_sha256"]
        points = np.array(file["guessed"]) - record.scores
        return f"{written(points.mean())} ± {written(error_of_mean(points))}"

    og, coc = LEARNT
    sentence = (
        "have {} (Tr-DQN), {} (OG) and {} points fewer (COC), those of level 2 {} (Tr-DQN) and {}"
        " (COC)."
    )
    places = ((TEXT, 1), (og, 1), (coc, 1), (TEXT, 2), (coc, 2))
    assert sentence.format(*(fewer(*place) for place in places)) in told
    seeds = [written(record.test_score) for record in results.cell(og, 1, SIZE).records]
    shipped = fresh[og, 1].settings.seed
    first, second = (score for seed, score in enumerate(seeds, 1) if seed != shipped)
    sentence = (
        "has {} on the paper's test games of level 1 with the seed that is shipped, {} and {}"
    )
    assert sentence.format(seeds[shipped - 1], first, second) in told
    ratios = [
        error_of_mean(few) / error_of_mean(record.scores)
        for (agent, level), record in fresh.items()
        for cell in [results.cell(agent, level, SIZE)]
        for few in [cell.test_scores[record.settings.seed - 1]]
        if few.std()
    ]
    assert [round(min(ratios)), round(max(ratios))] == [7, 9]
    assert "standard errors are seven to nine times smaller" in told


def test_seeds_differ_by_more_than_games(results: Results) -> None:
    told = " ".join(section("docs/results.md", "Fresh test games").split())
    names = [f"gtf-level2-100games-seed{seed}" for seed in (1, 2, 3)]
    files = {each.name: each for each in read_fresh_records(ROOT / "results" / "fresh")}
    records = [files[name] for name in names]
    fewer = Results.read(FEWER / "agents").cell("gtf", 2, SIZE).records
    assert [each.trained for each in records] == [each.date for each in fewer]
    scores = [record.scores.mean() for record in records]
    assert "the three of `gtf` have {}, {} and {}:".format(*map(written, scores)) in told
    assert np.std(scores) > 5 * max(error_of_mean(record.scores) for record in records)


def test_nobody_reads_in_fresh_games(prose: str) -> None:
    path = ROOT / "results" / "analysis" / "fresh_reading_level1.json"
    runs = json.loads(path.read_text(encoding="utf-8"))["agents"]
    assert {run["agent"].split("-level1")[0] for run in runs} == {
        f"agent/{agent}" for agent in (TEXT, *LEARNT)
    }
    assert [run["opens cookbook"] for run in runs] == [0, 0, 0]
    (games,) = {run["games"] for run in runs}
    told = f"None of the three opens the cookbook in any of the first {games} of them"
    assert told in " ".join(prose.split())


def test_the_page_of_fresh_games_has_what_guessing_brings() -> None:
    about = " ".join(section("docs/results.md", "Fresh test games").split())
    first, second = (written(_guessed(level)["score"]) for level in (1, 2))
    assert f"want it has {first} on the fresh games of level 1 and {second} on those" in about


def test_fewer_games_at_once_teach_as_well_as_is_told(results: Results) -> None:
    told = " ".join(section("docs/results.md", "Controls").split())
    usual = results.cell("gtf", 2, SIZE)
    fewer = Results.read(FEWER / "agents").cell("gtf", 2, SIZE)
    assert [len(cell.records) for cell in (fewer, usual)] == [3, 3]
    (_, every, trained), (_, before, was) = means(fewer), means(usual)
    assert f"has {every} on level 2 instead of {before} over three seeds" in told
    assert f"and {trained} instead of {was} in training" in told
    for cell in (fewer, usual):
        assert sorted(record.test_success == 100 for record in cell.records) == [False, True, True]


def test_updates_are_as_many_as_is_told(prose: str, results: Results) -> None:
    updates = [record.updates for record in results.records]
    told = f"{min(updates):,} to {max(updates):,}"
    assert f"where ours make {told};" in " ".join(prose.split())
    assert f"Ours made {told}." in section("docs/training.md", "Choices")


def test_the_caveat_of_intervals_is_that_of_the_report() -> None:
    told = section("docs/results.md", "How to read the tables")
    assert COVERAGE in " ".join(told.split())


def test_what_was_not_run_is_told(prose: str, results: Results) -> None:
    settings = [record.settings for record in results.records]
    assert {each.level for each in settings} == {*ALL_LEVELS}
    hardest = [(each.agent, each.seed) for each in settings if each.level == HARDEST]
    assert sorted(hardest) == [("gtf-sp", seed) for seed in (1, 2, 3)]
    assert {each.agent for each in settings if each.level == 3} == {TEXT, *LEARNT, "gtf", "gtf-sp"}
    mixed = [(each.agent, each.seed) for each in settings if each.level == MIXED]
    assert sorted(mixed) == [*(("gtf-sp", seed) for seed in (1, 2, 3)), (TEXT, 1)]
    few = [each for each in settings if each.games != str(SIZE)]
    assert [(each.agent, each.level, each.games) for each in few] == [("gtf", 1, "20")] * 3
    rows = {each.agent for each in settings}
    assert {(each.agent, each.level) for each in settings if each.agent in ALONE} == {
        (GRAPH_ALONE, 1)
    }
    missing = f"{len(TEST.keys() - rows)} of the {len(TEST)} rows in all"
    assert missing in " ".join(prose.split())


def test_the_cookbook_is_opened_as_seldom_as_is_told(
    prose: str, watched: dict[str, dict[str, int]]
) -> None:
    seen = [run for name, run in watched.items() if not name.startswith("gtf")]
    opened, games = (sum(run[key] for run in seen) for key in ("opens cookbook", "games"))
    assert f"open the cookbook in {opened} of {games} test games" in " ".join(prose.split())


def _games_by_level(cell: Cell) -> list[list[Episode]]:
    """The test games of levels 1 to 4 that the best seed of a cell of mixed levels played."""
    games = cell.best.test_games
    return [[game for game in games if game.game.startswith(f"level{n}/")] for n in range(1, 5)]


def _hardest(results: Results, agent: str) -> str:
    """Score of an agent of mixed levels on those of level 4."""
    games = _games_by_level(results.cell(agent, MIXED, SIZE))[3]
    return written(100 * float(np.mean([game.score / game.max_score for game in games])))


def _deepest_fall(record: Record) -> float:
    """How far a point after the first 20 is below the mean of the five before it, at most."""
    scores = np.array([p.train_score for p in record.curve if p.train_score is not None])
    return max(float(scores[i - 5 : i].mean() - scores[i]) for i in range(20, len(scores)))


def _quarters(cell: Cell) -> list[int]:
    """Training scores of the quarters of the training, means over points and seeds."""
    curves = np.array([[point.train_score for point in record.curve] for record in cell.records])
    return [round(part.mean()) for part in np.split(curves, 4, axis=1)]


def _reloads_of_the_authors(record: Record) -> int:
    """Of their published code: at the third evaluation in a row that is worse than the last."""
    count = worse = 0
    last = 0.0
    for score in (point.valid_score for point in record.curve):
        if score is None:
            continue
        worse = worse + 1 if score < last else 0
        if worse == 3:
            count, worse = count + 1, 0
        last = score
    return count


def _reloads_of_chance(share: float) -> float:
    """In 100 evaluations of 20 games that are won with this probability, on average."""
    runs, patience = 1000, LearningSettings().patience
    drawn = np.random.default_rng(1).binomial(20, share, (runs, 100))
    return float(np.mean([count_reloads(scores, patience) for scores in drawn]))


def _behind(results: Results, agent: str, level: int) -> float:
    """Points that the best seed of an agent has fewer than that of Tr-DQN."""
    ours, base = (results.cell(each, level, SIZE).best.test_score for each in (agent, TEXT))
    return base - ours


def _ahead_in_the_paper(agent: str) -> list[float]:
    """Points on the test games that the paper's agent has more than its text baseline, by level."""
    scores = (TEST[each].scores(SIZE) for each in (agent, TEXT))
    return [ours - text for ours, text in zip(*scores, strict=True)]


def _not_told_the_graph(level: int) -> list[float]:
    """The paper's test scores on a level."""
    rows = (row for agent, row in TEST.items() if not agent.startswith("gtf"))
    return [row.scores(SIZE)[level - 1] for row in rows]


def _told_the_graph(cells: list[tuple[Cell, float, float]]) -> list[Cell]:
    """GATA-GTF (SP), level by level."""
    return [
        cell
        for cell, *_ in cells
        if cell.best.settings.agent == "gtf-sp" and cell.best.settings.level in LEVELS
    ]


def _of_runs(cells: list[tuple[Cell, float, float]]) -> Iterator[str]:
    for cell, *_ in cells:
        yield from means(cell)
        yield from (written(record.test_score) for record in cell.records)
        yield from (written(record.valid_score) for record in cell.records)


def _of_the_paper() -> Iterator[str]:
    """Of the agents that are not told the graph, and of those of GATA-GTF that were run."""
    for table in TABLES:
        for agent, row in table.items():
            if agent in ("gtf", "gtf-sp") or not agent.startswith("gtf"):
                yield from (written(row.scores(SIZE)[level - 1]) for level in ALL_LEVELS)


def _fresh_guessing(level: int) -> Any:
    path = ROOT / "results" / "analysis" / f"fresh_guessing_level{level}.json"
    return json.loads(path.read_text(encoding="utf-8"))


def _guessed(level: int) -> dict[str, float]:
    """What guessing brings on a level's fresh games."""
    found: dict[str, float] = _fresh_guessing(level)["guessing"][f"level{level}/fresh"]
    return found


def _of_the_guesser() -> Iterator[str]:
    for level in (1, 2):
        path = ROOT / "results" / "analysis" / f"reading_level{level}.json"
        told = json.loads(path.read_text(encoding="utf-8"))["guessing"]
        yield from (f"{told[split]['score']:g}" for split in ("train", "test"))
