"""The ring: what is kept, what is drawn, what is read from it."""

import math
from typing import NamedTuple

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from gata.agents.making import make_brain
from gata.agents.presets import PRESETS
from gata.engine import VectorEnv
from gata.errors import UsageError
from gata.games import load_game
from gata.rl.replay import Priorities, Replay
from gata.rl.steps import STATE_ONLY, Steps
from gata.rl.targets import GOES_ON, TERMINAL, TIME_OUT

CPU = torch.device("cpu")

MOST_COMMANDS = "level3/train/7733"
"""No other game of levels 1 to 5 has as many, counting all that it ever offers."""


class Told(NamedTuple):
    """An episode: its rewards, how it ended, and whether the state after a time-out is kept."""

    rewards: list[int]
    end: int
    keep_state: bool
    novel: tuple[bool, ...] = ()
    """Which steps led to something new, if not all did."""


EPISODES = st.lists(
    st.builds(
        lambda rewards, end, keep: Told(rewards, end, keep and end == TIME_OUT),
        st.lists(st.integers(0, 3), min_size=1, max_size=6),
        st.sampled_from([TERMINAL, TIME_OUT]),
        st.booleans(),
    ),
    min_size=1,
    max_size=12,
)


def push(replay: Replay, told: Told, width: int = 3) -> None:
    replay.pushed += 1
    ends = [GOES_ON] * (len(told.rewards) - 1) + [told.end] + [STATE_ONLY] * told.keep_state
    rewards = told.rewards + [0] * told.keep_state
    count = len(ends)
    # The record of a state is no step; what it says of novelty must not count.
    novel = [*(told.novel or [True] * len(told.rewards)), *[True] * told.keep_state]
    # A belief that tells where it is from: episode and step.
    beliefs = torch.tensor([[replay.pushed, step] for step in range(count)], dtype=torch.float32)
    replay.push(
        Steps(
            texts=torch.arange(count, dtype=torch.int32),
            previous=torch.zeros(count, dtype=torch.int16),
            candidates=torch.full((count, width), replay.pushed, dtype=torch.int16),
            counts=torch.full((count,), width, dtype=torch.int16),
            choices=torch.zeros(count, dtype=torch.int16),
            rewards=torch.tensor(rewards, dtype=torch.float32),
            novel=torch.tensor(novel),
            ends=torch.tensor(ends, dtype=torch.int8),
            episodes=torch.full((count,), replay.pushed, dtype=torch.int32),
            beliefs=beliefs,
        ),
        np.array(rewards, np.float64),
        np.array(ends) != STATE_ONLY,
    )


def filled(episodes: list[Told], capacity: int = 16) -> Replay:
    replay = Replay(capacity, (2,), torch.float32, CPU)
    for number, told in enumerate(episodes):
        push(replay, told, width=1 + number)
    return replay


def everything(replay: Replay) -> torch.Tensor:
    """Each place that is ever drawn."""
    shares = torch.rand(4096, generator=torch.Generator().manual_seed(1))
    return torch.unique(replay.draw(shares, 0.7).places)


@given(EPISODES)
def test_every_step_and_nothing_else_is_drawn(episodes: list[Told]) -> None:
    replay = filled(episodes)
    steps = torch.nonzero(replay.steps.ends[: replay.size] != STATE_ONLY).flatten()
    assert everything(replay).tolist() == steps.tolist()


@given(EPISODES, st.booleans(), st.integers(1, 3))
def test_what_follows_a_step_is_of_its_episode(
    episodes: list[Told], bootstrap: bool, n: int
) -> None:
    replay = filled(
        [told._replace(keep_state=bootstrap and told.end == TIME_OUT) for told in episodes]
    )
    places = everything(replay)
    returns, following = replay.look_ahead(
        places,
        torch.full_like(places, n),
        3,
        discount=0.5,
        bootstrap_time_outs=bootstrap,
    )
    for row, place in enumerate(places.tolist()):
        episode, step = (int(x) for x in replay.steps.beliefs[place])
        told = episodes[episode - 1]
        rewards = told.rewards[step : step + n]
        assert returns.value[row].item() == sum(r * 0.5**k for k, r in enumerate(rewards))
        ends_within = step + n >= len(told.rewards)
        left = bootstrap and told.end == TIME_OUT
        assert returns.bootstraps[row].item() == (not ends_within or left)
        if returns.bootstraps[row]:
            expected = [episode, min(step + n, len(told.rewards))]
            assert replay.steps.beliefs[following[row]].tolist() == expected


@pytest.mark.parametrize("discount", [0.0, 0.5, 0.9, 1.0])
def test_the_bonus_is_the_discounted_sum_of_what_is_new_within_n_steps(discount: float) -> None:
    def told(novel: str, end: int, *, keep_state: bool = False) -> Told:
        return Told([3] * len(novel), end, keep_state, tuple(letter == "N" for letter in novel))

    replay = filled(
        [
            told("NN-N", TERMINAL),  # at 0 to 3
            told("-NN", TIME_OUT, keep_state=True),  # at 4 to 6, the state at 7
            told("N--NN", TERMINAL),  # at 8 to 11, and over the first of all at 0
        ],
        capacity=12,
    )
    # Place, n, and how much later each new observation comes that counts.
    expected: list[tuple[int, int, list[int]]] = [
        (1, 1, [0]),
        (1, 2, [0]),
        (1, 3, [0, 2]),
        (1, 4, [0, 2]),  # the episode has three steps left
        (2, 1, []),
        (2, 2, [1]),
        (3, 4, [0]),  # what follows is another episode's
        (4, 2, [1]),
        (4, 3, [1, 2]),
        (4, 4, [1, 2]),  # a state alone is no step
        (6, 2, [0]),
        (8, 3, [0]),
        (8, 4, [0, 3]),
        (10, 3, [1, 2]),  # over the end of the ring
        (11, 4, [0, 1]),
        (0, 4, [0]),
    ]
    places, n = (torch.tensor([row[column] for row in expected]) for column in (0, 1))
    found = replay.bonus(places, n, 4, discount)
    sums = [sum(discount**later for later in new) for _, _, new in expected]
    torch.testing.assert_close(found, torch.tensor(sums, dtype=torch.float32))


@given(EPISODES)
def test_the_past_of_a_step_is_of_its_episode(episodes: list[Told]) -> None:
    replay = filled(episodes)
    places = everything(replay)
    offsets = torch.arange(-4, 4)
    window, same = replay.same_episode(places, offsets)
    for row, place in enumerate(places.tolist()):
        episode, step = replay.steps.beliefs[place].tolist()
        for column, offset in enumerate(offsets.tolist()):
            there = replay.steps.beliefs[window[row, column]].tolist()
            assert same[row, column].item() == (there == [episode, step + offset])


@given(EPISODES)
def test_the_mean_reward_is_that_of_the_steps_in_the_ring(episodes: list[Told]) -> None:
    replay = filled(episodes)
    used = replay.steps.ends[: replay.size] != STATE_ONLY
    assert replay.mean_reward == pytest.approx(
        replay.steps.rewards[: replay.size][used].mean().item()
    )


@given(EPISODES)
def test_a_restored_replay_is_the_same(episodes: list[Told]) -> None:
    replay = filled(episodes)
    replay.learnt(everything(replay), torch.rand(len(everything(replay))))
    other = Replay(replay.capacity, (2,), torch.float32, CPU)
    other.restore({k: v.clone() for k, v in replay.tensors().items()}, replay.numbers())
    more = Told([1, 2], TERMINAL, False)
    push(replay, more)
    push(other, more)
    assert other.mean_reward == replay.mean_reward
    for mine, theirs in zip(other.tensors().values(), replay.tensors().values(), strict=True):
        assert torch.equal(mine, theirs)


def test_steps_are_drawn_by_their_errors() -> None:
    replay = filled([Told([0, 0, 0, 0], TERMINAL, False)])
    errors = torch.tensor([0.0, 1.0, 4.0, 9.0])
    replay.learnt(torch.arange(4), errors)
    drawn = replay.draw(torch.full((20_000,), 0.5), replay.power(0.5))
    counts = np.bincount(drawn.places.numpy(), minlength=4) / 20_000
    expected = (errors.numpy() + 1e-6) ** 0.6
    np.testing.assert_allclose(counts, expected / expected.sum(), atol=1e-3)


def test_weights_undo_the_preference_at_the_end_of_training() -> None:
    replay = filled([Told([0, 0, 0], TERMINAL, False)])
    replay.learnt(torch.arange(3), torch.tensor([1.0, 2.0, 3.0]))
    drawn = replay.draw(torch.rand(3000, generator=torch.Generator().manual_seed(1)), 1.0)
    mass = torch.zeros(3).index_add(0, drawn.places, drawn.weights)
    torch.testing.assert_close(mass / mass.sum(), torch.full((3,), 1 / 3), atol=1e-3, rtol=0)


def test_new_steps_come_first() -> None:
    replay = filled([Told([0] * 4, TERMINAL, False)])
    replay.learnt(torch.arange(4), torch.tensor([0.1, 5.0, 0.1, 0.1]))
    push(replay, Told([0], TERMINAL, False))
    priorities = replay.tensors()["priorities"]
    assert priorities[4] == priorities[:4].max()


def test_a_place_drawn_twice_gets_its_largest_error() -> None:
    replay = filled([Told([0, 0], TERMINAL, False)])
    replay.learnt(torch.tensor([0, 0, 1]), torch.tensor([3.0, 1.0, 2.0]))
    expected = (torch.tensor([3.0, 2.0], dtype=torch.float64) + 1e-6) ** 0.6
    torch.testing.assert_close(replay.tensors()["priorities"], expected)


def test_half_a_million_transitions_fit_into_two_gigabytes() -> None:
    """Of every agent, and however many commands are on offer: not more than a game has in all."""
    count, on_paper = 500_000, torch.device("meta")
    width = VectorEnv([load_game(MOST_COMMANDS)], 1).reset().candidates.shape[1]
    assert width == 470
    beliefs: dict[tuple[str, str | None], tuple[tuple[int, ...], torch.dtype]] = {}
    for preset in PRESETS.values():
        source = preset.belief, preset.updater
        if source not in beliefs:
            brain = make_brain(preset, seed=1, device=CPU)
            beliefs[source] = brain.state_shape, brain.state_dtype
        shape, dtype = beliefs[source]
        replay = Replay(count, shape, dtype, on_paper)
        one = Steps.empty(1, width, shape, dtype, on_paper)
        replay.push(one, np.zeros(1), np.ones(1, np.bool_))
        least = count * (width * 2 + math.prod(shape) * dtype.itemsize)
        assert least < replay.bytes < 2e9, preset.name


def test_what_cannot_fit_is_refused() -> None:
    replay = Replay(3, (2,), torch.float32, CPU, Priorities())
    with pytest.raises(UsageError, match="capacity of 3"):
        push(replay, Told([0] * 4, TERMINAL, False))
