"""Numbers that describe a graph."""

from collections.abc import Collection

from gata.graph.triples import Triple


def nodes(graph: Collection[Triple]) -> frozenset[str]:
    """The nodes that have an edge."""
    return frozenset(name for edge in graph for name in (edge.source, edge.target))


def density(graph: Collection[Triple]) -> float:
    """How full a graph is, as the paper's table of games counts it.

    Edges / (R x V x (V - 1)), where V nodes and R relations occur in the graph; 0 for no edges.
    """
    count = len(nodes(graph))
    relations = len({edge.relation for edge in graph})
    return len(graph) / (relations * count * (count - 1)) if count > 1 else 0.0
