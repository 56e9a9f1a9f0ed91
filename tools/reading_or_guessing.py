"""Do trained agents read the recipe before they cut and cook, or do they guess? Prints JSON.

    python tools/reading_or_guessing.py 1 agent/tr-dqn-level1-100games-seed1 runs/train/RUN ...
    python tools/reading_or_guessing.py 1 --games level1/fresh

On level 1 the food must be cut in one way, on level 2 also cooked with one thing; the cookbook
tells how. Agents of a level play its 20 test games greedily, or other games of the level: how do
the games end, and in how many is the cookbook opened? Beside them stands who never reads and treats
every food as most of the 100 training games want it.
"""

import argparse
import json
import shlex
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import permutations
from typing import Any, NamedTuple

import torch

from gata.agents.stored import load_agent
from gata.agents.transcript import Moment, watch
from gata.errors import GataError
from gata.evaluation.fresh import games_digest
from gata.games.game import Game
from gata.games.store import load_level, load_set
from gata.training.checkpoint import circumstances

READING = "examine cookbook"
ARMING = "take knife"
LOST = "*** You lost! ***"
WAYS = {"cut": ("chop", "dice", "slice"), "cook": ("BBQ", "oven", "stove")}
STEP_LIMIT = 50
TAKEN = 1
"""Points of who holds the food; each right treatment brings one more."""


class Treatment(NamedTuple):
    """One thing that a recipe wants done."""

    food: str
    kind: str
    """A key of WAYS."""
    way: str


Habits = dict[tuple[str, str], frozenset[str]]
"""By food and kind: the ways of who does not read, each as often as the others."""


def treatment(command: str) -> Treatment | None:
    """What a command does to a food, if anything."""
    verb, _, rest = command.partition(" ")
    food, _, tool = rest.partition(" with ")
    if verb in WAYS["cut"]:
        return Treatment(food, "cut", verb)
    return Treatment(food, "cook", tool) if verb == "cook" else None


def recipe(game: Game) -> list[Treatment]:
    """All that must be done to the food of a game."""
    return [found for each in game.walkthrough if (found := treatment(each))]


def ending(last: Moment, command: str) -> str:
    """How a game ended."""
    if last.won or LOST not in last.text:
        return "won" if last.won else "out of time"
    if command.startswith("eat "):
        return "eaten too early"
    done = treatment(command)
    if done is None:
        raise ValueError(f"lost by {command!r}, which treats no food")
    return "burned" if "You burned" in last.text else f"wrong {done.kind}"


def look_at(name: str, games: Sequence[Game]) -> dict[str, Any]:
    """How an agent's games end, and in how many it opens the cookbook or takes the knife."""
    brain = load_agent(name, "cpu").brain
    endings: Counter[str] = Counter()
    read = armed = 0
    for game in games:
        moments = list(watch(brain, game, step_limit=STEP_LIMIT, edges=0))
        commands = [moment.command for moment in moments if moment.command]
        endings[ending(moments[-1], commands[-1])] += 1
        read += READING in commands
        armed += any(each.startswith(ARMING) for each in commands)
    counts = {"games": len(games), "opens cookbook": read, "takes knife": armed}
    return {"agent": name, **counts, "endings": dict(endings.most_common())}


def habits(games: Sequence[Game]) -> Habits:
    """Treat each food as most games want it; what no game tells is guessed."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for food, kind, way in (each for game in games for each in recipe(game)):
        counts[food, kind][way] += 1
    most = {key: max(count.values()) for key, count in counts.items()}
    return {
        key: frozenset(way for way, times in count.items() if times == most[key])
        for key, count in counts.items()
    }


def guess_game(known: Habits, game: Game, order: Sequence[str]) -> tuple[float, float]:
    """What habits bring, on average over ties, where a wrong treatment ends the game.

    Returns how often the game is won, and the points.
    """
    alive, score = 1.0, float(TAKEN)
    for food, kind, way in sorted(recipe(game), key=lambda each: order.index(each.kind)):
        ways = known.get((food, kind), frozenset(WAYS[kind]))
        alive *= (way in ways) / len(ways)
        score += alive
    # Who did all of this prepares the meal and eats it.
    return alive, score + alive * (game.max_score - TAKEN - len(recipe(game)))


def guess(known: Habits, games: Sequence[Game], order: Sequence[str]) -> dict[str, Any]:
    """What habits bring in all of some games."""
    won, points = zip(*(guess_game(known, game, order) for game in games), strict=True)
    total = sum(game.max_score for game in games)
    return {"games": len(games), "won": sum(won), "score": 100 * sum(points) / total}


def game_by_game(known: Habits, games: Sequence[Game], order: Sequence[str]) -> dict[str, Any]:
    """The guesser's score in each game, in percent, to set beside an agent's."""
    scores = [100 * guess_game(known, game, order)[1] / game.max_score for game in games]
    digits = [round(score, 4) for score in scores]
    return {"games_sha256": games_digest(games), "guessed": digits}


def main(level: int, names: Sequence[str], games: str | None) -> None:
    """Look at everybody."""
    train, test = load_level(level, "train", 100), load_set(games or f"level{level}/test")
    if strange := [name for name in test.names if not name.startswith(f"level{level}/")]:
        raise GataError(f"{games}: {strange[0]} is no game of level {level}")
    known = habits(train)
    order = max(permutations(WAYS), key=lambda order: float(guess(known, train, order)["score"]))
    words = [str(level), *(("--games", games) if games else ()), *names]
    told = {
        "level": level,
        "agents": [look_at(name, test) for name in names],
        "guessing": {
            "train": guess(known, train, order),
            games or "test": guess(known, test, order),
        },
        **(game_by_game(known, test, order) if games else {}),
        **circumstances(torch.device("cpu")),
        "command": shlex.join(["python", "tools/reading_or_guessing.py", *words]),
    }
    sys.stdout.write(json.dumps(told, indent=2) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("level", type=int, choices=(1, 2))
    parser.add_argument("agents", nargs="*", help="names of the package, or folders of runs")
    parser.add_argument("--games", metavar="SET", help="by default levelN/test")
    given = parser.parse_args()
    try:
        main(given.level, given.agents, given.games)
    except GataError as error:
        parser.exit(1, f"{error}\n")
