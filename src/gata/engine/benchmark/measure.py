"""Steps per second of a random player in episodes of 50 steps, resets included."""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np

from gata.engine import VectorEnv
from gata.games.game import Game
from gata.games.settings import Setting

STEP_LIMIT = 50
_REPEATS = 3


@dataclass(frozen=True)
class Speed:
    """One measurement; the rate is the median of three."""

    engine: str
    games: str
    """The set the games are from."""
    batch: int
    threads: int
    steps_per_second: float | None
    """None if it could not be measured; ``remark`` says why."""
    remark: str = ""


def textworld_speed(label: str, games: Sequence[Game], seconds: float) -> Speed:
    """Real TextWorld with what an agent needs; games are compiled beforehand."""
    from gata.engine.verify.reference import compiled, import_textworld

    textworld = import_textworld()
    wanted = textworld.EnvInfos(
        description=True, inventory=True, admissible_commands=True, facts=True, score=True
    )
    envs = [textworld.start(str(compiled(game)), wanted) for game in games]
    chance = Random(1)

    def play() -> float:
        steps = number = 0
        start = time.perf_counter()
        while time.perf_counter() - start < seconds:
            env = envs[number % len(envs)]
            number += 1
            state = env.reset()
            for _ in range(STEP_LIMIT):
                state, _, done = env.step(chance.choice(state["admissible_commands"]))
                steps += 1
                if done:
                    break
        return steps / (time.perf_counter() - start)

    rates = [play() for _ in range(_REPEATS)]
    for env in envs:
        env.close()
    return Speed(
        "TextWorld",
        label,
        1,
        1,
        statistics.median(rates),
        "description, inventory, commands, facts; no graphs",
    )


def express_speed(label: str, setting: Setting, seconds: float, python: str) -> Speed:
    """TextWorldExpress with a like number of rooms and ingredients, by ``python``."""
    parameters = ",".join(
        (
            f"numLocations={min(setting.go, 11)}",
            f"numIngredients={setting.recipe}",
            "numDistractorItems=5",
            f"includeDoors={int(setting.open)}",
            "limitInventorySize=0",
        )
    )
    script = Path(__file__).with_name("express.py")
    command = [python, str(script), parameters, str(seconds)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120 + 4 * seconds)
    except (OSError, subprocess.TimeoutExpired) as error:
        return Speed("TextWorldExpress", label, 1, 1, None, f"not measured: {error}")
    if done.returncode != 0:
        why = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return Speed("TextWorldExpress", label, 1, 1, None, f"not measured: {why}")
    rate = json.loads(done.stdout.splitlines()[-1])["steps_per_second"]
    return Speed("TextWorldExpress", label, 1, 1, rate, "another game: other texts and maps")


def our_speed(
    label: str, games: Sequence[Game], *, batch: int, threads: int, seconds: float
) -> Speed:
    """Our engine with all outputs on: tokens, candidates, both graphs."""
    env = VectorEnv(games, batch=batch, threads=threads, step_limit=STEP_LIMIT, seed=1)
    chance = np.random.default_rng(1)
    rows = np.arange(batch)
    outputs = env.reset()

    def play(seconds: float) -> float:
        rounds = 0
        start = time.perf_counter()
        while time.perf_counter() - start < seconds:
            choice = (chance.random(batch) * outputs.candidate_count).astype(np.int64)
            env.step(outputs.candidates[rows, choice])
            rounds += 1
        return rounds * batch / (time.perf_counter() - start)

    play(seconds / 4)  # compiles what is not compiled yet, and spreads the episodes
    rates = [play(seconds) for _ in range(_REPEATS)]
    return Speed("gata", label, batch, threads, statistics.median(rates))


def state_bytes(games: Sequence[Game]) -> int:
    """Memory of one row's state, texts and graphs included."""
    return VectorEnv(games, batch=1).state_bytes


def start_up_seconds(games_name: str) -> float:
    """From a fresh Python to the first step of 20 games, with a warm cache (best of three)."""
    program = (
        "from gata.games.store import load_set\n"
        "from gata.engine import VectorEnv\n"
        f"env = VectorEnv(load_set({games_name!r})[:20], batch=20)\n"
        "outputs = env.reset()\n"
        "env.step(outputs.candidates[:, 0])\n"
    )
    times = []
    for _ in range(_REPEATS):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", program], check=True)
        times.append(time.perf_counter() - start)
    return min(times)


def all_cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
