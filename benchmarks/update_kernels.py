"""How many kernels an update takes on a GPU, and which: a profile of captured updates.

    python benchmarks/update_kernels.py gata-coc-text 1

Prints the wall clock of an update, of a step of play, and the kernels by the time they take.
"""

import sys
import time
from collections import Counter
from collections.abc import Callable

import torch
from torch.autograd import DeviceType
from torch.profiler import ProfilerActivity, profile

from gata.agents.making import make_brain
from gata.agents.presets import find
from gata.games.store import load_level
from gata.rl.machine import assemble
from gata.rl.settings import LearningSettings, TrainSettings
from gata.training.device import get_ready

WARM_UP, ROUNDS, PROFILED, SHOWN = 80, 100, 5, 40
FILL = 2_000
"""Steps of random play in the replay."""


def milliseconds(work: Callable[[], object]) -> float:
    """Of one round, without waiting between them."""
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(ROUNDS):
        work()
    torch.cuda.synchronize()
    return (time.perf_counter() - start) / ROUNDS * 1000


def main(agent: str, level: int) -> None:
    """Measure one agent."""
    device = torch.device("cuda")
    get_ready(device)
    learning = LearningSettings(parallel=256, replay=20_000)
    settings = TrainSettings(agent=agent, level=level, learning=learning)
    brain = make_brain(find(agent), seed=1, device=device)
    machine = assemble(settings, brain, load_level(level, "train", 100))
    while machine.replay.size < FILL:
        machine.rollout.step(1.0)

    def update() -> None:
        machine.learner.learn(machine.random, 0.5)

    for _ in range(WARM_UP):
        update()
    print(f"{agent}, level {level}: update {milliseconds(update):.2f} ms")
    with profile(activities=[ProfilerActivity.CUDA]) as seen:
        for _ in range(PROFILED):
            update()
        torch.cuda.synchronize()
    counts, times = Counter[str](), Counter[str]()
    for event in seen.events():
        if event.device_type == DeviceType.CUDA:
            counts[event.name] += 1
            times[event.name] += event.time_range.elapsed_us()
    total = sum(times.values()) / PROFILED / 1000
    print(f"{counts.total() / PROFILED:.0f} kernels, {total:.2f} ms one after the other")
    for name, spent in times.most_common(SHOWN):
        print(f"{spent / PROFILED:9.1f} us {counts[name] / PROFILED:7.1f} times  {name[:100]}")
    for _ in range(WARM_UP):
        machine.rollout.step(0.1)
    print(f"play {milliseconds(lambda: machine.rollout.step(0.1)):.2f} ms for 256 games")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
