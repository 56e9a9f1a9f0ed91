"""How much more several trainings get out of a device than one: updates a second, all together.

    python benchmarks/sharing.py gata-coc-text 3 --runs 1 3 6 9
    python benchmarks/sharing.py gata-coc-text 3 --runs 1 3 6 9 --way mps
    python benchmarks/sharing.py tr-dqn 1 --runs 1 2 --parallel 25 --device cpu

Each training plays and learns as in the middle of a run, without evaluations. They are threads of
one process, as those of `gata sweep`; or processes, as several `gata train`; or processes under
NVIDIA's Multi-Process Service (mps), which lets kernels of different processes run side by side.
"""

import argparse
import multiprocessing
import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import NamedTuple, cast

import torch

from gata.agents.making import make_brain
from gata.agents.presets import find
from gata.games.store import load_level
from gata.rl.machine import Machine, assemble
from gata.rl.settings import LearningSettings, TrainSettings
from gata.rl.sweep import stream_of
from gata.training.checkpoint import hardware
from gata.training.device import get_ready

FILL, WARM_UP, EPSILON, PROGRESS = 2_000, 30, 0.1, 0.5
"""Steps of random play in the replay; then steps of all games that nobody times."""
MPS_CONTROL = "nvidia-cuda-mps-control"
READY = "ready"


class Task(NamedTuple):
    """What all of them train."""

    agent: str
    level: int
    parallel: int
    device: str


class Done(NamedTuple):
    """What one of them did."""

    updates: int
    steps: int
    seconds: float


def train(machine: Machine, rounds: float, seconds: float) -> Done:
    """Play and learn for so many steps of all games or so many seconds, whichever is over first."""
    learning = machine.rollout.settings
    updates = steps = owed = 0
    start = time.perf_counter()
    while rounds > 0 and time.perf_counter() - start < seconds:
        played = machine.rollout.step(EPSILON).played
        steps, owed, rounds = steps + played, owed + played, rounds - 1
        while owed >= learning.update_every:
            owed -= learning.update_every
            machine.learner.learn(machine.random, PROGRESS)
            updates += 1
    if machine.learner.device.type == "cuda":
        torch.cuda.current_stream().synchronize()
    return Done(updates, steps, time.perf_counter() - start)


def work(task: Task, seed: int, orders: Connection) -> None:
    """Train for as many seconds as is ordered, again and again; or say why that is not possible."""
    try:
        obey(task, seed, orders)
    except Exception as error:  # whatever it is, nobody shall wait for an answer
        orders.send(f"{type(error).__name__}: {error}")


def obey(task: Task, seed: int, orders: Connection) -> None:
    """Get ready and say so; then train for as many seconds as is ordered, until that is 0."""
    device = torch.device(task.device)
    get_ready(device)
    with stream_of(device):
        learning = LearningSettings(parallel=task.parallel, replay=50_000)
        settings = TrainSettings(agent=task.agent, level=task.level, seed=seed, learning=learning)
        brain = make_brain(find(task.agent), seed=seed, device=device)
        machine = assemble(settings, brain, load_level(task.level, "train", 100))
        while machine.replay.size < FILL:
            machine.rollout.step(1.0)
        train(machine, WARM_UP, float("inf"))
        orders.send(READY)
        while seconds := orders.recv():
            orders.send(train(machine, float("inf"), seconds))


@contextmanager
def service(way: str) -> Iterator[None]:
    """Within, new processes use the Multi-Process Service, if that is the way."""
    if way != "mps":
        yield
        return
    if shutil.which(MPS_CONTROL) is None:
        raise SystemExit(f"--way mps: there is no {MPS_CONTROL} here")
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"CUDA_MPS_PIPE_DIRECTORY": folder, "CUDA_MPS_LOG_DIRECTORY": folder}
        subprocess.run([MPS_CONTROL, "-d"], check=True)
        try:
            yield
        finally:
            subprocess.run([MPS_CONTROL], input="quit\n", text=True, check=False)


def answer(connection: Connection) -> object:
    """What a training says; one that failed ends everything."""
    try:
        said: object = connection.recv()
    except EOFError:
        raise SystemExit("a training ended without a word; was there memory for so many?") from None
    if isinstance(said, str) and said != READY:
        raise SystemExit(f"a training failed: {said}")
    return said


@contextmanager
def workers(task: Task, way: str, count: int) -> Iterator[list[Connection]]:
    """So many trainings that are ready, one made ready after the other."""
    spawn = multiprocessing.get_context("spawn")
    ends = [multiprocessing.Pipe() for _ in range(count)]
    made: list[threading.Thread | multiprocessing.process.BaseProcess] = []
    for seed, (ours, theirs) in enumerate(ends, start=1):
        arguments = (task, seed, theirs)
        kind = threading.Thread if way == "threads" else spawn.Process
        made.append(kind(target=work, args=arguments, daemon=True))
        made[-1].start()
        # In one process the first weights come from a random source that all share.
        if way == "threads":
            answer(ours)
        else:
            theirs.close()  # the process has its own: where that is gone, there is no answer
    if way != "threads":
        for ours, _ in ends:
            answer(ours)
    try:
        yield [ours for ours, _ in ends]
    finally:
        for ours, _ in ends:
            ours.send(0)
        for each in made:
            each.join()


def main(task: Task, way: str, runs: Sequence[int], seconds: float) -> None:
    """Measure, and print a line for each number of runs; one alone is always among them."""
    runs = sorted({1, *runs})
    alone = 0.0
    print(f"{task.agent}, level {task.level}, {task.parallel} games each, as {way}")
    with service(way), workers(task, way, max(runs)) as connections:
        for count in runs:
            for each in connections[:count]:
                each.send(seconds)
            done = [cast(Done, answer(each)) for each in connections[:count]]
            updates, steps = (
                sum(getattr(each, name) / each.seconds for each in done)
                for name in ("updates", "steps")
            )
            alone = alone or updates
            print(
                f"{count:3d} runs: {updates:7.1f} updates/s, {steps:8.0f} steps/s together;"
                f" {updates / alone:5.2f} times one",
                flush=True,
            )
    print(hardware(torch.device(task.device)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("agent")
    parser.add_argument("level", type=int)
    parser.add_argument("--runs", type=int, nargs="+", default=[1, 2, 4, 8])
    parser.add_argument("--way", choices=("threads", "processes", "mps"), default="processes")
    parser.add_argument("--parallel", type=int, default=256)
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--device", default="cuda")
    given = parser.parse_args()
    main(
        Task(given.agent, given.level, given.parallel, given.device),
        given.way,
        given.runs,
        given.seconds,
    )
