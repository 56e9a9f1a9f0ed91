import pytest

from gata.evaluation import graphs
from gata.games.store import load_game
from gata.graph.triples import Triple

GAME = "level3/test/73267"


def test_the_start_and_every_command_are_steps():
    game = load_game(GAME)
    steps = list(graphs.walk(game))
    assert [step.command for step in steps] == ["", *game.walkthrough]
    for step in steps:
        assert {e for e in step.graph("seen") if e.source == "player"} == {
            e for e in step.graph("full") if e.source == "player"
        }
    assert Triple("meal", "consumed", "is") in steps[-1].graph("full")
    assert len(steps[0].graph("seen")) < len(steps[-1].graph("seen"))


def test_graphs_are_made_when_asked_for(monkeypatch: pytest.MonkeyPatch):
    made = []

    def counted(*arguments):
        made.append(arguments)
        return full_graph(*arguments)

    full_graph = graphs.full_graph
    monkeypatch.setattr(graphs, "full_graph", counted)
    *_, last = graphs.walk(load_game(GAME))
    assert not made
    assert last.graph("full")
    assert len(made) == 1
