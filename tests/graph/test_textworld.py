"""TextWorld's own actions and the engine's give the same graphs."""

import random
from collections.abc import Iterator

import pytest

from gata.engine.text_env import TextEnv
from gata.facts import Action, Fact
from gata.games.game import Game
from gata.games.store import load_game
from gata.graph.extract import SeenGraph, full_graph
from gata.graph.triples import Triple

pytest.importorskip("textworld")

Graphs = tuple[frozenset[Triple], frozenset[Triple]]


def names_of(game: Game) -> dict[str, str]:
    return game.names


def play_in_textworld(game: Game, seed: int) -> Iterator[tuple[str, Graphs]]:
    """Commands that TextWorld's logic allows, each with the full and the seen graph after it."""
    from textworld.generator.game import Game as TextWorldGame
    from textworld.generator.game import GameProgression
    from textworld.generator.inform7 import Inform7Game

    chance = random.Random(seed)
    names = names_of(game)
    inner = TextWorldGame.deserialize(game.data)
    inform = Inform7Game(inner)
    play = GameProgression(inner, track_quests=False)
    seen = SeenGraph.start(map(Fact.from_textworld, play.state.facts))
    for _ in range(60):
        actions = sorted(play.valid_actions, key=str)
        # Not those where TextWorld's logic and its games disagree, or that may end the game.
        actions = [a for a in actions if not a.name.startswith(("drink", "make", "eat", "cook"))]
        action = chance.choice(actions)
        (command,) = inform.gen_commands_from_actions([action])
        play.update(action)
        facts = [Fact.from_textworld(fact) for fact in play.state.facts]
        seen = seen.after(Action.from_textworld(action), facts, names)
        yield command, (full_graph(facts, names), seen.triples(names))


@pytest.mark.textworld
@pytest.mark.parametrize("name", ["level1/test/73267", "level3/test/62563", "level4/test/73267"])
def test_graphs_from_textworld_and_from_the_engine_agree(name):
    game = load_game(name)
    names = names_of(game)
    env = TextEnv(game)
    env.reset()
    seen = SeenGraph.start(env.facts)
    for command, graphs in play_in_textworld(game, seed=1):
        env.step(command)
        seen = seen.after(env.performed, env.facts, names)
        assert (full_graph(env.facts, names), seen.triples(names)) == graphs, command
