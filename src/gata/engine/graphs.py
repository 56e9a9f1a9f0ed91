"""Compiling the graphs: the edges a game can have, and where they are seen."""

import numpy as np

from gata.engine.actions import PLACES
from gata.engine.drafting import Draft
from gata.graph.extract import COOKED, full_graph, in_sight, recipe, triples_from_facts
from gata.graph.triples import Triple


def compile_edges(draft: Draft) -> None:
    """Number the edges; say which hide others, which begin a game, and what can be seen where."""
    static = draft.groundings.static_facts
    told = triples_from_facts(recipe(static), draft.names)
    draft.sights = {
        room.id: triples_from_facts(
            in_sight(
                frozenset(f for f in static if f.arguments[0].type != "P")
                | {draft.player_at(room.id)}
            ),
            draft.names,
        )
        for room in draft.rooms
    }
    always = full_graph(static, draft.names)
    triple_of = {fact: triples_from_facts([fact], draft.names) for fact in draft.facts}
    triples: set[Triple] = {*always, *told}
    triples.update(*draft.sights.values(), *triple_of.values())
    numbered = sorted(
        (draft.graph.triple_id(triple), triple) for triple in triples if _in_graph(draft, triple)
    )
    for edge_id, triple in numbered:
        draft.edges[triple] = len(draft.edges)
        draft.pools.add(edge_id=edge_id)
    for triple in draft.edges:
        burned = draft.edges.get(Triple(triple.source, "burned", "is"), -1)
        draft.pools.add(edge_blocker=burned if triple.target in COOKED else -1)
    draft.edge_of = {fact: next(iter(draft.edges_of(t)), -1) for fact, t in triple_of.items()}

    true_now = set(draft.game.facts)
    dynamic_now = [f for f in draft.groundings.dynamic_facts if f in true_now]
    draft.initial_full = {
        *draft.edges_of(always),
        *(draft.edge_of[f] for f in dynamic_now if draft.edge_of[f] >= 0),
    }
    seen = in_sight(frozenset(draft.game.facts))
    draft.initial_seen = set(draft.edges_of(triples_from_facts(seen, draft.names)))
    for edge in draft.edges_of(sorted(told)):
        draft.pools.add(recipe_edge=edge)
    matrix = np.full((len(draft.entities), len(draft.entities)), -1)
    for fact, edge in draft.edge_of.items():
        if fact.predicate in PLACES and edge >= 0 and fact.ids[0] in draft.number:
            matrix[draft.number[fact.ids[0]], draft.number[fact.ids[1]]] = edge
    draft.pools.values["place_edge"].extend(map(int, matrix.ravel()))


def _in_graph(draft: Draft, triple: Triple) -> bool:
    return (
        draft.graph.is_node(triple.source)
        and draft.graph.is_node(triple.target)
        and draft.graph.is_relation(triple.relation)
    )
