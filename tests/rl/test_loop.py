"""Whole trainings, of seconds."""

import copy
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from tensorboardX.proto.event_pb2 import Event

from gata.agents.greedy import GreedyAgent
from gata.agents.making import make_brain
from gata.agents.playing import Episode, Summary, play, summarise
from gata.agents.presets import find
from gata.agents.stored import load_agent
from gata.cache import HOME_VARIABLE, cache_dir
from gata.errors import GataError, UsageError
from gata.models.files import content_digest, read_tensors, write_tensors
from gata.rl import loop
from gata.rl.about import Weights, read_about
from gata.rl.loop import Trainer
from gata.rl.machine import assemble
from gata.rl.opening import Job
from gata.rl.replay import Drawn, Replay
from gata.rl.rollout import Rollout, Stepped
from gata.rl.settings import LearningSettings, TrainSettings
from gata.training.run import METRICS_FILE, Run, read_metrics, write_json
from tests.agents.brains import small_preset
from tests.belief.networks import settings as network_settings
from tests.killing import kill_at, never
from tests.rl.tiny import game_sets, learning, run_tiny

CPU = torch.device("cpu")

KERNELS = cache_dir()
"""Where this process keeps its compiled kernels; it was asked before tests got their own."""


def outcome(folder: Path) -> tuple[str, dict[str, bytes]]:
    """Everything of a run that must not differ: its curves and its weights."""
    tensors, _ = read_tensors(folder / "weights.safetensors")
    weights = {name: tensor.numpy().tobytes() for name, tensor in tensors.items()}
    return (folder / "metrics.jsonl").read_text(), weights


@pytest.mark.parametrize("name", ["tr-dqn", "tr-drqn+", "gtf-text"])
def test_the_same_seed_gives_the_same_curve(name: str, tmp_path: Path) -> None:
    changes = {"episodes": 30} if name == "gtf-text" else {}
    for run, seed in (("one", 1), ("two", 1), ("three", 2)):
        run_tiny(name, tmp_path, run=run, seed=seed, **changes)
        torch.rand(3)
    assert outcome(tmp_path / "one") == outcome(tmp_path / "two")
    assert outcome(tmp_path / "one")[0] != outcome(tmp_path / "three")[0]


def score_by_turns(monkeypatch: pytest.MonkeyPatch, scores: list[float]) -> None:
    """Let evaluations find these scores, whatever is played: each by its number in the run."""
    summarise, evaluate, number = loop.summarise, Trainer._evaluate, 0

    def evaluate_numbered(trainer: Trainer, bar) -> None:
        nonlocal number
        number = trainer.progress.evaluations
        evaluate(trainer, bar)

    def scored(episodes: list[Episode]) -> Summary:
        return replace(summarise(episodes), score=scores[number % len(scores)])

    monkeypatch.setattr(Trainer, "_evaluate", evaluate_numbered)
    monkeypatch.setattr(loop, "summarise", scored)


TO_TAKE_UP = ("reloads", "setbacks", "best", "losses", "recent")


class StoppedError(Exception):
    pass


def points(folder: Path, ending: str) -> list[tuple[str, int]]:
    """The names and steps of what TensorBoard shows of the curves with such names, in order."""
    found: list[tuple[str, int]] = []
    (path,) = folder.iterdir()
    content = path.read_bytes()
    while content:
        # A record is its length, a checksum, an event and a checksum.
        size = int.from_bytes(content[:8], "little")
        event = Event.FromString(content[12 : 12 + size])
        content = content[16 + size :]
        found += [
            (value.tag, event.step) for value in event.summary.value if value.tag.endswith(ending)
        ]
    return found


def lasting(results: dict[str, Any]) -> dict[str, Any]:
    """Of results: what is the same whenever and however often interrupted they are made."""
    return {
        name: value for name, value in results.items() if name not in ("date", "training_seconds")
    }


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("tr-drqn+", {}),
        ("tr-drqn+", {"bootstrap_time_outs": True}),
        ("gata-coc-text", {"episodes": 32}),
        ("tr-dqn", {"scout_episodes": 20, "scout_keep": 3, "learn_after": 40}),
    ],
)
def test_a_stopped_run_goes_on_to_the_same_numbers(
    name: str, changes: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is stopped among reports, evaluations and setbacks, all of which must be taken up."""
    often = {"report_every": 5, "evaluate_every": 3, "patience": 1}
    changes = {**often, "episodes": 48, "learn_after": 5, "update_every": 12, **changes}
    score_by_turns(monkeypatch, [50.0, 20.0, 30.0, 40.0, 60.0, 10.0])
    undisturbed = run_tiny(name, tmp_path, run="undisturbed", **changes)

    # A checkpoint some steps before each stop, as if the process had been killed there.
    real, calls = Trainer._step, 0
    taken_up: list[Any] = []

    def step(trainer: Trainer, bar) -> None:
        nonlocal calls
        calls += 1
        if calls % 17 == 0:
            raise StoppedError
        if calls % 17 == 10:
            trainer._save()
            waiting = {"losses": trainer._losses.count, "recent": trainer._recent.count}
            taken_up.append({**vars(trainer.progress), **waiting})
        real(trainer, bar)

    monkeypatch.setattr(Trainer, "_step", step)
    stops = 0
    while True:
        try:
            disturbed = run_tiny(name, tmp_path, run="disturbed", **changes)
        except StoppedError:
            stops += 1
            assert stops < 40, "it always begins anew"
            continue
        break
    assert stops >= 2
    # There was something of everything to take up; before learning begins, episodes alone.
    told = ("recent",) if changes["learn_after"] > 5 else TO_TAKE_UP
    missing = [each for each in told if not any(state[each] for state in taken_up)]
    assert not missing
    assert outcome(tmp_path / "disturbed") == outcome(tmp_path / "undisturbed")
    assert lasting(disturbed) == lasting(undisturbed)
    # And TensorBoard shows the same points.
    lines = read_metrics(tmp_path / "disturbed" / METRICS_FILE)
    expected = [(f"{line['kind']}/episodes", line["update"]) for line in lines]
    assert points(tmp_path / "disturbed" / "tensorboard", "/episodes") == expected


PROGRAM = """
import sys, pathlib, torch
torch.set_num_threads(1)
from gata.rl import loop
from tests.rl.tiny import run_tiny
loop.SAVE_EVERY_S = 0.1
run_tiny("tr-dqn", pathlib.Path(sys.argv[1]), run="killed")
"""


def test_a_killed_run_goes_on_to_the_same_numbers(tmp_path: Path) -> None:
    run_tiny("tr-dqn", tmp_path, run="undisturbed")
    command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    checkpoint = tmp_path / "killed" / "checkpoint.safetensors"
    # The other process would otherwise compile the engine's kernels again.
    env = {**os.environ, HOME_VARIABLE: str(KERNELS), "PYTHONPATH": os.pathsep.join(sys.path)}

    def start() -> "subprocess.Popen[str]":
        return subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True)

    def saved_at() -> int:
        return checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0

    def kill_a_little_after_a_checkpoint() -> bool:
        before = saved_at()

        def is_time() -> bool:
            if saved_at() <= before:
                return False
            time.sleep(0.05)
            return True

        return kill_at(start(), is_time)

    assert kill_a_little_after_a_checkpoint()
    kill_a_little_after_a_checkpoint()  # or it is over, if it came that far
    assert not kill_at(start(), never)
    assert outcome(tmp_path / "killed") == outcome(tmp_path / "undisturbed")


def test_control_c_saves_and_the_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_tiny("tr-dqn", tmp_path, run="undisturbed")
    real, calls = Trainer._step, 0

    def step(trainer: Trainer, bar) -> None:
        nonlocal calls
        calls += 1
        if calls == 30:
            os.kill(os.getpid(), signal.SIGINT)
        real(trainer, bar)

    monkeypatch.setattr(Trainer, "_step", step)
    with pytest.raises(KeyboardInterrupt):
        run_tiny("tr-dqn", tmp_path)
    assert (tmp_path / "run" / "checkpoint.safetensors").exists()
    run_tiny("tr-dqn", tmp_path)
    assert outcome(tmp_path / "run") == outcome(tmp_path / "undisturbed")
    # Nothing goes on from a run that is over.
    assert not (tmp_path / "run" / "checkpoint.safetensors").exists()


def stop_before_the_test(
    monkeypatch: pytest.MonkeyPatch, name: str, folder: Path, **changes
) -> Path:
    """The checkpoint of a run that was stopped after its training, before its test."""
    with monkeypatch.context() as patch:

        def finish(trainer: Trainer, bars) -> None:
            raise KeyboardInterrupt

        patch.setattr(Trainer, "_finish", finish)
        with pytest.raises(KeyboardInterrupt):
            run_tiny(name, folder, **changes)
    return folder / "run" / "checkpoint.safetensors"


def test_a_stop_before_the_test_loses_no_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_tiny("tr-dqn", tmp_path, run="undisturbed")
    stop_before_the_test(monkeypatch, "tr-dqn", tmp_path)

    def step(trainer: Trainer, bar) -> None:
        raise AssertionError("there is nothing left to train")

    monkeypatch.setattr(Trainer, "_step", step)
    run_tiny("tr-dqn", tmp_path)
    assert outcome(tmp_path / "run") == outcome(tmp_path / "undisturbed")


@pytest.mark.parametrize("network", ["online", "target"])
def test_a_checkpoint_of_another_network_is_refused(
    network: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = stop_before_the_test(monkeypatch, "tr-dqn", tmp_path, episodes=16)
    tensors, header = read_tensors(path)
    name = f"{network}.scorer.score.weight"
    write_tensors(path, {**tensors, name: tensors[name][:, :3]}, header)
    with pytest.raises(
        GataError, match=r"checkpoint\.safetensors: scorer\.score\.weight has shape"
    ):
        run_tiny("tr-dqn", tmp_path, episodes=16)


class Changed(NamedTuple):
    """What another version of gata might have written, and what is said of it."""

    tensors: Callable[[dict[str, torch.Tensor]], object]
    state: Callable[[dict[str, Any]], object]
    told: str


def nothing(_: object) -> None:
    pass


@pytest.mark.parametrize(
    "changed",
    [
        Changed(nothing, lambda state: state["progress"].update(luck=1), "argument 'luck'"),
        Changed(nothing, lambda state: state.pop("losses"), "KeyError: 'losses'"),
        Changed(lambda tensors: tensors.pop("loss_sum"), nothing, "KeyError: 'loss_sum'"),
        Changed(
            lambda tensors: tensors.update({"optimizer.exp_avg": torch.zeros(3)}),
            nothing,
            r"exp_avg has shape \(3,\), expected \(\d+,\)",
        ),
    ],
    ids=lambda changed: changed.told.split()[-1],
)
def test_a_checkpoint_of_another_version_is_refused_in_words(
    changed: Changed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkpoint = tmp_path / "run" / "checkpoint.safetensors"
    monkeypatch.setattr(Trainer, "_finish", lambda *_: {})
    run_tiny("tr-dqn", tmp_path, episodes=40)
    tensors, state = read_tensors(checkpoint)
    changed.tensors(tensors)
    changed.state(state)
    write_tensors(checkpoint, tensors, state)
    told = f"checkpoint.safetensors: not a checkpoint of this version of gata.*{changed.told}"
    with pytest.raises(GataError, match=told):
        run_tiny("tr-dqn", tmp_path, episodes=40)
    assert checkpoint.exists()


def test_a_loss_that_is_no_number_is_found_before_an_evaluation(tmp_path: Path) -> None:
    with pytest.raises(GataError, match=r"loss is nan after update|loss is inf after update"):
        run_tiny("tr-dqn", tmp_path, learning_rate=1e20, report_every=1000, evaluate_every=3)


def test_a_loss_that_is_no_number_stops_and_spares_the_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Trainer._learn

    def learn(trainer: Trainer, played: int) -> None:
        real(trainer, played)
        if trainer.progress.updates == 5:
            trainer._save()
            trainer._losses.sum += float("nan")

    monkeypatch.setattr(Trainer, "_learn", learn)
    monkeypatch.setattr(loop, "SAVE_EVERY_S", 0.0)
    with pytest.raises(GataError, match="loss is nan after update"):
        run_tiny("tr-dqn", tmp_path)
    tensors, state = read_tensors(tmp_path / "run" / "checkpoint.safetensors")
    assert state["progress"]["updates"] == 5
    assert all(t.isfinite().all() for t in tensors.values() if t.is_floating_point())


FULL_DISK = """
import pathlib, resource, sys, torch
torch.set_num_threads(1)
from gata.errors import GataError
from gata.rl.loop import Trainer
from tests.rl.tiny import run_tiny
real = Trainer._step
def step(trainer, bar):
    if trainer.progress.updates >= 5:
        trainer._save()
        # From now on a file may have one page, no more.
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        real(trainer, bar)
        trainer._save()
    real(trainer, bar)
Trainer._step = step
try:
    run_tiny("tr-dqn", pathlib.Path(sys.argv[1]))
except GataError as error:
    sys.exit(f"told: {error}")
"""


def test_a_full_disk_stops_and_spares_the_checkpoint(tmp_path: Path) -> None:
    """A limit on file sizes makes the real write fail half-way, as a full disk would."""
    run_tiny("tr-dqn", tmp_path, run="undisturbed")
    env = {**os.environ, HOME_VARIABLE: str(KERNELS), "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", FULL_DISK, str(tmp_path)]
    result = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert f"told: {tmp_path / 'run'}" in result.stderr
    assert "cannot write" in result.stderr
    _, state = read_tensors(tmp_path / "run" / "checkpoint.safetensors")
    assert state["progress"]["updates"] == 5
    assert not list((tmp_path / "run").glob("*tmp*"))
    run_tiny("tr-dqn", tmp_path)
    assert outcome(tmp_path / "run") == outcome(tmp_path / "undisturbed")


FULL_FOR_REPORTS = """
import pathlib, resource, sys, torch
torch.set_num_threads(1)
from gata.errors import GataError
from tests.rl.tiny import run_tiny
# Nothing but lines of metrics and points for TensorBoard is written before it is full.
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
changes = {"report_every": 1, "evaluate_every": 1000, "learn_after": 50}
try:
    run_tiny("tr-dqn", pathlib.Path(sys.argv[1]), **changes)
except GataError as error:
    sys.exit(f"told: {error}")
"""


def test_a_disk_that_is_full_when_something_is_reported_stops_the_run(tmp_path: Path) -> None:
    env = {**os.environ, HOME_VARIABLE: str(KERNELS), "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", FULL_FOR_REPORTS, str(tmp_path)]
    result = subprocess.run(
        command, env=env, capture_output=True, text=True, check=False, timeout=300
    )
    assert result.returncode == 1
    *_, last = result.stderr.splitlines()
    assert last.startswith(f"told: {tmp_path / 'run'}")
    assert "cannot write (File too large)" in last
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("parallel", [1, 8, 30])
def test_updates_keep_pace_with_steps_for_any_number_of_games(
    parallel: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, lengths, under_way = Rollout.step, 0, 0

    def step(rollout: Rollout, epsilon: float) -> Stepped:
        nonlocal lengths, under_way
        stepped = real(rollout, epsilon)
        lengths += int(stepped.finished.steps.sum())
        under_way = int(rollout.env.outputs.steps.sum())
        return stepped

    monkeypatch.setattr(Rollout, "step", step)
    results = run_tiny(
        "tr-dqn", tmp_path, parallel=parallel, episodes=40, learn_after=1, update_every=50, batch=1
    )
    steps = lengths + under_way
    assert results["steps"] == steps
    # Up to the end of the first episode there is nothing to learn from.
    first = parallel * learning().step_limit
    assert (steps - first) // 50 - 1 <= results["updates"] <= steps // 50


def test_epsilon_falls_as_episodes_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the rollout is really told, from the first setting to the second."""
    real, episodes = Rollout.step, 0
    told: list[float] = []
    expected: list[float] = []

    def step(rollout: Rollout, epsilon: float) -> Stepped:
        nonlocal episodes
        told.append(epsilon)
        expected.append(float(np.interp(episodes, [10, 40], [0.9, 0.2])))
        stepped = real(rollout, epsilon)
        episodes += len(stepped.finished.scores)
        return stepped

    monkeypatch.setattr(Rollout, "step", step)
    changes = {"epsilon_start": 0.9, "epsilon_end": 0.2, "epsilon_after": 10}
    run_tiny("tr-dqn", tmp_path, epsilon_episodes=30, **changes)
    assert told == pytest.approx(expected)
    assert (told[0], told[-1]) == pytest.approx((0.9, 0.2))
    assert len(set(told)) > 5


def test_games_are_validated_and_tested_with_the_step_limit_of_the_training(
    tmp_path: Path,
) -> None:
    """In two steps the game is neither won nor lost."""
    results = run_tiny("tr-dqn", tmp_path, step_limit=2, episodes=16)
    played = [*results["valid_games"], *results["test_games"]]
    assert [(episode["steps"], episode["won"]) for episode in played] == [(2, False)] * 2


def test_nothing_is_learnt_before_so_many_episodes(tmp_path: Path) -> None:
    run_tiny("tr-dqn", tmp_path, learn_after=20, update_every=8, report_every=1, batch=1)
    lines = [
        line for line in read_metrics(tmp_path / "run" / METRICS_FILE) if line["kind"] == "train"
    ]
    before = [line for line in lines if line["episodes"] < 20]
    first, *later = lines[len(before) :]
    assert before
    assert not any(line["update"] for line in before)
    # From then on every eight steps are worth an update; those before are owed nothing.
    updates = [line["update"] for line in later]
    assert updates == pytest.approx([(line["steps"] - first["steps"]) / 8 for line in later], abs=1)
    assert updates[-1] > 20


@pytest.mark.parametrize("every", [30, 40, 1000])
def test_the_last_weights_are_evaluated_once_too(every: int, tmp_path: Path) -> None:
    total = run_tiny("tr-dqn", tmp_path, evaluate_every=every, episodes=80)["episodes"]
    lines = read_metrics(tmp_path / "run" / METRICS_FILE)
    evaluated = [line["episodes"] for line in lines if line["kind"] == "valid"]
    assert len(evaluated) == -(-80 // every)
    assert evaluated[-1] == total


def test_the_best_weights_come_back_after_too_many_setbacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = iter([50.0])
    seen: list[tuple[int, bool]] = []
    real_summarise, real = loop.summarise, Trainer._evaluate
    monkeypatch.setattr(
        loop, "summarise", lambda e: replace(real_summarise(e), score=next(scores, 40.0))
    )

    def evaluate(trainer: Trainer, bar) -> None:
        real(trainer, bar)
        online, target = trainer.brain.selector.state_dict(), trainer.learner.target.state_dict()
        is_best = all(
            torch.equal(online[name], best) and torch.equal(target[name], best)
            for name, best in trainer._best.items()
        )
        seen.append((trainer.progress.reloads, is_best))

    monkeypatch.setattr(Trainer, "_evaluate", evaluate)
    changes = {"parallel": 4, "update_every": 10, "target_every": 1000, "patience": 3}
    run_tiny("tr-dqn", tmp_path, evaluate_every=5, episodes=65, **changes)
    # The best, four setbacks, and at the fifth the best is back: p > P in Algorithm 1. Then again
    # four setbacks, not one.
    assert [reloads for reloads, _ in seen[:11]] == [*[0] * 5, *[1] * 5, 2]
    assert [is_best for _, is_best in seen[1:11]] == [False, False, False, False, True] * 2


def test_a_new_best_forgives_setbacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scores = iter([50.0, 40.0, 40.0, 60.0, 40.0, 40.0, 40.0, 40.0])
    real = loop.summarise
    monkeypatch.setattr(loop, "summarise", lambda e: replace(real(e), score=next(scores, 40.0)))
    run_tiny("tr-dqn", tmp_path, evaluate_every=5, episodes=60, parallel=4, patience=2)
    lines = read_metrics(tmp_path / "run" / METRICS_FILE)
    told = [(line["setbacks"], line["reloads"]) for line in lines if line["kind"] == "valid"]
    # Two setbacks, a new best, then three more before the fourth brings the best back.
    assert told[:8] == [(0, 0), (1, 0), (2, 0), (0, 0), (1, 0), (2, 0), (3, 0), (0, 1)]


def test_what_is_drawn_later_does_not_depend_on_scouting() -> None:
    def drawn(scout_episodes: int) -> Any:
        values = learning(scout_episodes=scout_episodes, scout_keep=3)
        settings = TrainSettings(agent="tr-dqn", seed=1, learning=values)
        brain = make_brain(find("tr-dqn"), seed=1, device=CPU, network=network_settings())
        machine = assemble(settings, brain, game_sets()["train"])
        machine.scout(1)
        assert bool(machine.replay.size) == bool(scout_episodes)
        return machine.random.bit_generator.state

    assert drawn(20) == drawn(0)


def test_a_run_that_another_process_ended_meanwhile_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    job = Job(
        TrainSettings(agent="tr-dqn", seed=1, learning=learning(episodes=16)),
        tmp_path / "run",
        small_preset("tr-dqn", tmp_path),
        network_settings(),
        game_sets(),
    )
    one, two = job.open(CPU), job.open(CPU)
    assert isinstance(one, Trainer)
    assert isinstance(two, Trainer)
    results = one.train()
    before = (tmp_path / "run" / METRICS_FILE).read_bytes()
    assert two.train() == json.loads(json.dumps(results))
    assert not two.progress.episodes
    assert (tmp_path / "run" / METRICS_FILE).read_bytes() == before
    assert "this run is over, nothing to do" in capsys.readouterr().err


def test_a_checkpoint_that_a_kill_left_behind_is_cleared_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Run, "drop_checkpoint", lambda _: None)
        results = run_tiny("tr-dqn", tmp_path, episodes=16)
    checkpoint = tmp_path / "run" / "checkpoint.safetensors"
    assert checkpoint.exists()
    assert run_tiny("tr-dqn", tmp_path, episodes=16) == json.loads(json.dumps(results))
    assert not checkpoint.exists()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"learn_after": 100}, "learning begins after 100 episodes"),
        ({"batch": 1000}, "steps are remembered, and an update draws 1000"),
        ({"update_every": 10_000}, "there is an update every 10000 steps"),
    ],
)
def test_why_nothing_was_learnt_is_told(
    changes: dict[str, Any], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_tiny("tr-dqn", tmp_path, episodes=16, **changes)["updates"] == 0
    told = capsys.readouterr().err
    assert "nothing was learnt: " in told
    assert reason in told


def test_the_target_is_copied_when_its_turn_comes_and_at_no_other_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    every, turns, between = 12, 0, 0
    expected: dict[str, torch.Tensor] = {}
    real = Trainer._step

    def equal(network: torch.nn.Module, weights: dict[str, torch.Tensor]) -> bool:
        return all(torch.equal(value, weights[n]) for n, value in network.state_dict().items())

    def step(trainer: Trainer, *rest) -> None:
        nonlocal turns, between
        online, target = trainer.brain.selector, trainer.learner.target
        if not expected:
            expected.update(copy.deepcopy(online.state_dict()))
        before = trainer.progress.episodes
        real(trainer, *rest)
        finished = range(before + 1, trainer.progress.episodes + 1)
        if any(episode % every == 0 for episode in finished):
            expected.update(copy.deepcopy(online.state_dict()))
            turns += 1
        else:
            between += not equal(online, expected)
        assert equal(target, expected)

    monkeypatch.setattr(Trainer, "_step", step)
    # Episodes end several at a time, so their number often jumps over a multiple. No evaluation
    # takes up the best weights again, which are copied too.
    run_tiny("tr-dqn", tmp_path, target_every=every, patience=1000)
    assert turns == 5
    assert between > 20


def test_importance_weights_correct_more_and_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The power by which each batch is really drawn, from the first setting to the second."""
    powers: list[float] = []
    expected: list[float] = []
    real_draw, real_learn = Replay.draw, Trainer._learn

    def draw(replay: Replay, shares: torch.Tensor, power: torch.Tensor) -> Drawn:
        powers.append(float(power))
        return real_draw(replay, shares, power)

    def learn(trainer: Trainer, played: int) -> None:
        before = trainer.progress.updates
        real_learn(trainer, played)
        share = min(1.0, trainer.progress.episodes / 40)
        expected.extend([0.3 + share * (0.9 - 0.3)] * (trainer.progress.updates - before))

    monkeypatch.setattr(Replay, "draw", draw)
    monkeypatch.setattr(Trainer, "_learn", learn)
    changes = {"correction": 0.3, "correction_end": 0.9, "learn_after": 1, "update_every": 8}
    run_tiny("tr-dqn", tmp_path, episodes=40, **changes)
    assert powers == pytest.approx(expected)
    assert powers[0] < 0.5 < 0.7 < powers[-1]


def test_equal_points_are_no_setback_however_they_are_spread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As shares of five points these sum up to numbers that differ in their last digit."""
    turns = itertools.chain([(1, 2, 4, *[0] * 17)], itertools.repeat((3, 4, *[0] * 18)))
    monkeypatch.setattr(
        Trainer, "_play", lambda *_: [Episode("", score, 5, False, 1) for score in next(turns)]
    )
    monkeypatch.setattr(Trainer, "_finish", lambda trainer, _: vars(trainer.progress))
    progress = run_tiny("tr-dqn", tmp_path, evaluate_every=10, episodes=40)
    assert (progress["evaluations"] > 2, progress["setbacks"]) == (True, 0)


def test_the_best_weights_are_tested_and_stored_not_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    players: dict[str, list[dict[str, torch.Tensor]]] = {"valid": [], "test": []}
    real_play, real_summarise = Trainer._play, loop.summarise
    scores = iter([50.0, 40.0])

    def play_split(trainer: Trainer, split: str, show) -> list[Episode]:
        players[split].append(copy.deepcopy(trainer.brain.selector.state_dict()))
        return real_play(trainer, split, show)

    monkeypatch.setattr(Trainer, "_play", play_split)
    monkeypatch.setattr(
        loop, "summarise", lambda e: replace(real_summarise(e), score=next(scores, 40.0))
    )
    run_tiny("tr-dqn", tmp_path, evaluate_every=40)
    (best, last), (tested,) = players["valid"], players["test"]
    assert any(not torch.equal(last[name], value) for name, value in best.items())
    stored = load_agent(tmp_path / "run", CPU).brain.selector.state_dict()
    for name, value in best.items():
        assert torch.equal(tested[name], value), name
        assert torch.equal(stored[name], value), name


def test_results_are_those_of_the_stored_agent(tmp_path: Path) -> None:
    results = run_tiny("gtf", tmp_path, episodes=16)
    stored = load_agent(tmp_path / "run", CPU)
    summary = summarise(play(GreedyAgent(stored.brain), game_sets()["test"], step_limit=12))
    assert summary.score == results["test"]["score"]
    assert json.loads((tmp_path / "run" / "results.json").read_text())["test"] == results["test"]


def test_a_run_goes_on_with_its_own_settings_only(tmp_path: Path) -> None:
    run_tiny("tr-dqn", tmp_path, episodes=10)
    with pytest.raises(UsageError, match="episodes"):
        run_tiny("tr-dqn", tmp_path, episodes=11)


def test_a_run_keeps_to_the_weights_it_was_made_of(tmp_path: Path) -> None:
    """An updater of the same name, trained anew, is another one."""
    results = run_tiny("gata-og", tmp_path, episodes=8)
    path, updater = tmp_path / "run" / "settings.json", tmp_path / "og.safetensors"
    about = json.loads(path.read_text())
    digest = content_digest(updater)
    assert about["weights"] == {"updater_sha256": digest, "encoder_sha256": None}
    tensors, header = read_tensors(updater)
    write_tensors(updater, {name: tensor + 1 for name, tensor in tensors.items()}, header)
    with pytest.raises(UsageError, match=f"this run has updater_sha256 '{digest}', not"):
        run_tiny("gata-og", tmp_path, episodes=8)
    # A run that an earlier version made does not say: it is read as it is.
    del about["weights"]
    write_json(path, about)
    assert run_tiny("gata-og", tmp_path, episodes=8) == results
    del about["games"]
    write_json(path, about)
    assert read_about(tmp_path / "run").weights == Weights(None, None)


@pytest.mark.parametrize(
    "changes", [{"batch": 0}, {"discount": 1.5}, {"burn_in": 8}, {"replay": 100}]
)
def test_settings_that_make_no_sense_are_refused(changes) -> None:
    with pytest.raises(UsageError, match=next(iter(changes))):
        LearningSettings(**changes)


def test_several_processes_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As torchrun starts them; they would write to the same files."""
    monkeypatch.setenv("TORCHELASTIC_RUN_ID", "none")
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(UsageError, match="torchrun has started 2 processes, expected 1"):
        run_tiny("tr-dqn", tmp_path)
    assert not (tmp_path / "run").exists()
