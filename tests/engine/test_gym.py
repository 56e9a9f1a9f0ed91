import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from gata.engine.gym import GataEnv, GataVectorEnv, environment_id
from gata.errors import UsageError
from gata.games.catalogue import SPLITS
from gata.games.store import load_set
from tests.engine.games import some_pack


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("level", range(1, 6))
def test_every_level_and_split_is_registered(level: int, split: str) -> None:
    """And Gymnasium's own checker is content; a few of the games show it as well as all."""
    name = environment_id(level, split)
    games = f"level{level}/{split}"
    assert gymnasium.spec(name).kwargs == {"games": games}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(name, games=load_set(games)[:2], render_mode="ansi")
        check_env(env.unwrapped)


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


def games_of(env: GataVectorEnv, **options: Any) -> list[int]:
    games: list[int] = env.reset(**options)[1]["game"].tolist()
    return games


def vector_env() -> GataVectorEnv:
    return GataVectorEnv(some_pack(), num_envs=12)


def test_seeds_decide_the_games_and_none_is_no_seed() -> None:
    assert games_of(vector_env(), seed=3) == games_of(vector_env(), seed=np.int64(3))
    # Unseeded rows play games by chance, each row its own.
    none = [None] * 12
    unseeded = [games_of(vector_env(), seed=seed) for seed in (None, none, None, none)]
    assert len(set(map(tuple, unseeded))) == 4
    assert all(len(set(games)) > 1 for games in unseeded)
    # A later None goes on where the seed before it was.
    one, other = vector_env(), vector_env()
    one.reset(seed=5)
    other.reset(seed=5)
    assert games_of(one) == games_of(other, seed=[None] * 12)


def test_a_mask_resets_and_seeds_its_rows_only() -> None:
    env = GataVectorEnv(some_pack(), num_envs=3)
    env.reset(seed=1, options={"games": [0, 1, 2]})
    env.step([0, 0, 0])
    mask = np.array([False, True, False])
    _, info = env.reset(seed=8, options={"reset_mask": mask, "games": 7})
    assert info["game"].tolist() == [0, 7, 2]
    assert env.engine.outputs.steps.tolist() == [1, 0, 1]
    twin = GataVectorEnv(some_pack(), num_envs=3)
    twin.reset(seed=1, options={"games": [0, 1, 2]})
    assert np.array_equal(env.reset()[1]["game"][~mask], twin.reset()[1]["game"][~mask])


@pytest.mark.parametrize(
    "mask", [np.array([0, 0, 1]), [0, 2], [True, False], np.ones((3, 1), bool), 1, "all"]
)
def test_a_mask_is_a_boolean_per_row(mask: Any) -> None:
    env = GataVectorEnv(some_pack(), num_envs=3)
    env.reset(seed=1)
    env.step([0, 0, 0])
    with pytest.raises(UsageError, match="expected 3 booleans"):
        env.reset(options={"reset_mask": mask})
    assert env.engine.outputs.steps.tolist() == [1, 1, 1]


def test_actions_go_around_within_the_action_space_only() -> None:
    env = GataEnv(some_pack())
    _, info = env.reset(seed=1)
    count, size = int(info["action_mask"].sum()), env.action_space.n
    assert count < size
    first, *_ = env.step(np.int64(0))
    env.reset(seed=1)
    around, *_ = env.step(np.int64(count))
    assert np.array_equal(first["observation"], around["observation"])
    for action in (size, 10**20, -1, 1.5, "0", None, True):
        with pytest.raises(UsageError, match=rf"expected 1 actions in 0\.\.{size - 1}"):
            env.step(action)  # type: ignore[arg-type]
    vector = GataVectorEnv(some_pack(), num_envs=2)
    vector.reset(seed=1)
    with pytest.raises(UsageError, match=rf"expected 2 actions in 0\.\.\d+, found {size}"):
        vector.step([0, size])


def test_infos_tell_steps_and_lengths() -> None:
    env = GataVectorEnv(some_pack(), num_envs=2)
    env.reset(seed=1)
    observations, *_, info = env.step([0, 0])
    assert info["steps"].tolist() == [1, 1]
    for name in ("observation", "description", "inventory"):
        used = (observations[name] != 0).sum(axis=1)
        assert np.array_equal(used, info[f"{name}_length"])


def test_the_vector_environment_prints_what_textworld_prints() -> None:
    env = GataVectorEnv(some_pack(), num_envs=2, render_mode="ansi")
    env.reset(seed=1)
    texts = env.render()
    assert texts is not None
    assert texts == (env.engine.feedback(0), env.engine.feedback(1))
    assert all("-=" in text for text in texts)
    assert GataVectorEnv(some_pack(), num_envs=2).render() is None


def test_what_makes_no_sense_is_refused() -> None:
    env = GataVectorEnv(some_pack(), num_envs=2)
    with pytest.raises(UsageError, match="no option 'game', expected reset_mask or games"):
        env.reset(options={"game": [1, 1]})
    env.reset(seed=0)
    for actions in ([0], [0.5, 1], "ab"):
        with pytest.raises(UsageError, match="expected 2 actions"):
            env.step(actions)
    single = GataEnv(some_pack())
    with pytest.raises(UsageError, match="no option 'games', expected game"):
        single.reset(options={"games": 1})
    with pytest.raises(UsageError, match="game 1000000 is not in"):
        single.reset(options={"game": 10**6})
    assert single.reset(seed=np.int64(3))[1]["game"] == single.reset(seed=3)[1]["game"]  # type: ignore[arg-type]
