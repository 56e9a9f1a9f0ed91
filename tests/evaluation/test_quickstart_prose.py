"""What the training page says of the quick start agrees with its raw files.

They are older than validation scores of the agents that are not trained there, and than standard
errors: the former are measured anew, the latter computed from the games.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest

from gata.agents import Agent, RandomAgent
from gata.agents.greedy import GreedyAgent
from gata.agents.playing import Episode, Summary, play, summarise
from gata.agents.stored import Stored, load_agent
from gata.evaluation import quickstart
from gata.evaluation.standing import Standing, lead
from gata.games import load_level
from gata.training.run import read_metrics
from tests.prose import ROOT, section, written

FOLDER = ROOT / "results" / "quickstart"
SEEDS = (1, 2, 3)


@pytest.fixture(scope="module")
def told() -> str:
    """The section, each line of its tables and each paragraph in one line."""
    typed = section("docs/training.md", "The quick start")
    return "\n".join(" ".join(part.split()) for part in typed.replace("|\n", "|\n\n").split("\n\n"))


@pytest.fixture(scope="module")
def files() -> dict[int, dict[str, Any]]:
    """What the quick start printed, by seed."""
    return {seed: json.loads((FOLDER / f"seed{seed}.json").read_text("utf-8")) for seed in SEEDS}


@pytest.fixture(scope="module")
def trained(files: dict[int, dict[str, Any]]) -> dict[int, Standing]:
    """How its agents did, game by game."""
    found = {}
    for seed, printed in files.items():
        training = printed["training"]
        test, valid = (
            [Episode(**game) for game in training[f"{split}_games"]] for split in ("test", "valid")
        )
        found[seed] = Standing.of(test, summarise(valid))
    return found


def measured(agents: Sequence[Agent]) -> Standing:
    """In the order of the quick start: what a random agent draws depends on it."""
    test, valid = (
        [episode for agent in agents for episode in play(agent, load_level(1, split))]
        for split in ("test", "valid")
    )
    return Standing.of(test, summarise(valid))


@pytest.fixture(scope="module")
def by_chance() -> Standing:
    return measured([RandomAgent(chance) for chance in range(quickstart.RANDOM_SEEDS)])


@pytest.fixture(scope="module")
def stored() -> Stored:
    name = quickstart.fully_trained()
    assert name is not None
    return load_agent(name, "cpu")


@pytest.fixture(scope="module")
def shipped(stored: Stored) -> Standing:
    return measured([GreedyAgent(stored.brain)])


def test_raw_files_agree_with_their_games_and_with_what_is_measured_now(
    files: dict[int, dict[str, Any]],
    trained: dict[int, Standing],
    by_chance: Standing,
    shipped: Standing,
) -> None:
    rival = quickstart.fully_trained()
    for seed, printed in files.items():
        scores, training = printed["scores"], printed["training"]
        assert Summary(**training["test"]) == trained[seed].test
        assert Summary(**training["valid"]) == trained[seed].valid
        known = {
            quickstart.TRAINED: trained[seed].test,
            quickstart.RANDOM: by_chance.test,
            rival: shipped.test,
        }
        assert {name: Summary(**scores[name]) for name in known} == known
        # The weights that are kept are those of the best evaluation.
        assert max(valid_scores(seed)) == trained[seed].valid.score


def valid_scores(seed: int) -> list[float]:
    """Of a training's evaluations, in their order."""
    lines = read_metrics(FOLDER / f"seed{seed}_metrics.jsonl")
    return [line["score"] for line in lines if line["kind"] == "valid"]


def test_the_table_has_the_scores(
    told: str, trained: dict[int, Standing], by_chance: Standing, shipped: Standing
) -> None:
    rows = {
        **{str(seed): standing for seed, standing in trained.items()},
        "random agent": by_chance,
        "shipped agent": shipped,
    }
    lines = [
        f"| {name} | {written(each.test.score)} | {written(each.valid.score)} |"
        for name, each in rows.items()
    ]
    head = ["| seed | test games | validation games |", "|---|---|---|"]
    assert "\n".join([*head, *lines, ""]) in told


def test_standard_errors_and_the_lead_are_those_of_the_games(
    told: str,
    trained: dict[int, Standing],
    by_chance: Standing,
    stored: Stored,
    shipped: Standing,
) -> None:
    errors = [each.standard_error for each in (*trained.values(), shipped)]
    sentence = (
        "standard errors of the trained agents' test scores are {} to {} points, that of the random"
        " agent's is {}."
    )
    figures = map(written, (min(errors), max(errors), by_chance.standard_error))
    assert sentence.format(*figures) in told

    ahead = lead(trained[1], shipped)
    assert stored.card["settings"]["learning"]["episodes"] == 100_000
    sentence = (
        "Seed 1 is {} points above the shipped agent, which played 100,000 episodes, but the"
        " standard error of that is {}, and the validation games say the opposite."
    )
    assert sentence.format(written(ahead.points), written(ahead.standard_error)) in told
    assert ahead.may_be_chance
    assert trained[1].valid.score < shipped.valid.score


def test_what_is_told_of_the_way_there(told: str, files: dict[int, dict[str, Any]]) -> None:
    scouted = [read_metrics(FOLDER / f"seed{seed}_metrics.jsonl")[0] for seed in SEEDS]
    complete = [round(line["episodes"] * line["complete"] / 100) for line in scouted]
    sentence = "of 20,000 random episodes {} to {} get all points"
    assert sentence.format(min(complete), max(complete)) in told

    paths = [FOLDER / "earlier" / f"seed{seed}.json" for seed in SEEDS]
    earlier = [json.loads(path.read_text("utf-8"))["training"] for path in paths]
    scores = [written(training["test"]["score"]) for training in earlier]
    sentence = "Without scouting seeds scored {}, {} and {} on the test games in more episodes."
    assert sentence.format(*scores) in told
    most = max(printed["training"]["episodes"] for printed in files.values())
    assert all(training["episodes"] > most for training in earlier)

    (duration,) = re.findall(r"`make quickstart` took (.*?) on two cores", told)
    assert f": {duration}, installation and compiling included" in (FOLDER / "README.md").read_text(
        "utf-8"
    )

    *before, last = valid_scores(1)
    sentence = "seed 1 had {} at best on the validation games until its last evaluation."
    assert sentence.format(written(max(before))) in told
    assert last > max(before)


def test_another_rounding_is_another_agent_as_is_told(
    told: str, files: dict[int, dict[str, Any]]
) -> None:
    later = json.loads((FOLDER / "seed1_later.json").read_text("utf-8"))
    scores = later["scores"]["GATA, just trained"]
    test, valid = written(scores["score"]), written(scores["valid"]["score"])
    assert f"seed 1 has {test} on the test games and {valid} on the validation games" in told
    assert scores["score"] != files[1]["scores"]["GATA, just trained"]["score"]
