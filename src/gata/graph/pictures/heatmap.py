"""Adjacency as heat maps: all relations of a graph, or one relation of several graphs."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gata.errors import UsageError
from gata.graph.pictures.panels import Panel, draw_panels
from gata.graph.vocabulary import PAPER, GraphVocabulary

_COLUMNS = 5


def present_nodes(adjacency: NDArray[Any]) -> list[int]:
    """The nodes that have an edge in any relation; adjacency is (relations, nodes, nodes)."""
    edges = (adjacency != 0).any(axis=0)
    return [int(node) for node in np.flatnonzero(edges.any(axis=0) | edges.any(axis=1))]


def heatmap(
    adjacency: NDArray[Any],
    image_format: str = "png",
    vocabulary: GraphVocabulary = PAPER,
    nodes: Sequence[int] | None = None,
    title: str = "",
    columns: int = _COLUMNS,
) -> bytes:
    """A picture of a graph, true or believed, as numbers: a panel for each relation.

    Args:
        adjacency: (relations, nodes, nodes); rows are sources, columns are targets. Values of a
            learned graph may be negative; they are then blue, positive ones red.
        image_format: ``png`` or ``svg``.
        vocabulary: names of nodes and relations.
        nodes: which nodes to show; by default those that have an edge.
        title: written above.
        columns: how many relations stand side by side.
    """
    _check(adjacency, vocabulary)
    nodes = present_nodes(adjacency) if nodes is None else nodes
    shown = adjacency[:, nodes][:, :, nodes]
    discrete = bool(np.isin(shown, (0, 1)).all())
    counts = [f" ({np.count_nonzero(values)})" if discrete else "" for values in shown]
    panels = [
        Panel(relation + count, values)
        for relation, count, values in zip(vocabulary.relations, counts, shown, strict=True)
    ]
    names = [vocabulary.nodes[node] for node in nodes]
    return draw_panels(panels, names, columns=columns, image_format=image_format, title=title)


def compare(
    graphs: Sequence[tuple[str, NDArray[Any]] | None],
    relation: str,
    nodes: Sequence[int],
    *,
    columns: int,
    image_format: str = "png",
    vocabulary: GraphVocabulary = PAPER,
    title: str = "",
) -> bytes:
    """A picture of one relation in several graphs, each in colours of its own scale.

    Args:
        graphs: titles and (relations, nodes, nodes); None leaves a place empty, not one of the
            last row.
        relation: its name.
        nodes: which nodes to show.
        columns: how many graphs stand side by side.
        image_format: ``png`` or ``svg``.
        vocabulary: names of nodes and relations.
        title: written above.
    """
    place = vocabulary.relation_id(relation)
    panels: list[Panel | None] = []
    for graph in graphs:
        if graph is None:
            panels.append(None)
            continue
        name, adjacency = graph
        _check(adjacency, vocabulary)
        panels.append(Panel(name, adjacency[place][np.ix_(nodes, nodes)]))
    names = [vocabulary.nodes[node] for node in nodes]
    return draw_panels(
        panels, names, columns=columns, image_format=image_format, title=title, own_scales=True
    )


def _check(adjacency: NDArray[Any], vocabulary: GraphVocabulary) -> None:
    expected = (len(vocabulary.relations), len(vocabulary.nodes), len(vocabulary.nodes))
    if adjacency.shape != expected:
        raise UsageError(f"adjacency has shape {adjacency.shape}, expected {expected}")
