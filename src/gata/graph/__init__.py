"""What the agent believes in: nodes, relations, triples, graphs and their pictures.

``gata.graph.adjacency`` needs torch and is imported by itself, as are the pictures.
"""

from gata.graph.commands import UpdateCommand, apply, difference, parse, parse_generated, to_text
from gata.graph.extract import SeenGraph, full_graph
from gata.graph.triples import Triple
from gata.graph.vocabulary import NODES, PAPER, RELATIONS, GraphVocabulary

__all__ = [
    "NODES",
    "PAPER",
    "RELATIONS",
    "GraphVocabulary",
    "SeenGraph",
    "Triple",
    "UpdateCommand",
    "apply",
    "difference",
    "full_graph",
    "parse",
    "parse_generated",
    "to_text",
]
