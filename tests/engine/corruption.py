"""Plays games with faults put in at random; run as a program, so that a crash is its own only.

    python -m tests.engine.corruption 100

Prints the number of each case before it is tried. Every case ends in a ``GataError`` or is
played; anything else ends the program.
"""

import copy
import sys
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from gata.engine import VectorEnv, build
from gata.errors import GataError
from gata.games import Game, load_level

STEPS = 100
RULE_WORDS = (
    *("north_of", "south_of", "east_of", "west_of", "open", "closed", "in(", "on(", "at(", "raw"),
    *("uncut", "cooked", "{o}", "{c}", "{s}", "{f}", "{P}", "{r}"),
)

Data = dict[str, Any]


def lose_fact(data: Data, chance: Random) -> None:
    data["world"].pop(chance.randrange(len(data["world"])))


def lose_entity(data: Data, chance: Random) -> None:
    data["infos"].pop(chance.randrange(len(data["infos"])))


def exchange_argument(data: Data, chance: Random) -> None:
    fact, other = chance.choice(data["world"]), chance.choice(data["world"])
    chance.choice(fact["arguments"]).update(chance.choice(other["arguments"]))


def exchange_predicate(data: Data, chance: Random) -> None:
    chance.choice(data["world"])["name"] = chance.choice(data["world"])["name"]


def exchange_type(data: Data, chance: Random) -> None:
    chance.choice(data["infos"])[1]["type"] = chance.choice(data["infos"])[1]["type"]


def exchange_rule_words(data: Data, chance: Random) -> None:
    parts = data["KB"]["logic"].split(word := chance.choice(RULE_WORDS))
    if len(parts) > 1:
        cut = chance.randrange(1, len(parts))
        sides = word.join(parts[:cut]), word.join(parts[cut:])
        data["KB"]["logic"] = chance.choice(RULE_WORDS).join(sides)


def move_player(data: Data, chance: Random) -> None:
    entity, info = chance.choice(data["infos"])
    for fact in data["world"]:
        if fact["name"] == "at" and fact["arguments"][0]["name"] == "P":
            fact["arguments"][1] = {"name": entity, "type": info["type"]}


def change_reward(data: Data, chance: Random) -> None:
    chance.choice(data["quests"])["reward"] = chance.choice([-1, 0, 0.5, 100, 10**5, 10**12])


def list_again(data: Data, chance: Random) -> None:
    holders = [entity for entity, info in data["infos"] if info["type"] in "rscP"]
    described = chance.choice(data["infos"])[1]
    listing = f"[a list of things on the {chance.choice(holders)}]"
    described["desc"] = (described["desc"] or "") + listing * chance.choice([1, 5, 3000])


FAULTS: tuple[Callable[[Data, Random], None], ...] = (
    lose_fact,
    lose_entity,
    exchange_argument,
    exchange_predicate,
    exchange_type,
    exchange_rule_words,
    move_player,
    change_reward,
    list_again,
)


def play(game: Game, seed: int) -> str:
    """Compile and play at random; what came of it."""
    try:
        env = VectorEnv(build([game], use_cache=False), 3, candidate_filter=False, seed=seed)
    except GataError:
        return "refused"
    outputs = env.reset()
    chance = np.random.default_rng(seed)
    for _ in range(STEPS):
        if (outputs.candidate_count == 0).any():
            return "nothing to do"
        outputs = env.step_candidates((chance.random(3) * outputs.candidate_count).astype(int))
        for row in range(3):
            env.feedback(row)
    return "played"


def main(cases: int) -> None:
    games = [load_level(level, "test")[3] for level in (1, 4)]
    results: Counter[str] = Counter()
    for case in range(cases):
        chance = Random(case)
        data = copy.deepcopy(dict(chance.choice(games).data))
        faults = chance.choices(FAULTS, k=chance.randint(1, 2))
        print(case, *(fault.__name__ for fault in faults), flush=True)
        for fault in faults:
            fault(data, chance)
        results[play(Game("corrupt.json", data), case)] += 1
    print(*(f"{count} {name}" for name, count in sorted(results.items())), sep=", ")


if __name__ == "__main__":
    main(int(sys.argv[1]))
