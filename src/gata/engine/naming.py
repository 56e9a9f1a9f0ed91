"""Facts and actions told with printed names: read and printed as TextWorld's are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from gata.engine.grounding import Grounding
from gata.facts import Fact, Variable


class NamedFact(Fact):
    """A fact told with printed names; prints as TextWorld's do: ``at(fridge: c, kitchen: r)``."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"{self.predicate}({', '.join(v.typed for v in self.arguments)})"


@dataclass(frozen=True)
class NamedAction:
    """An action told with printed names, as TextWorld's ``last_action`` is; prints like it, too."""

    name: str
    preconditions: tuple[Fact, ...]
    postconditions: tuple[Fact, ...]

    @property
    def all_propositions(self) -> tuple[Fact, ...]:
        """What it needs, then what holds after it."""
        return self.preconditions + self.postconditions

    @property
    def variables(self) -> tuple[Variable, ...]:
        """Everything it is about, each once, in order."""
        return tuple(dict.fromkeys(v for fact in self.all_propositions for v in fact.arguments))

    @property
    def added(self) -> frozenset[Fact]:
        """The facts that hold now and did not."""
        return frozenset(self.postconditions) - frozenset(self.preconditions)

    @property
    def removed(self) -> frozenset[Fact]:
        """The facts that hold no longer."""
        return frozenset(self.preconditions) - frozenset(self.postconditions)

    def __str__(self) -> str:
        before = [
            ("$" if fact in self.postconditions else "") + str(fact) for fact in self.preconditions
        ]
        after = [str(fact) for fact in self.postconditions if fact not in self.preconditions]
        return f"{self.name} :: {' & '.join(before)} -> {' & '.join(after)}"


class Naming:
    """Puts a game's names for ids; what can ever be true is named once."""

    def __init__(self, names: Mapping[str, str], facts: Sequence[Fact]) -> None:
        self._names = names
        self._facts = facts

    @cached_property
    def by_number(self) -> list[NamedFact]:
        """The game's facts, by their numbers in the engine."""
        return list(map(self.fact, self._facts))

    def fact(self, fact: Fact) -> NamedFact:
        """A fact with names."""
        return NamedFact(
            fact.predicate,
            tuple(Variable(self._names[v.id], v.type) for v in fact.arguments),
        )

    def action(self, grounding: Grounding) -> NamedAction:
        """An action with names."""
        return NamedAction(
            grounding.rule.command.split("{")[0].strip(),
            tuple(map(self.fact, grounding.preconditions)),
            tuple(map(self.fact, grounding.postconditions)),
        )
