"""A brain at play: values of candidates, alone or among others."""

from pathlib import Path

import numpy as np
import pytest
import torch

from gata.agents.actor import Actor
from gata.agents.commands import START, CommandBook
from gata.agents.thinking import Thinking
from gata.engine import VectorEnv
from gata.language import vocabulary
from tests.agents.brains import small_brain

AGENTS = ("tr-dqn", "tr-drqn", "gata-coc", "gata-og-text", "gtp", "gtf-text", "gtf")


def follow(brain, games: str, batch: int, steps: int, rows: slice = slice(None), **how):
    """Play the first candidates; the values and beliefs of some rows at each step."""
    env = VectorEnv(games, batch, order="by-turns")
    book = CommandBook(vocabulary.default(), torch.device("cpu"))
    actor = Actor(Thinking(brain, book), book.enter(env.commands), batch, **how)
    outputs = env.reset()
    seen = []
    for _ in range(steps):
        situation = actor.observe(outputs)
        values = actor.values(situation)
        counts = situation.counts[rows]
        seen += [v[:n] for v, n in zip(values[rows], counts, strict=True)]
        seen += list(situation.beliefs[rows].float())
        choice = np.arange(batch) % situation.counts
        actor.did(situation.candidates[np.arange(batch), choice])
        outputs = env.step_candidates(choice)
    return seen


@pytest.mark.parametrize("name", AGENTS)
def test_values_of_a_game_do_not_depend_on_the_other_games(name: str, tmp_path: Path) -> None:
    """Nor on the shapes of the tensors, as narrow as can be or always the same."""
    brain = small_brain(name, tmp_path)
    together = follow(brain, "level1/valid", 5, 6, slice(0, 1))
    alone = follow(brain, "level1/valid", 1, 6, narrow=False)
    assert len(together) == len(alone) == 12
    for one, other in zip(together, alone, strict=True):
        torch.testing.assert_close(one, other, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("name", ["tr-drqn", "gata-coc-text"])
def test_a_new_episode_begins_with_an_empty_mind(name: str, tmp_path: Path) -> None:
    brain = small_brain(name, tmp_path)
    env = VectorEnv("level1/train/1", 1, step_limit=3)
    book = CommandBook(vocabulary.default(), torch.device("cpu"))
    actor = Actor(Thinking(brain, book), book.enter(env.commands), 1)
    outputs = env.reset()
    firsts = []
    for _ in range(9):
        begins = outputs.steps[0] == 0
        situation = actor.observe(outputs)
        values = actor.values(situation)
        assert (situation.previous[0] == START) == begins
        if begins:
            firsts.append(values)
        actor.did(situation.candidates[:, 0])
        outputs = env.step_candidates([0])
    assert len(firsts) == 3
    assert all(torch.equal(first, firsts[0]) for first in firsts)


def test_a_memory_makes_a_difference(tmp_path: Path) -> None:
    brain = small_brain("tr-drqn", tmp_path)
    env = VectorEnv("level1/train/1", 1)
    book = CommandBook(vocabulary.default(), torch.device("cpu"))
    actor = Actor(Thinking(brain, book), book.enter(env.commands), 1)
    situation = actor.observe(env.reset())
    first, second = actor.values(situation), actor.values(situation)
    assert not torch.allclose(first, second)
