"""The main job in minutes: train, evaluate on unseen games, play one, report."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from gata import console
from gata.agents import Agent, RandomAgent, WalkthroughAgent
from gata.agents.greedy import GreedyAgent
from gata.agents.playing import Episode, Summary, play, summarise
from gata.agents.presets import Preset
from gata.agents.stored import load_agent
from gata.agents.transcript import Moment, watch
from gata.engine.text_env import TextEnv
from gata.evaluation.curves import read_curves
from gata.evaluation.report import Report
from gata.evaluation.standing import Standing, lead
from gata.files import atomic_write
from gata.games.game import Game
from gata.games.store import load_level
from gata.graph.extract import full_graph
from gata.graph.triples import Triple
from gata.models import shipped
from gata.models.weights import read_model
from gata.rl.opening import Job
from gata.rl.settings import LearningSettings, TrainSettings

LEVEL = 1
AGENT = "gata-coc-text"
RANDOM_SEEDS = 5
SHOWN_EDGES = 6
REPORT_FILE = "report.html"
RUN_FOLDER = "training"
TRAINED, RANDOM, WALKTHROUGH = "GATA, just trained", "random", "walkthrough"

LEARNING = LearningSettings(
    episodes=500,
    parallel=20,
    learn_after=0,
    update_every=8,
    batch=16,
    learning_rate=2e-3,
    discount=0.6,
    epsilon_episodes=100,
    epsilon_end=0.3,
    replay=30_000,
    correction=0.0,
    correction_end=0.0,
    scout_episodes=20_000,
    scout_keep=100,
    target_every=15,
    report_every=20,
    evaluate_every=50,
    patience=100,
)
"""Settings for minutes instead of hours; docs/training.md says why they are not the paper's."""
DURATION = "4 to 8 minutes on two cores"
"""With these settings; results/quickstart/ has what was measured."""


@dataclass(frozen=True)
class Findings:
    """What came of it."""

    scores: dict[str, Standing]
    """On the unseen test and validation games, by agent."""
    training: dict[str, Any]
    """The results of the run."""
    shipped_agent: str | None
    """The fully trained agent it was compared with."""
    game: Game
    """The unseen game that was played,"""
    moments: list[Moment]
    """and how."""
    report: Path
    """The file."""

    @property
    def run(self) -> Path:
        """The folder of the training."""
        return self.report.parent / RUN_FOLDER


def quickstart(
    folder: Path,
    learning: LearningSettings = LEARNING,
    preset: Preset | None = None,
    *,
    seed: int = 1,
) -> Findings:
    """Train an agent, or go on, in a folder; compare it with others; write the report there.

    Args:
        folder: gets the run and the report.
        learning: how.
        preset: the agent, if not the usual one.
        seed: of the training.
    """
    settings = TrainSettings(agent=AGENT, level=LEVEL, games="20", seed=seed, learning=learning)
    run = folder / RUN_FOLDER
    results = Job(settings, run, preset).train(torch.device("cpu"))
    test, valid = (list(load_level(LEVEL, split)) for split in ("test", "valid"))
    brain = load_agent(run, "cpu").brain
    trained_long = fully_trained()
    players: dict[str, list[Agent]] = {
        RANDOM: [RandomAgent(chance) for chance in range(RANDOM_SEEDS)],
        TRAINED: [GreedyAgent(brain)],
    }
    if trained_long is not None:
        players[trained_long] = [GreedyAgent(load_agent(trained_long, "cpu").brain)]
    players[WALKTHROUGH] = [WalkthroughAgent()]
    limit = learning.step_limit
    # The training knows it: these games told it which weights to keep.
    scores_valid = {TRAINED: Summary(**results["valid"])}
    played = {}
    for name, agents in console.track(players.items(), "comparing", len(players)):
        played[name] = _play_all(agents, test, limit)
        if name not in scores_valid:
            scores_valid[name] = summarise(_play_all(agents, valid, limit))
    game = test[worth_showing(played[TRAINED])]
    moments = list(watch(brain, game, step_limit=limit, edges=SHOWN_EDGES))
    findings = Findings(
        {name: Standing.of(each, scores_valid[name]) for name, each in played.items()},
        results,
        trained_long,
        game,
        moments,
        folder / REPORT_FILE,
    )
    with atomic_write(findings.report) as stream:
        stream.write(_report(findings, learning, run).to_html().encode())
    return findings


def _play_all(agents: Sequence[Agent], games: Sequence[Game], limit: int) -> list[Episode]:
    return [each for agent in agents for each in play(agent, games, step_limit=limit)]


def fully_trained() -> str | None:
    """The shipped agent of this kind and level that did best on the validation games."""
    found = {}
    for name in shipped.agents():
        stored = read_model(shipped.find(name))
        settings = stored.card.get("settings", {})
        if stored.header["agent"]["name"] == AGENT and settings.get("level") == LEVEL:
            found[name] = stored.card.get("valid", {}).get("score", 0.0)
    return max(found, key=found.__getitem__, default=None)


def worth_showing(episodes: Sequence[Episode]) -> int:
    """The place of the game that went best, in the fewest steps; the first of equals."""
    order = [(-episode.normalised_score, episode.steps) for episode in episodes]
    return order.index(min(order))


def notes(findings: Findings) -> list[str]:
    """What to know about the scores, a paragraph each."""
    scores, rival = findings.scores, findings.shipped_agent
    trained = scores[TRAINED]
    games = len(trained.test_scores)
    learnt = [TRAINED, *([rival] if rival else [])]
    errors = ", ".join(f"{scores[name].standard_error:.1f} ({name})" for name in learnt)
    found = [
        f"Means over the {games} test games; the random agent played each {RANDOM_SEEDS} times. The"
        f" game that is shown is the one that went best; the agent won {trained.test.success:.0f} %"
        " of them.",
        f"validation %: the score on the {trained.valid.games} validation games. Of a trained agent"
        " it is optimistic: its weights are those that did best on these games.",
        f"{games} games are few; standard errors of the test scores, in points: {errors}.",
    ]
    if rival is None:
        found.append("No fully trained agent of this kind is shipped with this version.")
    elif (ahead := lead(trained, scores[rival])).points > 0:
        # Minutes of training shall not look better than hours of it without a word.
        how = "can" if ahead.may_be_chance else "will rarely"
        found.append(
            f"The agent that was just trained is {ahead.points:.1f} points above the fully trained"
            f" one on the test games; the standard error of that is {ahead.standard_error:.1f}, so"
            f" chance alone {how} do it. On the validation games they have"
            f" {trained.valid.score:.1f} and {scores[rival].valid.score:.1f}."
        )
    return found


def _report(findings: Findings, learning: LearningSettings, run: Path) -> Report:
    curves = read_curves(run)
    training = findings.training
    named = {"train": "training games, exploring", "valid": "validation games, greedy"}
    marks = [RANDOM, *([findings.shipped_agent] if findings.shipped_agent else [])]
    return Report(
        title="GATA on level 1: a quick start",
        summary=(
            f"An agent that reads text and its own belief graph was trained on 20 level-1 games: it"
            f" began with the best of {learning.scout_episodes:,} random episodes, then played"
            f" {training['episodes']} of its own and learnt from both ({training['updates']}"
            f" updates, {training['training_seconds']:.0f} seconds on {training['hardware']})."
        ),
        notes=notes(findings),
        scores=findings.scores,
        curves={named[kind]: curve for kind, curve in curves.items() if kind in named},
        marks={name: findings.scores[name].valid.score for name in marks},
        game=findings.game,
        moments=findings.moments,
        truth=_truth(findings.game, findings.moments),
    )


def _truth(game: Game, moments: Sequence[Moment]) -> frozenset[Triple]:
    """The game's own graph after the commands that were given."""
    env = TextEnv(game)
    env.reset()
    for moment in moments[:-1]:
        env.step(moment.values[0][0])
    return full_graph(env.facts, game.names)
