"""Do trained agents read the recipe before they cut, or do they guess? Prints JSON.

    python tools/reading_or_guessing.py agent/tr-dqn-level1-100games-seed1 ...

On level 1 the only choice that can lose a game is how to cut the food, which the cookbook tells.
Each agent plays the 20 test games greedily: how many are won, and in how many was the recipe read
before the first cut? Beside them stands who never reads and cuts every food as most of the 100
training games want it.
"""

import json
import shlex
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import torch

from gata.agents.stored import load_agent
from gata.agents.transcript import watch
from gata.games.game import Game
from gata.games.store import load_level
from gata.training.checkpoint import circumstances

READING = "examine cookbook"
CUTS = ("chop", "dice", "slice")
STEP_LIMIT = 50
LOST_POINTS = 1
"""Of a game that ends with a wrong cut: the food was taken."""


def is_cut(command: str) -> bool:
    """Whether a command cuts something."""
    return command.split()[0] in CUTS


def reads_first(commands: Sequence[str]) -> bool:
    """Whether the recipe is read before the first cut."""
    cut = next((i for i, each in enumerate(commands) if is_cut(each)), len(commands))
    return READING in commands[:cut]


def look_at(name: str, games: Sequence[Game]) -> dict[str, Any]:
    """How an agent fares, and whether it reads."""
    brain = load_agent(name, "cpu").brain
    won = read = 0
    for game in games:
        moments = list(watch(brain, game, step_limit=STEP_LIMIT, edges=0))
        won += moments[-1].score == game.max_score
        read += reads_first([moment.values[0][0] for moment in moments if moment.values])
    return {"agent": name, "games": len(games), "won": won, "read_first": read}


def recipe(game: Game) -> tuple[str, str]:
    """The food of a level-1 game and how it must be cut."""
    cut, *rest = next(command for command in game.walkthrough if is_cut(command)).split()
    return " ".join(rest[: rest.index("with")]), cut


def guess(learnt_from: Sequence[Game], games: Sequence[Game]) -> dict[str, Any]:
    """What cutting each food as most games want it brings; equals are taken by turns."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for food, cut in map(recipe, learnt_from):
        counts[food][cut] += 1
    won = 0.0
    for food, cut in map(recipe, games):
        known = counts[food] or Counter(CUTS)
        best = [each for each, count in known.items() if count == max(known.values())]
        won += (cut in best) / len(best)
    points = games[0].max_score
    score = 100 * (won * points + (len(games) - won) * LOST_POINTS) / (points * len(games))
    return {"games": len(games), "won": won, "score": score}


def main(names: Sequence[str]) -> None:
    """Look at everybody."""
    train, test = load_level(1, "train", 100), load_level(1, "test")
    told = {
        "agents": [look_at(name, test) for name in names],
        "guessing": {"train": guess(train, train), "test": guess(train, test)},
        **circumstances(torch.device("cpu")),
        "command": shlex.join(["python", "tools/reading_or_guessing.py", *names]),
    }
    sys.stdout.write(json.dumps(told, indent=2) + "\n")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
