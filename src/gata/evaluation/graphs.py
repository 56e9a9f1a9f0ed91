"""The graphs of a game along its walkthrough."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from gata.engine.text_env import TextEnv
from gata.facts import Fact
from gata.games.game import Game
from gata.graph.extract import SeenGraph, full_graph
from gata.graph.triples import Triple
from gata.language.tokenizer import clean

GraphKind = Literal["full", "seen"]


@dataclass(frozen=True)
class Step:
    """One step of a walkthrough: what was done, what the game said, and what is true after it."""

    command: str
    """Empty for the start."""
    observation: str
    """Cleaned, as agents read it."""
    facts: tuple[Fact, ...]
    known: SeenGraph
    names: Mapping[str, str]
    """Printed names by entity id."""

    def graph(self, kind: GraphKind) -> frozenset[Triple]:
        """All that is true (full), or what the player may know by now (seen).

        Made when asked for: who wants the last graph only need not pay for the others.
        """
        if kind == "full":
            return full_graph(self.facts, self.names)
        return self.known.triples(self.names)


def walk(game: Game) -> Iterator[Step]:
    """Play a game's walkthrough; yield its start and each step."""
    env = TextEnv(game)
    observation, _ = env.reset()
    facts = tuple(env.facts)
    known = SeenGraph.start(facts)
    yield Step("", clean(observation), facts, known, game.names)
    for command in game.walkthrough:
        observation, _, _, _ = env.step(command)
        facts = tuple(env.facts)
        known = known.after(env.performed, facts, game.names)
        yield Step(command, clean(observation), facts, known, game.names)
