"""The nodes and relations a graph may have, and the numbers that stand for its edges."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

from gata.errors import UsageError
from gata.graph.triples import Triple


class Edge(NamedTuple):
    """A triple by ids: ``source`` and ``target`` are nodes, ``relation`` is a relation."""

    source: int
    target: int
    relation: int


class Named(Protocol):
    """Anything whose things have printed names, such as a game."""

    @property
    def names(self) -> Mapping[str, str]:
        """Printed names by id; empty for what has none."""


@dataclass(frozen=True)
class GraphVocabulary:
    """Names of nodes and relations; a name's id is its place.

    The paper's is ``PAPER``. For other games make one of your own, or extend the paper's:
    ``GraphVocabulary.for_games``.
    """

    nodes: tuple[str, ...]
    relations: tuple[str, ...]

    def __post_init__(self) -> None:
        for kind, names in (("node", self.nodes), ("relation", self.relations)):
            for name in names:
                if name != name.lower() or not name.strip():
                    raise UsageError(f"{kind} {name!r}: expected a lower-case name")
                # Update commands are read word by word: other names could not be read back.
                if name != " ".join(name.split()):
                    raise UsageError(f"{kind} {name!r}: expected single blanks between words only")
                if kind == "relation" and " " in name:
                    raise UsageError(f"{kind} {name!r}: expected one word")
            if len(set(names)) != len(names):
                twice = next(name for name in names if names.count(name) > 1)
                raise UsageError(f"{kind} {twice!r} is in the graph vocabulary twice")

    def extended(
        self, nodes: Iterable[str] = (), relations: Iterable[str] = ()
    ) -> "GraphVocabulary":
        """These names and more; names already here keep their ids, repeated ones are dropped."""
        return GraphVocabulary(
            tuple(dict.fromkeys((*self.nodes, *nodes))),
            tuple(dict.fromkeys((*self.relations, *relations))),
        )

    @classmethod
    def for_games(cls, games: Iterable[Named]) -> "GraphVocabulary":
        """The paper's names, and a node for every other thing and room of ``games``."""
        return PAPER.extended(
            name.lower() for game in games for name in game.names.values() if name
        )

    @cached_property
    def _node_ids(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.nodes)}

    @cached_property
    def _relation_ids(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.relations)}

    @property
    def edge_count(self) -> int:
        """How many different edges there can be: edge ids are below this."""
        return len(self.relations) * len(self.nodes) ** 2

    def is_node(self, name: str) -> bool:
        """Whether ``name`` is a node's."""
        return name in self._node_ids

    def is_relation(self, name: str) -> bool:
        """Whether ``name`` is a relation's."""
        return name in self._relation_ids

    def check_relation(self, name: str) -> None:
        """Refuse what is no relation, with those there are."""
        if not self.is_relation(name):
            raise UsageError(f"relation is {name!r}, expected one of {', '.join(self.relations)}")

    def node_id(self, name: str) -> int:
        """The id of a node."""
        try:
            return self._node_ids[name]
        except KeyError:
            raise UsageError(f"no node is called {name!r} in this graph vocabulary") from None

    def relation_id(self, name: str) -> int:
        """The id of a relation."""
        try:
            return self._relation_ids[name]
        except KeyError:
            raise UsageError(f"no relation is called {name!r} in this graph vocabulary") from None

    def edge_id(self, source: int, target: int, relation: int) -> int:
        """One number for an edge: its place in an array of shape (relations, nodes, nodes)."""
        return (relation * len(self.nodes) + source) * len(self.nodes) + target

    def edge_from_id(self, edge: int) -> Edge:
        """The edge a number stands for."""
        if not 0 <= edge < self.edge_count:
            raise UsageError(f"edge id {edge} is not in 0..{self.edge_count - 1}")
        rest, target = divmod(edge, len(self.nodes))
        relation, source = divmod(rest, len(self.nodes))
        return Edge(source, target, relation)

    def triple_id(self, triple: Triple) -> int:
        """The edge id of a triple of names."""
        return self.edge_id(
            self.node_id(triple.source),
            self.node_id(triple.target),
            self.relation_id(triple.relation),
        )

    def triple_from_id(self, edge: int) -> Triple:
        """The triple of names that an edge id stands for."""
        source, target, relation = self.edge_from_id(edge)
        return Triple(self.nodes[source], self.nodes[target], self.relations[relation])

    def edge_ids(self, triples: Iterable[Triple]) -> list[int]:
        """A graph's edge ids, ascending."""
        return sorted(map(self.triple_id, triples))


PAPER = GraphVocabulary(
    nodes=(
        # The player and the abstract: two nodes (inventory, recipe) that no graph of ours uses.
        *("player", "inventory", "chopped", "roasted", "diced", "burned", "open", "fried"),
        *("grilled", "consumed", "closed", "sliced", "exit"),
        # Rooms.
        *("kitchen", "pantry", "livingroom", "bathroom", "backyard", "bedroom", "garden", "shed"),
        *("driveway", "street", "corridor", "supermarket"),
        # Everything else, by alphabet as the authors left it.
        *("bbq", "banana", "barn door", "bed", "black pepper", "block of cheese", "carrot"),
        *("chicken breast", "chicken leg", "chicken wing", "cilantro", "commercial glass door"),
        *("cookbook", "couch", "counter", "egg", "fiberglass door", "flour", "fridge"),
        *("front door", "frosted-glass door", "green apple", "green bell pepper"),
        *("green hot pepper", "kitchen island", "knife", "lettuce", "milk", "meal", "olive oil"),
        *("orange bell pepper", "oven", "parsley", "patio chair", "patio door", "patio table"),
        *("peanut oil", "plain door", "pork chop", "purple potato", "raw", "recipe book"),
        *("recipe", "red apple", "red bell pepper", "red hot pepper", "red onion", "red potato"),
        *("red tuna", "refrigerator", "salt", "screen door", "shelf", "showcase"),
        *("sliding door", "sliding patio door", "sofa", "stove", "sugar", "table", "toilet"),
        *("tomato", "toolbox", "uncut", "vegetable oil", "water", "white onion", "white tuna"),
        *("wooden door", "workbench", "yellow apple", "yellow bell pepper", "yellow onion"),
        "yellow potato",
    ),
    relations=(
        *("in", "is", "on", "at", "needs"),
        *("west_of", "east_of", "north_of", "south_of", "part_of"),
    ),
)
"""The paper's 99 nodes and 10 relations, in the order of the authors' lists."""

NODES = PAPER.nodes
RELATIONS = PAPER.relations
node_id = PAPER.node_id
relation_id = PAPER.relation_id
edge_id = PAPER.edge_id
edge_from_id = PAPER.edge_from_id
