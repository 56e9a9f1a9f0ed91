"""Facts about a game world, as TextWorld writes them: ``in(f_0: f, I: I)``.

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

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the arguments, in order."""
        return tuple(variable.id for variable in self.arguments)

    def __str__(self) -> str:
        return f"{self.predicate}({', '.join(self.ids)})"
