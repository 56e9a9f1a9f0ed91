"""Random episodes of which the best are remembered."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gata import console
from gata.engine import Outputs, VectorEnv
from gata.errors import UsageError
from gata.games import load_level
from gata.rl.scouting import Trip, best, retrace, scout
from gata.training.run import read_metrics
from tests.rl.test_loop import outcome
from tests.rl.test_rollout import make_rollout
from tests.rl.tiny import game_sets, learning, run_tiny


def tiny_env(**changes) -> VectorEnv:
    return VectorEnv(game_sets()["train"], 4, step_limit=12, **changes)


def test_the_best_are_those_with_most_points_evenly_over_the_games() -> None:
    won, slow = Trip(0, (1,) * 4, 1.0), Trip(0, (1,) * 9, 1.0)
    half, other, poor = Trip(0, (2,) * 3, 0.5), Trip(1, (1,) * 5, 0.25), Trip(1, (1,) * 4, 0.0)
    trips = [poor, half, slow, other, won]
    assert best(trips, 1) == [won]
    assert best(trips, 2) == [won, other]
    assert best(trips, 4) == [won, other, slow, poor]
    assert best(trips, 9) == [won, other, slow, poor, half]


def test_trips_are_what_the_engine_plays() -> None:
    games = load_level(1, "train", 20)
    env = VectorEnv(games, 4, step_limit=30)
    found = scout(env, 300, 40, np.random.default_rng(1))
    trips = found.best
    assert len(trips) == 40
    assert len({trip.game for trip in trips}) == 20
    again = VectorEnv(games, 1, step_limit=30)
    for trip in trips:
        outputs = again.reset(games=[trip.game])
        for choice in trip.choices:
            assert not outputs.done[0]
            outputs = again.step_candidates([choice])
        assert outputs.done[0]
        assert outputs.score[0] / outputs.max_score[0] == trip.share
    assert found.episodes >= 300
    told = found.summary()
    assert told["kept_score"] == pytest.approx(100 * np.mean([trip.share for trip in trips]))
    assert told["kept_score"] > told["score"] > 0


def test_the_same_numbers_make_the_same_trips() -> None:
    first, same, other = (
        scout(tiny_env(), 50, 10, np.random.default_rng(seed)).best for seed in (1, 1, 2)
    )
    assert first == same != other


def test_a_first_step_that_takes_long_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    bars, real, shown = console.Bars(), VectorEnv.step_candidates, []

    def step(env: VectorEnv, chosen: Any) -> Outputs:
        shown.extend(bar.state.remark for bar in bars._bars)
        return real(env, chosen)

    monkeypatch.setattr(VectorEnv, "step_candidates", step)
    scout(tiny_env(), 50, 10, np.random.default_rng(1), bars)
    assert "compiled" in shown[0]
    assert set(shown[1:]) == {""}


@pytest.mark.parametrize("count", [1, 3, 11])
def test_all_that_is_retraced_is_remembered_and_nothing_else(count: int, tmp_path: Path) -> None:
    rollout = make_rollout(tmp_path, parallel=4, step_limit=12)
    trips = scout(tiny_env(), 4000, count, np.random.default_rng(1)).best
    assert len({len(trip.choices) for trip in trips}) > 1 or count == 1
    retrace(trips, rollout)
    replay = rollout.replay
    assert replay.pushed == count
    assert replay.size == sum(len(trip.choices) for trip in trips)
    steps = replay.steps
    episodes = steps.episodes[: replay.size].tolist()
    remembered = [
        tuple(steps.choices[: replay.size][[e == number for e in episodes]].tolist())
        for number in range(1, count + 1)
    ]
    assert sorted(remembered) == sorted(trip.choices for trip in trips)
    points = [trip.share * game_sets()["train"][0].max_score for trip in trips]
    assert float(steps.rewards[: replay.size].sum()) == pytest.approx(sum(points))


def test_a_training_begins_with_what_scouting_found(tmp_path: Path) -> None:
    """The first update is possible before any episode is over, and the course is repeatable."""
    changes = {"scout_episodes": 200, "scout_keep": 20, "learn_after": 0, "episodes": 20}
    results = run_tiny("tr-dqn", tmp_path, run="one", **changes)
    run_tiny("tr-dqn", tmp_path, run="two", **changes)
    assert outcome(tmp_path / "one") == outcome(tmp_path / "two")
    assert results["updates"] == results["steps"] // 24
    first = read_metrics(tmp_path / "one" / "metrics.jsonl")[0]
    assert (first["kind"], first["kept"]) == ("scout", 20)
    assert first["kept_complete"] >= first["complete"]


@pytest.mark.parametrize("name", ["scout_episodes", "scout_keep"])
def test_numbers_below_nothing_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match=f"{name} is -1, expected"):
        learning(**{name: -1})
