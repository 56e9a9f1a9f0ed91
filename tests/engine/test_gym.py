import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from gata.engine.gym import GataEnv, GataVectorEnv, environment_id
from gata.errors import UsageError
from gata.games.catalogue import SPLITS
from tests.engine.games import some_pack


def test_every_level_and_split_is_registered() -> None:
    for level in range(1, 6):
        for split in SPLITS:
            assert environment_id(level, split) in gymnasium.registry


def test_gymnasiums_own_checker_is_content() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make("gata/Level1-test-v0", render_mode="ansi").unwrapped)


def test_the_single_environment_plays_a_game_to_its_end() -> None:
    env = GataEnv(some_pack(), render_mode="ansi", step_limit=10)
    observation, info = env.reset(seed=1)
    assert "-=" in (env.render() or "")
    for _ in range(10):
        action = np.flatnonzero(info["action_mask"])[0]
        observation, _, terminated, truncated, info = env.step(action)
        assert env.observation_space.contains(observation)
        if terminated:
            break
    assert terminated or truncated
    with pytest.raises(UsageError, match="reset"):
        env.step(np.int64(0))


def test_the_vector_environment_fits_its_spaces() -> None:
    env = GataVectorEnv(some_pack(), num_envs=4, step_limit=8)
    env.action_space.seed(0)
    observations, _ = env.reset(seed=3)
    ends = 0
    for _ in range(40):
        assert env.observation_space.contains(observations)
        observations, rewards, terminated, truncated, _ = env.step(env.action_space.sample())
        assert rewards.shape == (4,)
        ends += int((terminated | truncated).sum())
    assert ends >= 4


def test_making_by_name_gives_the_vector_environment() -> None:
    env = gymnasium.make_vec(
        "gata/Level1-valid-v0", num_envs=2, vectorization_mode="vector_entry_point"
    )
    assert isinstance(env.unwrapped, GataVectorEnv)
    _, info = env.reset(seed=[1, 2], options={"games": [0, 1]})
    assert info["game"].tolist() == [0, 1]
