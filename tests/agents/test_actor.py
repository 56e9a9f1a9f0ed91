"""A brain at play: values of candidates, alone or among others."""

from collections.abc import Mapping
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


EARLY_ENDS = {0: 2, 3: 2, 2: 4}
"""Of five rows: after how many steps nobody looks at them any more."""


def live_rows(batch: int, step: int, ends: Mapping[int, int]) -> np.ndarray:
    return np.array([row not in ends or step < ends[row] for row in range(batch)])


def follow(brain, games: str, batch: int, steps: int, rows=(0,), ends=None, **how):
    """Play some candidates; the values and beliefs of some rows at each step."""
    env = VectorEnv(games, batch, order="by-turns")
    book = CommandBook(vocabulary.default(), torch.device("cpu"))
    actor = Actor(Thinking(brain, book), book.enter(env.commands), batch, **how)
    outputs = env.reset()
    seen = []
    for step in range(steps):
        actor.follow(live_rows(batch, step, ends or {}))
        situation = actor.observe(outputs)
        values = actor.values(situation)
        for place in np.flatnonzero(np.isin(actor.rows, rows)):
            seen += [values[place, : situation.counts[place]], situation.beliefs[place].float()]
        choice = np.arange(batch) % outputs.candidate_count
        actor.did(situation.candidates[np.arange(len(actor.rows)), choice[actor.rows]])
        outputs = env.step_candidates(choice)
    return seen


@pytest.mark.parametrize("name", AGENTS)
def test_values_of_a_game_do_not_depend_on_the_other_games(name: str, tmp_path: Path) -> None:
    """Nor on the shapes of the tensors, as narrow as can be or always the same."""
    brain = small_brain(name, tmp_path)
    together = follow(brain, "level1/valid", 5, 6)
    alone = follow(brain, "level1/valid", 1, 6, narrow=False)
    assert len(together) == len(alone) == 12
    for one, other in zip(together, alone, strict=True):
        torch.testing.assert_close(one, other, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("name", AGENTS)
def test_rows_that_are_left_alone_change_nothing_in_the_others(name: str, tmp_path: Path) -> None:
    brain = small_brain(name, tmp_path)
    all_along = follow(brain, "level1/valid", 5, 6, (1, 4))
    fewer = follow(brain, "level1/valid", 5, 6, (1, 4), EARLY_ENDS)
    assert len(all_along) == len(fewer) == 24
    for one, other in zip(all_along, fewer, strict=True):
        torch.testing.assert_close(one, other, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("narrow", [True, False])
def test_only_live_rows_are_calculated_unless_shapes_have_to_repeat(
    narrow: bool, tmp_path: Path
) -> None:
    brain = small_brain("tr-drqn", tmp_path)
    env = VectorEnv("level1/valid", 5, order="by-turns")
    book = CommandBook(vocabulary.default(), torch.device("cpu"))
    actor = Actor(Thinking(brain, book), book.enter(env.commands), 5, narrow)
    outputs = env.reset()
    followed = []
    for step in range(6):
        actor.follow(live_rows(5, step, EARLY_ENDS))
        situation = actor.observe(outputs)
        assert len(actor.values(situation)) == len(situation.beliefs) == len(actor.rows)
        followed.append(actor.rows.tolist())
        actor.did(situation.candidates[:, 0])
        outputs = env.step_candidates(np.zeros(5, int))
    everyone = [0, 1, 2, 3, 4]
    fewer = [[1, 2, 4], [1, 2, 4], [1, 4], [1, 4]]
    assert followed == [everyone, everyone, *(fewer if narrow else [everyone] * 4)]


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
