"""Facts about a game world, as TextWorld writes them (``in(f_0: f, I: I)``), and what changes them.

A leaf module: every room of the house may import it.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Variable(NamedTuple):
    """An argument of a fact: an entity's id (``f_0``) and its TextWorld type (``f``)."""

    id: str
    type: str


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
