"""Steps per second of a random player in episodes of 50 steps, resets included."""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from random import Random

import numpy as np

from gata.engine import VectorEnv
from gata.engine.commands import passes_filter
from gata.errors import UsageError
from gata.games.game import Game
from gata.games.settings import Setting

STEP_LIMIT = 50
_REPEATS = 3


@dataclass(frozen=True)
class Speed:
    """One measurement; rates are medians of three."""

    engine: str
    games: str
    """The set the games are from."""
    batch: int
    threads: int
    steps_per_second: float | None
    """By the clock on the wall; None if it could not be measured, ``remark`` says why."""
    steps_per_cpu_second: float | None = None
    """By the processor's clock, which other programs on the machine disturb less; one thread."""
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
    turns = cycle(envs)

    def play_episode() -> int:
        env = next(turns)
        state = env.reset()
        steps = 0
        done = False
        while not done and steps < STEP_LIMIT:
            offered = [c for c in state["admissible_commands"] if passes_filter(c)]
            state, _, done = env.step(chance.choice(offered))
            steps += 1
        return steps

    rates = _rates(play_episode, seconds)
    for env in envs:
        env.close()
    remark = "description, inventory, commands, facts; no tokens, no graphs"
    return Speed("TextWorld", label, 1, 1, *rates, remark)


def _rates(play: Callable[[], int], seconds: float) -> tuple[float, float]:
    """Steps per second of wall and of processor time; ``play`` returns the steps it did."""
    by_wall, by_cpu = [], []
    for _ in range(_REPEATS):
        steps = 0
        wall, cpu = time.perf_counter(), time.process_time()
        while time.perf_counter() - wall < seconds:
            steps += play()
        by_wall.append(steps / (time.perf_counter() - wall))
        by_cpu.append(steps / (time.process_time() - cpu))
    return statistics.median(by_wall), statistics.median(by_cpu)


def check_express(python: str) -> None:
    """Refuse a Python that the user named and that cannot play TextWorldExpress."""
    try:
        done = subprocess.run(
            [python, "-c", "import textworld_express"], capture_output=True, text=True, timeout=120
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"--express-python is {python}, which does not run: {error}") from error
    if done.returncode != 0:
        why = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise UsageError(f"--express-python is {python}, which lacks textworld_express: {why}")


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
        return Speed("TextWorldExpress", label, 1, 1, None, remark=f"not measured: {error}")
    if done.returncode != 0:
        why = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return Speed("TextWorldExpress", label, 1, 1, None, remark=f"not measured: {why}")
    rate = json.loads(done.stdout.splitlines()[-1])["steps_per_second"]
    return Speed("TextWorldExpress", label, 1, 1, rate, remark="another game")


def our_speed(
    label: str, games: Sequence[Game], *, batch: int, threads: int, seconds: float
) -> Speed:
    """Our engine with all outputs on: tokens, candidates, both graphs."""
    env = VectorEnv(games, batch, threads=threads, step_limit=STEP_LIMIT, seed=1)
    chance = np.random.default_rng(1)
    outputs = env.reset()

    def play_round() -> int:
        choices = (chance.random(batch) * outputs.candidate_count).astype(np.int64)
        # A row whose episode is over begins the next one: that takes time but is no step.
        steps = batch - int(np.count_nonzero(outputs.done))
        env.step_candidates(choices)
        return steps

    _rates(play_round, seconds / 8)  # compiles what is not compiled yet, spreads the episodes
    wall, cpu = _rates(play_round, seconds)
    return Speed("gata", label, batch, threads, wall, cpu if threads == 1 else None)


def row_bytes(games: Sequence[Game]) -> tuple[int, int]:
    """Memory of one row: its state (texts and graphs included), and its outputs beside it."""
    env = VectorEnv(games, 1)
    return env.state_bytes, env.output_bytes


def start_up_seconds(games_name: str) -> float:
    """From a fresh Python to the first step of a set's games, with a warm cache (best of three)."""
    program = (
        "from gata.engine import VectorEnv\n"
        f"env = VectorEnv({games_name!r}, 20)\n"
        "outputs = env.reset()\n"
        "env.step(outputs.candidates[:, 0])\n"
    )
    times = []
    for _ in range(_REPEATS):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", program], check=True)
        times.append(time.perf_counter() - start)
    return min(times)
