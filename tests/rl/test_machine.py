"""What settings do to the parts of a training."""

import copy
from pathlib import Path

import numpy as np
import pytest
import torch

from gata.games import load_game
from gata.rl.machine import Machine, assemble
from gata.rl.settings import TrainSettings
from tests.agents.brains import small_brain
from tests.rl.kitchen import STATES
from tests.rl.tiny import GAME, learning


def make_machine(folder: Path, seed: int = 1, agent: str = "tr-dqn", **changes) -> Machine:
    settings = TrainSettings(agent=agent, seed=seed, learning=learning(**changes))
    return assemble(settings, small_brain(agent, folder), [load_game(GAME), *STATES])


def played(folder: Path, **changes) -> Machine:
    """With episodes to learn from."""
    machine = make_machine(folder, **changes)
    for _ in range(20):
        machine.rollout.step(1.0)
    assert machine.replay.size > 20
    return machine


def test_seeds_decide_which_games_are_played(tmp_path: Path) -> None:
    def order(seed: int) -> list[int]:
        env = make_machine(tmp_path, seed, parallel=20).rollout.env
        return env.outputs.game.tolist()

    assert order(1) == order(1)
    assert set(order(1)) == {0, 1, 2}
    assert len({tuple(order(seed)) for seed in range(4)}) == 4


@pytest.mark.parametrize("exponent", [0.0, 0.3, 1.0])
def test_errors_become_priorities_by_their_setting(exponent: float, tmp_path: Path) -> None:
    replay = played(tmp_path, priority=exponent).replay
    errors = torch.tensor([0.2, 1.0, 3.0])
    replay.learnt(torch.arange(3), errors)
    found = replay.tensors()["priorities"][:3].tolist()
    assert found == pytest.approx((errors**exponent).tolist(), rel=1e-4)


@pytest.mark.parametrize(("rate", "clip"), [(10.0, 0.01), (3.0, 0.02)])
def test_an_update_goes_as_far_as_rate_and_clip_allow(
    rate: float, clip: float, tmp_path: Path
) -> None:
    """Rectified Adam begins with plain steps down the gradient, and that one is too long."""
    learner = played(tmp_path, learning_rate=rate, clip=clip).learner
    before = copy.deepcopy(learner.online.state_dict())
    learner.learn(np.random.default_rng(1), 0.5)
    after = learner.online.state_dict()
    moved = torch.cat([(after[name] - value).flatten() for name, value in before.items()])
    assert float(moved.norm()) == pytest.approx(rate * clip, rel=1e-3)


@pytest.mark.parametrize("name", ["tr-drqn+", "gata-coc-text", "gtf"])
def test_a_restored_machine_has_everything_of_the_other(name: str, tmp_path: Path) -> None:
    one, two = (make_machine(tmp_path, agent=name) for _ in range(2))
    for _ in range(30):
        one.rollout.step(0.5)
    one.learner.learn(one.random, 0.5)
    expected = {key: tensor.clone() for key, tensor in one.tensors().items()}
    two.restore(expected, copy.deepcopy(one.state()), tmp_path / "checkpoint.safetensors")
    found = two.tensors()
    assert found.keys() == expected.keys()
    for key, tensor in expected.items():
        assert torch.equal(found[key], tensor), key
    assert two.state() == one.state()
    if name == "tr-drqn+":
        assert expected["rollout.mind.hidden"].any()
