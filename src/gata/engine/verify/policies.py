"""How the checker plays: at random, by the book, and in ways that seek out rare rules.

A policy sees what the player sees and names the next command, or None to start the game again.
All are deterministic given their random generator.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Literal, Protocol, get_args

from gata.engine.verify.snapshot import Snapshot
from gata.games.game import Game

PolicyName = Literal["random", "walkthrough", "mixed"]
POLICIES: tuple[PolicyName, ...] = get_args(PolicyName)

AFTER_THE_END = ("look", "inventory")
"""What is tried once a game is over."""

_CUTTING = frozenset({"slice", "dice", "chop"})
_PREPARING = _CUTTING | {"cook"}
_CONSUMING = frozenset({"eat", "drink"})
_MOVING = frozenset({"go"})


class Policy(Protocol):
    """Chooses commands for one game, episode after episode."""

    def begin(self) -> None:
        """A new episode begins."""
        ...

    def choose(self, now: Snapshot) -> str | None:
        """The next command, or None to start again."""
        ...


def make_policy(name: PolicyName, game: Game, random: Random) -> Policy:
    """The policy of that name for one game."""
    makers: dict[PolicyName, Callable[[], Policy]] = {
        "random": lambda: RandomPolicy(random),
        "walkthrough": lambda: WalkthroughPolicy(game.walkthrough),
        "mixed": lambda: MixedPolicy(game, random),
    }
    return makers[name]()


class RandomPolicy:
    """Every admissible command is equally likely; episodes of up to ``limit`` commands."""

    def __init__(self, random: Random, limit: int = 100) -> None:
        self._random = random
        self._limit = limit
        self._ending = _Ending(random)
        self._steps = 0

    def begin(self) -> None:
        """A new episode begins."""
        self._steps = 0
        self._ending.begin()

    def choose(self, now: Snapshot) -> str | None:
        """The next command, or None to start again."""
        if self._ending.over(now):
            return self._ending.choose()
        self._steps += 1
        return self._random.choice(now.commands) if self._steps <= self._limit else None


class WalkthroughPolicy:
    """The game's own walkthrough, to the letter (some of its commands are refused)."""

    def __init__(self, walkthrough: Sequence[str]) -> None:
        self._plan = (*walkthrough, *AFTER_THE_END)
        self._steps = 0

    def begin(self) -> None:
        """A new episode begins."""
        self._steps = 0

    def choose(self, now: Snapshot) -> str | None:
        """The next command, or None to start again."""
        if self._steps == len(self._plan):
            return None
        self._steps += 1
        return self._plan[self._steps - 1]


class MixedPolicy:
    """Follows the walkthrough in a mood that changes from episode to episode.

    A mood says how often to leave the path for a command of a kind that was rarely tried so far,
    which kinds of preparation to leave out (so that preparing the meal fails in each way), whether
    to be hasty with the meal, what to do with it once it is made, and whether to meddle with
    things that were drunk and are only admissible by an oversight of TextWorld's.
    """

    def __init__(self, game: Game, random: Random, limit: int = 120) -> None:
        self._walkthrough = game.walkthrough
        self._types = sorted(
            ((e.name, e.type) for e in game.entities.values() if e.name),
            key=lambda named: -len(named[0]),
        )
        self._foods = {line.food for line in game.recipe}
        self._random = random
        self._limit = limit
        self._tried: Counter[str] = Counter()
        self._ending = _Ending(random)
        self.begin()

    def begin(self) -> None:
        """A new episode begins: a new mood."""
        random = self._random
        self._ending.begin()
        self._steps = 0
        self._plan = list(self._walkthrough)
        self._stuck = 0
        self._curious = random.choice((0.0, 0.05, 0.15, 0.4, 1.0))
        self._careful = random.random() < 0.5
        self._hasty = random.random() < 0.3
        self._playful = random.random() < 0.5
        self._thirsty = random.random() < 0.4
        self._leaves_out: frozenset[str] = random.choice(
            (frozenset(), frozenset(), _CUTTING, frozenset({"cook"}), _PREPARING)
        )
        self._drunk: str | None = None

    def choose(self, now: Snapshot) -> str | None:
        """The next command, or None to start again."""
        if self._ending.over(now):
            return self._ending.choose()
        if self._steps >= self._limit:
            return None
        self._steps += 1
        command = self._next(now)
        self._tried[self._kind(command)] += 1
        if command.startswith("drink "):
            self._drunk = command.removeprefix("drink ")
        return command

    def _next(self, now: Snapshot) -> str:
        random = self._random
        temptations = []
        if self._hasty and "prepare meal" in now.commands:
            temptations.append("prepare meal")
        if self._playful:
            temptations += [c for c in now.commands if c.split()[1:2] == ["meal"]]
        if self._thirsty:
            temptations += [c for c in now.commands if c.startswith("drink ")]
        if self._drunk is not None:
            temptations += [c for c in now.commands if self._drunk in c]
        if temptations and random.random() < 0.4:
            return self._rare(temptations)
        if random.random() < self._curious:
            return self._rare([c for c in now.commands if not self._spoils(c)] or now.commands)
        return self._follow(now)

    def _follow(self, now: Snapshot) -> str:
        """The walkthrough's next command, or one that helps to get back to it."""
        while self._plan:
            wanted = self._plan[0]
            words = wanted.split()
            if words[0] in self._leaves_out:
                self._plan.pop(0)
                continue
            if wanted in now.commands:
                self._plan.pop(0)
                self._stuck = 0
                return wanted
            # The same thing may be elsewhere by now, or a door may have been closed.
            similar = [c for c in now.commands if c.split()[:2] == words[:2]]
            if similar and words[0] not in _MOVING:
                self._plan.pop(0)
                return self._random.choice(similar)
            if words[0] == "open" and self._random.random() < 0.5:
                self._plan.pop(0)
                return wanted  # refused: it is open already
            openings = [c for c in now.commands if c.startswith("open ")]
            self._stuck += 1
            if self._stuck > 6:
                self._plan.pop(0)
                self._stuck = 0
                continue
            return self._rare(openings or now.commands)
        return self._rare(now.commands)

    def _rare(self, commands: Sequence[str]) -> str:
        """One of ``commands``, the likelier the less often its kind was tried."""
        weights = [1.0 / (1 + self._tried[self._kind(c)]) for c in commands]
        return self._random.choices(list(commands), weights)[0]

    def _spoils(self, command: str) -> bool:
        """Whether a careful player would leave it: it may use up or spoil an ingredient."""
        verb, _, rest = command.partition(" ")
        return self._careful and (
            (verb in _CONSUMING and any(rest == food for food in self._foods))
            or (verb in _PREPARING and any(rest.startswith(food) for food in self._foods))
        )

    def _kind(self, command: str) -> str:
        """The command with things replaced by their types: ``take f from c``."""
        for name, type_ in self._types:
            command = command.replace(name, f"<{type_}>")
        return command


class _Ending:
    """What to do when a game is over: now and then, to go on all the same."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self.begin()

    def begin(self) -> None:
        self._is_over = False

    def over(self, now: Snapshot) -> bool:
        """TextWorld says that a game is done once only, so it must be remembered."""
        self._is_over |= now.done
        return self._is_over

    def choose(self) -> str | None:
        return self._random.choice((*AFTER_THE_END, None, None, None))


class FixedPolicy:
    """Depends on the sorted admissible commands alone, so that it can play in either engine.

    A seeded choice among the commands an agent would be offered (no ``look``, no ``examine``
    but for the cookbook), never the same twice in a row if it can be helped.
    """

    def __init__(self, seed: int, limit: int) -> None:
        self._seed = seed
        self._limit = limit
        self.begin()

    def begin(self) -> None:
        """A new episode begins."""
        self._random = Random(self._seed)
        self._steps = 0

    def choose(self, now: Snapshot) -> str | None:
        """The next command, or None at the end of the game or after the last step."""
        if now.done or self._steps == self._limit:
            return None
        self._steps += 1
        offered = [
            command
            for command in sorted(now.commands)
            if command == "examine cookbook" or command.split()[0] not in ("look", "examine")
        ]
        return self._random.choice(offered)
