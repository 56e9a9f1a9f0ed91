"""Every kind of agent learns to win games; those with a memory, what only a memory can.

The games are made by hand (``kitchen``), in twos: what wins one of them loses the other, and
``test_kitchen`` proves that a player who does not look, or not remember, wins one at most. Agents
learn on the games they are tested on: this is about learning, not about games that are new.
"""

from dataclasses import asdict, replace
from pathlib import Path

import pytest
import torch

from gata.agents.actor import Actor
from gata.agents.baselines import RandomAgent
from gata.agents.commands import CommandBook
from gata.agents.making import make_brain
from gata.agents.playing import play, summarise
from gata.agents.presets import PRESETS, Preset, find
from gata.agents.thinking import Thinking
from gata.engine import VectorEnv
from gata.language import vocabulary
from gata.training.run import METRICS_FILE, read_metrics
from tests.agents.brains import small_preset
from tests.belief.networks import settings as network_settings
from tests.rl.kitchen import FORGOTTEN, STATES, STEP_LIMIT
from tests.rl.tiny import run_tiny

LEARNING = {
    "episodes": 240,
    "step_limit": STEP_LIMIT,
    "update_every": 2,
    "batch": 16,
    "learning_rate": 1e-2,
    # A meal that waits loses much of its worth: there is little to confuse.
    "discount": 0.6,
    "epsilon_episodes": 150,
    "epsilon_end": 0.3,
    "evaluate_every": 20,
    "replay": 5_000,
    # Who forgets every game that was lost cannot learn what loses.
    "push_tolerance": 0.0,
}
"""Enough for small selectors and small games."""

REMEMBERING = LEARNING | {"episodes": 300, "batch": 32, "epsilon_end": 0.2}
"""For games that need a memory."""

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
"""One of each kind, of eleven kinds: see ``kind``."""

BELIEVERS = tuple(name for name in AGENTS if find(name).belief != "none")


def kind(preset: Preset) -> tuple[object, ...]:
    """What makes an agent another one: what it looks at, where its graph comes from, its memory.

    All but the first weights of its graph encoder: wherever they come from (OG, COC, AP, SP, DGI),
    the same two parts are loaded in the same way. Frozen encoders are not taught here. The small
    ones of these tests are untrained, and with them a win is a matter of the seed; what an update
    changes in such an agent, and what not, is in ``test_learner``.
    """
    apart = {"name", "about", "encoder", "frozen"}
    return tuple(value for name, value in asdict(preset).items() if name not in apart)


def with_shipped_updater(name: str, folder: Path) -> Preset:
    """The agent with a small selector, whose first weights are random, and its true updater.

    An untrained updater believes nearly the same of every text.
    """
    return replace(small_preset(name, folder), updater=find(name).updater)


def evaluations_won(folder: Path) -> int:
    """In how many evaluations all games were won: once may be luck."""
    lines = read_metrics(folder / "run" / METRICS_FILE)
    return sum(line["success"] == 100 for line in lines if line["kind"] == "valid")


def test_every_preset_is_of_a_kind_that_is_taught_here() -> None:
    kinds = {kind(find(name)) for name in AGENTS}
    assert len(kinds) == len(AGENTS)
    assert [name for name, preset in PRESETS.items() if kind(preset) not in kinds] == []
    # And an encoder that was loaded is trained further, beside random ones.
    assert {find(name).encoder is not None for name in AGENTS} == {False, True}


@pytest.mark.parametrize("name", AGENTS)
def test_every_agent_learns_to_win(name: str, tmp_path: Path) -> None:
    """Both games: what it reads, or believes, decides what it does.

    Who has a graph alone reads nothing, so that its belief is of use; with text and graph either
    will do.
    """
    # The edges of GTP are learnt from soon, and its commands take long to write.
    shorter = {"episodes": 160} if find(name).belief == "discrete" else {}
    preset = with_shipped_updater(name, tmp_path)
    results = run_tiny(name, tmp_path, preset=preset, games=STATES, **LEARNING | shorter)
    assert results["test"]["success"] == 100
    assert evaluations_won(tmp_path) > 1


def test_a_random_agent_does_not_win() -> None:
    assert summarise(play(RandomAgent(1), STATES * 50, step_limit=STEP_LIMIT)).success < 5


@pytest.mark.parametrize("name", BELIEVERS)
def test_beliefs_tell_the_games_apart(name: str, tmp_path: Path) -> None:
    preset = with_shipped_updater(name, tmp_path)
    network = None if preset.encoder else network_settings()
    brain = make_brain(preset, seed=1, device=torch.device("cpu"), network=network)
    env = VectorEnv(STATES, len(STATES), step_limit=STEP_LIMIT, order="by-turns")
    book = CommandBook(vocabulary.default(), brain.device)
    actor = Actor(Thinking(brain, book), book.enter(env.commands), env.batch)
    one, other = actor.observe(env.reset()).beliefs
    assert not torch.equal(one, other)
    if preset.belief in ("discrete", "given"):
        # Edges, not the padding behind them.
        assert (one >= 0).any()
        assert (other >= 0).any()


@pytest.mark.parametrize("name", ["tr-drqn", "tr-drqn+"])
def test_a_memory_learns_what_only_a_memory_can(name: str, tmp_path: Path) -> None:
    # The episodes are shorter than a window of eight, and are learnt from nevertheless.
    results = run_tiny(name, tmp_path, games=FORGOTTEN, **REMEMBERING)
    assert results["test"]["success"] == 100
    assert evaluations_won(tmp_path) > 1


def test_without_a_memory_one_game_of_two_is_won(tmp_path: Path) -> None:
    results = run_tiny("tr-dqn", tmp_path, games=FORGOTTEN, **REMEMBERING)
    assert results["test"]["success"] == 50
