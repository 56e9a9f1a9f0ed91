"""How the checker plays: at random, by the book, and in ways that seek out rare rules.

A policy sees what the player sees and names the next command, or None to start the game again.
All are deterministic given their random generator.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Literal, Protocol

from gata.engine.commands import passes_filter
from gata.engine.verify.snapshot import Snapshot, room_of
from gata.facts import Fact
from gata.games.game import Game
from gata.graph.extract import DIRECTIONS, carried, in_sight

PolicyName = Literal["random", "walkthrough", "mixed", "refused"]
CANDIDATE_POLICIES: tuple[PolicyName, ...] = ("walkthrough", "random", "mixed")
"""Those that play as an agent does that chooses among admissible commands."""

AFTER_THE_END = ("look", "inventory")
"""What is tried once a game is over."""

_CUTTING = frozenset({"slice", "dice", "chop"})
_PREPARING = _CUTTING | {"cook"}
_CONSUMING = frozenset({"eat", "drink"})
_GETTING = frozenset({"take", "drink"})
_HEAT_SOURCES = frozenset({"stove", "oven", "toaster"})
_PATIENCE = 12
"""How many steps the way back to the walkthrough may take before a command is given up."""


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
        "refused": lambda: RefusedPolicy(game, random),
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

    def __init__(
        self, walkthrough: Sequence[str], after_the_end: Sequence[str] = AFTER_THE_END
    ) -> None:
        self._plan = (*walkthrough, *after_the_end)
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
    which preparations to leave out (so that preparing the meal fails in each way), whether to be
    hasty with the meal, what to do with it once it is made, whether to travel to some other room
    for a while, and whether to meddle with things that were drunk and stay admissible by an
    oversight of TextWorld's.
    """

    def __init__(self, game: Game, random: Random, limit: int = 120) -> None:
        self._map = Map(game)
        self._plan_from_start = self._map.located(game.walkthrough)
        self._types = sorted(
            ((e.name, e.type) for e in game.entities.values() if e.name),
            key=lambda named: -len(named[0]),
        )
        self._foods = tuple(line.food for line in game.recipe)
        self._drinks = [
            game.entities[fact.ids[0]].name for fact in game.facts if fact.predicate == "drinkable"
        ]
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
        self._plan = list(self._plan_from_start)
        self._stuck = 0
        self._curious = random.choice((0.0, 0.05, 0.15, 0.4, 1.0))
        self._careful = random.random() < 0.5
        self._hasty = random.random() < 0.3
        self._playful = random.random() < 0.5
        self._thirsty = random.random() < 0.4
        self._restless = random.choice((0.0, 0.0, 0.03, 0.1))
        self._leaves_out: frozenset[str] = random.choice(
            (frozenset(), frozenset(), _CUTTING, frozenset({"cook"}), _PREPARING)
        )
        self._drunk: str | None = None
        self._had_meal = False
        self._destination: str | None = None
        self._stay = 0

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
        tempting = self._temptations(now)
        if tempting and random.random() < 0.5:
            return self._rare(tempting)
        if random.random() < self._restless or (self._playful and self._has_new_meal(now)):
            self._destination, self._stay = self._somewhere(), random.randint(2, 8)
        if self._destination is not None:
            return self._travel_and_stay(now, self._destination)
        if random.random() < self._curious:
            return self._rare([c for c in now.commands if not self._spoils(c)] or now.commands)
        return self._follow(now)

    def _has_new_meal(self, now: Snapshot) -> bool:
        """True once in an episode: when the meal is made."""
        is_new = not self._had_meal and "a meal" in now.inventory
        self._had_meal |= is_new
        return is_new

    def _somewhere(self) -> str:
        """Any room, but often one where something can be cooked."""
        kitchens = self._map.rooms_to_cook_in
        return self._random.choice(
            self._random.choice((kitchens or self._map.rooms, self._map.rooms))
        )

    def _temptations(self, now: Snapshot) -> list[str]:
        def is_tempting(command: str) -> bool:
            verb, *rest = command.split()
            return (
                (self._hasty and command == "prepare meal")
                or (self._playful and rest[:1] == ["meal"])
                or (self._thirsty and verb in _GETTING and any(map(command.count, self._drinks)))
                or (self._drunk is not None and self._drunk in command)
            )

        return [command for command in now.commands if is_tempting(command)]

    def _travel_and_stay(self, now: Snapshot, destination: str) -> str:
        step = self._map.towards(destination, now)
        if step is not None and step in now.commands:
            return step
        self._stay -= 1
        if self._stay == 0:
            self._destination = None
        return self._rare(now.commands)

    def _follow(self, now: Snapshot) -> str:
        """The walkthrough's next command, or one that helps to get back to it."""
        while self._plan:
            room, wanted = self._plan[0]
            words = wanted.split()
            if words[0] in self._leaves_out:
                self._plan.pop(0)
                continue
            step = self._map.towards(room, now)
            if step is not None and step in now.commands and self._stuck < _PATIENCE:
                self._stuck += 1
                return step
            # What is wanted may be elsewhere in the room by now: take it from there.
            alike = [c for c in now.commands if c.split()[:2] == words[:2]]
            refused = words[0] == "open" and step is None and self._random.random() < 0.5
            self._plan.pop(0)
            self._stuck = 0
            if wanted in now.commands or refused:
                return wanted
            if alike and words[0] != "go":
                return self._random.choice(alike)
        return self._rare(now.commands)

    def _rare(self, commands: Sequence[str]) -> str:
        """One of ``commands``, the likelier the less often its kind was tried."""
        weights = [1.0 / (1 + self._tried[self._kind(c)]) for c in commands]
        return self._random.choices(list(commands), weights)[0]

    def _spoils(self, command: str) -> bool:
        """Whether a careful player would leave it: it may use up or spoil an ingredient."""
        verb, _, rest = command.partition(" ")
        return self._careful and verb in _CONSUMING | _PREPARING and rest.startswith(self._foods)

    def _kind(self, command: str) -> str:
        """The command with things replaced by their types: ``take <f> from <c>``."""
        for name, type_ in self._types:
            command = command.replace(name, f"<{type_}>")
        return command


class RefusedPolicy:
    """Every other command is well-formed but not admissible: things as they are, verbs at random.

    Names are mostly of things in sight; others share no word with one in sight: what Inform's
    parser makes of half a name is beyond any engine but Inform's. Keys in hand are tried. Foods
    that the facts do not call cuttable or cookable are not prepared: Inform would do it, and
    TextWorld would not notice.
    """

    LOCKING = tuple(f"{verb} {{0}} with {{1}}" for verb in ("lock", "unlock"))
    TEMPLATES = (
        *(f"{verb} {{0}}" for verb in ("open", "close", "take", "drop", "eat", "drink", "examine")),
        *(f"{verb} {{0}} with {{1}}" for verb in ("slice", "dice", "chop", "cook")),
        *LOCKING,
        *("put {0} on {1}", "insert {0} into {1}", "take {0} from {1}"),
        *(f"go {direction}" for direction in ("north", "south", "east", "west")),
        "prepare meal",
    )

    def __init__(self, game: Game, random: Random, limit: int = 100) -> None:
        self._names = {
            entity.id: entity.name
            for entity in game.entities.values()
            if entity.name and entity.type != "r"
        }
        foods = {id_: name for id_, name in self._names.items() if game.entities[id_].type == "f"}
        may_be = {(fact.predicate, fact.ids[0]) for fact in game.facts if len(fact.ids) == 1}
        self._not_to_be = {
            verb: tuple(
                name
                for id_, name in foods.items()
                if ("cookable" if verb == "cook" else "cuttable", id_) not in may_be
            )
            for verb in _PREPARING
        }
        self._random = random
        self._admissible = RandomPolicy(random, limit)
        self._is_turn = False

    def begin(self) -> None:
        """A new episode begins."""
        self._admissible.begin()

    def choose(self, now: Snapshot) -> str | None:
        """The next command, or None to start again."""
        command = self._admissible.choose(now)
        self._is_turn = not self._is_turn
        if command is None or not self._is_turn:
            return command
        refused = self._well_formed(now.facts)
        return command if refused in now.commands or self._goes_unnoticed(refused) else refused

    def _goes_unnoticed(self, command: str) -> bool:
        verb, _, food = command.partition(" ")
        return verb in _PREPARING and food.startswith(self._not_to_be[verb])

    def _well_formed(self, facts: frozenset[Fact]) -> str:
        random = self._random
        near = {
            argument.id: argument.type
            for fact in in_sight(facts) | carried(facts)
            for argument in fact.arguments
            if argument.id in self._names
        }
        keys = sorted(
            self._names[fact.ids[0]] for fact in carried(facts) if fact.arguments[0].type == "k"
        )
        near_names = [name for id_, name in self._names.items() if id_ in near]
        words = {word for name in near_names for word in name.split()}
        clear_names = near_names + [
            name for name in self._names.values() if not words & set(name.split())
        ]
        first, second = (
            random.choice(near_names if near_names and random.random() < 0.8 else clear_names)
            for _ in range(2)
        )
        lockable = [name for id_, name in self._names.items() if near.get(id_) in ("c", "d")]
        if keys and lockable and random.random() < 0.5:
            return random.choice(self.LOCKING).format(random.choice(lockable), random.choice(keys))
        return random.choice(self.TEMPLATES).format(first, second)


class Map:
    """Which way leads where, by the game's own facts; rooms and doors by id."""

    def __init__(self, game: Game) -> None:
        self._names = {id_: entity.name for id_, entity in game.entities.items()}
        self.rooms = [entity.id for entity in game.entities.values() if entity.type == "r"]
        self.rooms_to_cook_in = sorted(
            {
                fact.ids[1]
                for fact in game.facts
                if fact.predicate == "at" and fact.arguments[0].type in _HEAT_SOURCES
            }
        )
        self._ways: dict[str, dict[str, str]] = {room: {} for room in self.rooms}
        self._doors: dict[tuple[str, str], str] = {}
        for fact in game.facts:
            if fact.predicate in DIRECTIONS:
                there, here = fact.ids
                self._ways[here][f"go {fact.predicate.removesuffix('_of')}"] = there
            elif fact.predicate == "link":
                here, door, there = fact.ids
                self._doors[here, there] = door
        self._start = room_of(game.facts)

    def located(self, commands: Iterable[str]) -> list[tuple[str, str]]:
        """Each command with the room in which it is given, if all goes well."""
        room = self._start
        located = []
        for command in commands:
            located.append((room, command))
            room = self._ways[room].get(command, room)
        return located

    def towards(self, destination: str, now: Snapshot) -> str | None:
        """The next command on the shortest way, opening doors; None if there or no way."""
        here = room_of(now.facts)
        first_step: dict[str, str] = {here: ""}
        queue = deque([here])
        while queue and destination not in first_step:
            room = queue.popleft()
            for command, there in self._ways[room].items():
                if there not in first_step:
                    first_step[there] = first_step[room] or command
                    queue.append(there)
        step = first_step.get(destination)
        if not step or step in now.commands:
            return step or None
        door = self._doors.get((here, self._ways[here][step]))
        return f"open {self._names[door]}" if door else None


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
    but for the cookbook).
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
        offered = [command for command in sorted(now.commands) if passes_filter(command)]
        return self._random.choice(offered)
