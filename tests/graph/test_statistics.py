from statistics import fmean

import pytest

from gata.games.store import load_set
from gata.graph.extract import full_graph
from gata.graph.statistics import density, nodes
from gata.graph.triples import Triple


def test_counts():
    graph = {Triple("a", "b", "on"), Triple("b", "c", "on"), Triple("a", "c", "in")}
    assert nodes(graph) == {"a", "b", "c"}
    assert density(graph) == 3 / (2 * 3 * 2)
    assert density(set()) == 0


@pytest.mark.parametrize(
    ("level", "paper_nodes", "paper_density"), [(1, 17.1, 1.3), (2, 17.5, 1.3), (4, 33.4, 0.5)]
)
def test_the_games_are_like_those_of_the_paper(level, paper_nodes, paper_density):
    """Table 1 of the paper, counted on other games of the same distribution (older TextWorld)."""
    graphs = []
    for game in load_set(f"level{level}/test"):
        names = game.names
        graphs.append(full_graph(game.facts, names))
    assert fmean(len(nodes(graph)) for graph in graphs) == pytest.approx(paper_nodes, rel=0.1)
    assert 100 * fmean(map(density, graphs)) == pytest.approx(paper_density, rel=0.15)
