"""What ``gata.nn.sparse`` brings on a CPU: an agent that is told the graph plays and learns.

    python benchmarks/edge_to_edge.py gtf-sp 4

One thread, 256 games at once. Prints processor milliseconds of an update and of a step of all
games, with the plain layers and from edge to edge, taking turns in this run, and their ratio.
"""

import dataclasses
import os
import sys
import time
from collections.abc import Callable
from statistics import median

import torch

from gata.agents.making import make_brain
from gata.agents.presets import find
from gata.games.store import load_level
from gata.nn.fused import SWITCH
from gata.rl.machine import assemble
from gata.rl.settings import TrainSettings
from gata.training.device import get_ready

GAMES, FILL, ROUNDS, TURNS = 256, 2_000, 12, 3
EXPLORING = 0.1


def milliseconds(work: Callable[[], object]) -> float:
    """The median of some rounds, by the processor's clock."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return median(times) * 1000


def main(agent: str, level: int) -> None:
    """Measure one agent."""
    torch.set_num_threads(1)
    device = torch.device("cpu")
    get_ready(device)
    settings = TrainSettings(agent=agent, level=level)
    learning = dataclasses.replace(settings.learning, parallel=GAMES)
    settings = dataclasses.replace(settings, learning=learning)
    brain = make_brain(find(agent), seed=1, device=device)
    machine = assemble(settings, brain, load_level(level, "train", 100))
    # Some episodes have to end before their steps can be drawn.
    rounds = 0
    while machine.replay.size < FILL or rounds <= learning.step_limit:
        machine.rollout.step(1.0)
        rounds += 1
    works: dict[str, Callable[[], object]] = {
        "update": lambda: machine.learner.learn(machine.random, 0.5),
        "play": lambda: machine.rollout.step(EXPLORING),
    }
    for name, work in works.items():
        plain: list[float] = []
        ours: list[float] = []
        for turn in range(TURNS + 1):
            for switch, times in (("off", plain), ("on", ours)):
                os.environ[SWITCH] = switch
                spent = milliseconds(work)
                if turn:  # the first is to warm up
                    times.append(spent)
        slow, fast = min(plain), min(ours)
        print(
            f"{agent}, level {level}, {name:6}  plain {slow:6.1f} ms  edges {fast:6.1f} ms"
            f"  ratio {slow / fast:.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
