"""Facts about a game world, as TextWorld writes them (``in(f_0: f, I: I)``), and what changes them.

A leaf module: every room of the house may import it.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Variable(NamedTuple):
    """An argument of a fact: an entity's id (``f_0``) and its TextWorld type (``f``)."""

    id: str
    type: str

    @property
    def name(self) -> str:
        """The id, by the name TextWorld has for it (in its infos it is a printed name)."""
        return self.id

    @property
    def typed(self) -> str:
        """As TextWorld prints it: ``f_0: f``, but ``P`` where id and type are the same."""
        return self.id if self.id == self.type else f"{self.id}: {self.type}"


class Signature(NamedTuple):
    """A predicate and the types of its arguments."""

    name: str
    types: tuple[str, ...]


class Fact(NamedTuple):
    """One true statement about the world: a predicate over entities."""

    predicate: str
    arguments: tuple[Variable, ...]

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Fact":
        """Read TextWorld's JSON: ``{"name": ..., "arguments": [{"name": ..., "type": ...}]}``."""
        arguments = tuple(Variable(a["name"], a["type"]) for a in data["arguments"])
        return cls(data["name"], arguments)

    @classmethod
    def from_textworld(cls, proposition: Any) -> "Fact":
        """Copy a ``textworld.logic.Proposition``, which is not imported here."""
        arguments = tuple(Variable(v.name, v.type) for v in proposition.arguments)
        return cls(proposition.name, arguments)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the arguments, in order."""
        return tuple(variable.id for variable in self.arguments)

    # What ``textworld.logic.Proposition`` calls the same things: its readers can read these, too.

    @property
    def name(self) -> str:
        """The predicate."""
        return self.predicate

    @property
    def names(self) -> tuple[str, ...]:
        """The arguments' names."""
        return self.ids

    @property
    def types(self) -> tuple[str, ...]:
        """The arguments' types."""
        return tuple(variable.type for variable in self.arguments)

    @property
    def signature(self) -> Signature:
        """Predicate and types."""
        return Signature(self.predicate, self.types)

    def __str__(self) -> str:
        return f"{self.predicate}({', '.join(self.ids)})"


class Action(NamedTuple):
    """Something that was done to the world: a rule applied to entities.

    TextWorld's own actions and the engine's groundings both turn into it. What the action removes
    is what it needed and no longer holds; what it adds is what it did not need and now holds.
    """

    rule: str
    """TextWorld's name of the rule, such as ``take/s`` or ``go/north``."""
    preconditions: frozenset[Fact]
    postconditions: frozenset[Fact]

    @property
    def removed(self) -> frozenset[Fact]:
        """The facts that hold no longer."""
        return self.preconditions - self.postconditions

    @property
    def added(self) -> frozenset[Fact]:
        """The facts that hold now."""
        return self.postconditions - self.preconditions

    @classmethod
    def from_textworld(cls, action: Any) -> "Action":
        """Copy a ``textworld.logic.Action``, which is not imported here."""
        return cls(
            action.name,
            frozenset(map(Fact.from_textworld, action.preconditions)),
            frozenset(map(Fact.from_textworld, action.postconditions)),
        )
