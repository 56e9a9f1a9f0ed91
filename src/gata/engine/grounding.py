"""Everything that can ever be done in a game: rules with entities in the place of placeholders.

Starting from the facts of the game's first moment, rules are matched against facts and their
results are added, never removing anything, until nothing new appears. What is not found can
never happen; what is true in the beginning and never touched is static.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from gata.engine.logic import Logic, Placeholder, Predicate, Rule, parse
from gata.errors import GataError
from gata.facts import Fact, Variable
from gata.games.game import Game

MAX_GROUNDINGS = 32_000
"""More than any game TextWorld makes; a file that asks for more is broken or hostile."""


@dataclass(frozen=True)
class Grounding:
    """One thing the player can do in this game, under conditions."""

    rule: Rule
    entities: Mapping[str, str]
    """Placeholder name -> entity id."""
    preconditions: tuple[Fact, ...]
    postconditions: tuple[Fact, ...]
    command: str
    event: str
    order: tuple[object, ...]
    """TextWorld's order among the groundings of all rules."""

    @property
    def added(self) -> frozenset[Fact]:
        """The facts it makes true."""
        return frozenset(self.postconditions) - frozenset(self.preconditions)

    @property
    def removed(self) -> frozenset[Fact]:
        """The facts it ends."""
        return frozenset(self.preconditions) - frozenset(self.postconditions)


@dataclass(frozen=True)
class Groundings:
    """The possible actions and facts of a game."""

    actions: tuple[Grounding, ...]
    """Sorted by command, equal commands in the order TextWorld prefers them."""
    dynamic_facts: tuple[Fact, ...]
    """Facts that can begin or end, sorted."""
    static_facts: frozenset[Fact]

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """All facts that can ever hold; a fact's number in the engine is its place here."""
        return (*self.dynamic_facts, *sorted(self.static_facts))


class _Matcher:
    """Matches rules against a growing set of facts, each match found exactly once."""

    def __init__(self, logic: Logic, game: Game) -> None:
        self.logic = logic
        self.names = game.names
        self.variables: dict[str, Variable] = {}
        self.rounds: dict[Fact, int] = {}
        self.by_predicate: dict[str, list[Fact]] = {}
        self.by_argument: dict[tuple[str, int, str], list[Fact]] = {}
        self.round = 0
        self.groundings: list[Grounding] = []
        self._types = {name: frozenset(logic.subtypes(name)) for name in logic.parents}
        self._constants = {
            Placeholder(name, name): Variable(name, name) for name in logic.constants
        }

    def add(self, fact: Fact, round_: int) -> None:
        if fact in self.rounds:
            return
        self.rounds[fact] = round_
        self.by_predicate.setdefault(fact.predicate, []).append(fact)
        for position, variable in enumerate(fact.arguments):
            self.by_argument.setdefault((fact.predicate, position, variable.id), []).append(fact)
            self.variables.setdefault(variable.id, variable)

    def run(self) -> None:
        new: list[Fact] = list(self.rounds)
        while new:
            fresh: dict[str, list[Fact]] = {}
            for fact in new:
                fresh.setdefault(fact.predicate, []).append(fact)
            found: list[Grounding] = []
            for rule in self.logic.rules:
                if rule.command:
                    found.extend(self._matches(rule, fresh))
            self.groundings.extend(found)
            if len(self.groundings) > MAX_GROUNDINGS:
                raise GataError(f"the rules allow more than {MAX_GROUNDINGS} different actions")
            self.round += 1
            before = len(self.rounds)
            for grounding in found:
                for fact in grounding.postconditions:
                    self.add(fact, self.round)
            new = list(self.rounds)[before:]

    def _matches(self, rule: Rule, fresh: Mapping[str, list[Fact]]) -> Iterator[Grounding]:
        """All groundings that use at least one fact of the current round."""
        conditions = rule.preconditions
        for pivot, predicate in enumerate(conditions):
            rest = [(i, p) for i, p in enumerate(conditions) if i != pivot]
            for fact in fresh.get(predicate.name, ()):
                mapping = self._bind(predicate, fact, self._constants)
                if mapping is not None:
                    for full in self._join(rest, pivot, mapping):
                        yield from self._instances(rule, full)

    def _bind(
        self, predicate: Predicate, fact: Fact, mapping: Mapping[Placeholder, Variable]
    ) -> dict[Placeholder, Variable] | None:
        """``mapping`` extended so that predicate and fact agree; None if they cannot.

        Different placeholders stand for different entities.
        """
        if len(predicate.parameters) != len(fact.arguments):
            return None
        extended = dict(mapping)
        for placeholder, variable in zip(predicate.parameters, fact.arguments, strict=True):
            existing = extended.get(placeholder)
            if existing is None:
                if variable.type not in self._types[placeholder.type]:
                    return None
                if variable in extended.values():
                    return None
                extended[placeholder] = variable
            elif existing != variable:
                return None
        return extended

    def _join(
        self,
        rest: list[tuple[int, Predicate]],
        pivot: int,
        mapping: dict[Placeholder, Variable],
    ) -> Iterator[dict[Placeholder, Variable]]:
        if not rest:
            yield mapping
            return
        (position, predicate), *others = rest
        # Facts of this round before the pivot were the pivot of another match already.
        newest = self.round - 1 if position < pivot else self.round
        for fact in self._candidates(predicate, mapping):
            if self.rounds[fact] > newest:
                continue
            extended = self._bind(predicate, fact, mapping)
            if extended is not None:
                yield from self._join(others, pivot, extended)

    def _candidates(
        self, predicate: Predicate, mapping: Mapping[Placeholder, Variable]
    ) -> list[Fact]:
        best: list[Fact] | None = None
        for position, placeholder in enumerate(predicate.parameters):
            variable = mapping.get(placeholder)
            if variable is not None:
                facts = self.by_argument.get((predicate.name, position, variable.id), [])
                if best is None or len(facts) < len(best):
                    best = facts
        return self.by_predicate.get(predicate.name, []) if best is None else best

    def _instances(self, rule: Rule, mapping: dict[Placeholder, Variable]) -> Iterator[Grounding]:
        """Fill placeholders that occur only in postconditions with anything that fits."""
        free = [p for p in rule.placeholders if p not in mapping]
        if free:
            for variable in sorted(self.variables.values()):
                if variable.type in self._types[free[0].type] and variable not in mapping.values():
                    yield from self._instances(rule, {**mapping, free[0]: variable})
            return
        before = tuple(_instantiate(p, mapping) for p in rule.preconditions)
        after = tuple(_instantiate(p, mapping) for p in rule.postconditions)
        words = {p.name: self.names.get(v.id, "") for p, v in mapping.items()}
        yield Grounding(
            rule=rule,
            entities={p.name: mapping[p].id for p in rule.placeholders},
            preconditions=before,
            postconditions=after,
            command=rule.command.format(**words),
            event=rule.event.format(**words),
            order=(
                -len(before),
                rule.name,
                tuple(
                    (self._rank(predicate, fact), fact)
                    for predicate, fact in zip(rule.preconditions, before, strict=True)
                ),
            ),
        )

    def _rank(self, predicate: Predicate, fact: Fact) -> int:
        order = self.logic.signature_order(predicate.signature[1:])
        return order.get(tuple(variable.type for variable in fact.arguments), 0)


def _instantiate(predicate: Predicate, mapping: Mapping[Placeholder, Variable]) -> Fact:
    return Fact(predicate.name, tuple(mapping[p] for p in predicate.parameters))


def ground(game: Game) -> Groundings:
    """Find all that can be done in ``game``, and all that can be true in it."""
    logic = parse(game.rules_text)
    matcher = _Matcher(logic, game)
    for fact in game.facts:
        matcher.add(fact, 0)
    matcher.run()
    actions = sorted(matcher.groundings, key=lambda g: (g.command, g.order))
    dynamic: set[Fact] = set()
    for action in actions:
        dynamic |= action.added | action.removed
    return Groundings(
        actions=tuple(actions),
        dynamic_facts=tuple(sorted(dynamic)),
        static_facts=frozenset(game.facts) - dynamic,
    )
