"""Plays TextWorldExpress at random and prints how many steps a second it does.

Run as a script, by any Python that has ``textworld_express`` (and Java): it imports nothing else,
so TextWorldExpress never needs to be installed beside gata.

    python express.py "numLocations=1,numIngredients=1" 5.0
"""

import importlib
import json
import random
import sys
import time
from typing import Any

STEP_LIMIT = 50


def main(parameters: str, seconds: float) -> None:
    """Play episodes of 50 random steps for about ``seconds`` after a warm-up of as many."""
    express = importlib.import_module("textworld_express")
    chance = random.Random(1)
    env = express.TextWorldExpressEnv(envStepLimit=10 * STEP_LIMIT)
    env.load(gameName="cookingworld", gameParams=parameters)
    _play(env, chance, seconds)
    rate = _play(env, chance, seconds)
    env.close()
    json.dump({"steps_per_second": rate}, sys.stdout)


def _play(env: Any, chance: random.Random, seconds: float) -> float:
    steps = episodes = 0
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        episodes += 1
        _, infos = env.reset(seed=episodes, gameFold="train", generateGoldPath=False)
        for _ in range(STEP_LIMIT):
            _, _, done, infos = env.step(chance.choice(infos["validActions"]))
            steps += 1
            if done:
                break
    return steps / (time.perf_counter() - start)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
