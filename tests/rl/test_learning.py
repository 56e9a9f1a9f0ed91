"""Every kind of agent learns to win a game; those with a memory, what only a memory can."""

from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
import torch

from gata.agents.baselines import RandomAgent
from gata.agents.commands import CommandBook
from gata.agents.playing import play, summarise
from gata.agents.presets import PRESETS, Preset, find
from gata.engine.text_env import TextEnv
from gata.language import vocabulary
from gata.language.tokenizer import tokenize
from gata.rl.learner import Learner
from gata.rl.machine import make_lookup
from gata.rl.opening import Job
from gata.rl.replay import Replay
from gata.rl.settings import LearningSettings, TrainSettings
from gata.rl.steps import Steps
from gata.rl.targets import GOES_ON, TERMINAL
from gata.rl.texts import TextBook
from tests.agents.brains import small_brain, small_preset
from tests.belief.networks import settings as network_settings
from tests.rl.kitchen import STATES
from tests.rl.tiny import game_sets, learning, run_tiny

LEARNING = {
    "episodes": 120,
    "step_limit": 15,
    "update_every": 8,
    "batch": 16,
    "learning_rate": 3e-3,
    # A meal that waits loses much of its worth: there is little to confuse.
    "discount": 0.6,
    "epsilon_episodes": 100,
    "epsilon_end": 0.2,
    "evaluate_every": 10,
    "replay": 5_000,
}
"""Enough for small networks and a small game."""

READING = LEARNING | {
    "episodes": 300,
    "step_limit": 4,
    "update_every": 2,
    "epsilon_episodes": 150,
    "evaluate_every": 25,
    "push_tolerance": 0.0,
}
"""For games in which what was read decides."""

AGENTS = (
    "tr-dqn",
    "tr-drqn",
    "tr-drqn+",
    "gata-og",
    "gata-og-text",
    "gata-coc",
    "gata-coc-text",
    "gtp",
    "gtp-text",
    "gtf",
    "gtf-text-dgi",
)
"""One of each kind, of eleven kinds: see ``kind``.

Their updaters are untrained too: OG's and COC's have the same weights, GTP's writes no command. And
the values of commands alone, whatever the state, can win this game. So this proves that each kind
plays and learns from its own replay, not that a belief is of use. That what is seen decides is
proven below, of Tr-DQN, on games made by hand.
"""


def kind(preset: Preset) -> tuple[object, ...]:
    """What makes an agent another one: what it looks at, where its graph comes from, its memory.

    All but the first weights of its graph encoder: wherever they come from (OG, COC, AP, SP, DGI),
    the same two parts are loaded in the same way. Frozen encoders are not taught here. The small
    ones of these tests are untrained, and with them a win is a matter of the seed; what an update
    changes in such an agent, and what not, is in ``test_learner``.
    """
    apart = {"name", "about", "encoder", "frozen"}
    return tuple(value for name, value in asdict(preset).items() if name not in apart)


def test_every_preset_is_of_a_kind_that_is_taught_here() -> None:
    kinds = {kind(find(name)) for name in AGENTS}
    assert len(kinds) == len(AGENTS)
    assert [name for name, preset in PRESETS.items() if kind(preset) not in kinds] == []
    # And an encoder that was loaded is trained further, beside random ones.
    assert {find(name).encoder is not None for name in AGENTS} == {False, True}


@pytest.mark.parametrize("name", AGENTS)
def test_every_agent_learns_to_win(name: str, tmp_path: Path) -> None:
    results = run_tiny(name, tmp_path, **LEARNING)
    assert results["test"]["success"] == 100
    # Four commands are needed, and few of the candidates lead on.
    assert results["test"]["steps"] <= 8


def test_a_random_agent_does_not_win() -> None:
    games = game_sets()["train"] * 50
    assert summarise(play(RandomAgent(1), games, step_limit=8)).success < 5


def test_what_wins_one_hand_made_game_loses_the_other() -> None:
    """So no order of commands, whatever is seen, wins both."""
    for game, other in (STATES, STATES[::-1]):
        env = TextEnv(game)
        env.reset()
        cut, *rest = game.walkthrough
        assert cut in TextEnv(other).reset()[1]["admissible_commands"]
        for command in (cut, *rest):
            _, _, done, infos = env.step(command)
        assert (done, infos["won"]) == (True, True)
        spoilt = TextEnv(other)
        spoilt.reset()
        _, _, done, infos = spoilt.step(cut)
        assert (done, infos["lost"]) == (True, True)


def test_an_agent_learns_to_do_what_it_reads(tmp_path: Path) -> None:
    sets = {split: list(STATES) for split in ("train", "valid", "test")}
    results = Job(
        TrainSettings(agent="tr-dqn", seed=2, learning=learning(**READING)),
        tmp_path / "run",
        small_preset("tr-dqn", tmp_path),
        network_settings(hidden=16),
        sets,
    ).train(torch.device("cpu"))
    assert results["test"]["success"] == 100


HINTS = ("the fridge is full of food .", "nothing")
NEUTRAL = ("you wait .", "nothing happens .", "the door is closed .")
COMMANDS = ("open fridge", "inventory")
TRY, LEAVE = 0, 1


class Remembered:
    """Episodes that begin with a hint, go on for a while, and end by a choice it decides."""

    def __init__(self, name: str, folder: Path) -> None:
        device, words = torch.device("cpu"), vocabulary.default()
        self.brain = small_brain(name, folder)
        self.book = CommandBook(words, device)
        self.texts = TextBook(device)
        self.commands = self.book.enter(COMMANDS)
        self.replay = Replay(500, self.brain.state_shape, self.brain.state_dtype, device)
        rows = [words.encode(tokenize(text)) for text in HINTS + NEUTRAL]
        padded = np.zeros((len(rows), 8), np.int32)
        for row, ids in zip(padded, rows, strict=True):
            row[: len(ids)] = ids
        self.numbers = self.texts.enter(padded, np.array(list(map(len, rows))))
        settings = LearningSettings(batch=16, learning_rate=5e-3)
        lookup = make_lookup(self.brain.preset, self.replay, self.texts, self.book)
        self.learner = Learner(self.brain, settings, self.replay, lookup)

    def push(self, hint: int, waits: int, choice: int) -> None:
        """An episode of 1 + ``waits`` steps; only the last choice counts."""
        count = 1 + waits
        texts = [hint, *(len(HINTS) + k for k in range(waits))]
        rewards = np.zeros(count)
        rewards[-1] = float(hint == 0) if choice == TRY else 0.5
        self.replay.pushed += 1
        self.replay.push(
            Steps(
                texts=torch.tensor(self.numbers[texts], dtype=torch.int32),
                previous=torch.zeros(count, dtype=torch.int16),
                candidates=torch.tensor(np.tile(self.commands, (count, 1)), dtype=torch.int16),
                counts=torch.full((count,), 2, dtype=torch.int16),
                choices=torch.tensor([0] * waits + [choice], dtype=torch.int16),
                rewards=torch.tensor(rewards, dtype=torch.float32),
                novel=torch.zeros(count, dtype=torch.bool),
                ends=torch.tensor([GOES_ON] * waits + [TERMINAL], dtype=torch.int8),
                episodes=torch.full((count,), self.replay.pushed, dtype=torch.int32),
                beliefs=self.brain.initial(count),
            ),
            rewards,
            np.ones(count, np.bool_),
        )

    def learn(self, updates: int) -> float:
        """How wrong the values of what is tried in the end are, on average."""
        random = np.random.default_rng(1)
        for number in range(updates):
            self.learner.learn(random, 1.0)
            if number % 10 == 0:
                self.learner.copy_to_target()
        kept = self.replay.tensors()
        tried = (kept["ends"] == TERMINAL) & (kept["choices"] == TRY)
        return float((kept["priorities"] ** (1 / self.replay.priorities.exponent))[tried].mean())


def taught(name: str, folder: Path) -> float:
    task = Remembered(name, folder)
    for hint in (0, 1):
        for waits in (1, 2, 3):
            for choice in (0, 1):
                task.push(hint, waits, choice)
    return task.learn(250)


def test_a_memory_learns_what_only_a_memory_can(tmp_path: Path) -> None:
    # Without the hint a try is worth a half, which is always wrong by a half.
    assert taught("tr-dqn", tmp_path) > 0.4
    # The episodes are shorter than a window of eight, and are learnt from nevertheless.
    assert taught("tr-drqn", tmp_path) < 0.25
