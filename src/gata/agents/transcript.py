"""What an agent sees, believes and does in a game, step by step."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from gata.agents.baselines import Agent, CommandIds
from gata.agents.greedy import Decision, GreedyAgent
from gata.agents.making import Brain
from gata.agents.playing import check_step_limit
from gata.belief.interface import BeliefGraph
from gata.engine import VectorEnv
from gata.games.game import Game
from gata.graph.triples import Triple
from gata.graph.vocabulary import GraphVocabulary
from gata.language.tokenizer import clean_lines

ABOUT_LEARNT_EDGES = (
    "Believed edges have values from -1 to 1. The relation names of a learnt belief (OG, COC) carry"
    " no given meaning: nobody told the updater what they stand for."
)
"""What to know before reading the edges of a continuous belief graph."""


class Edge(NamedTuple):
    """A believed edge."""

    triple: Triple
    strength: float
    """From -1 to 1."""


class Moment(NamedTuple):
    """A state, and what the agent makes of it."""

    lines: list[str]
    """What the game says, line by line; empty ones are left out."""
    score: int
    command: str | None
    """What the agent does now; None when the game is over."""
    values: list[tuple[str, float]]
    """The candidates and their Q-values, the best first; none when the game is over, or of an agent
    that gives no values."""
    edges: list[Edge]
    """The strongest believed edges, the strongest first."""
    adjacency: npt.NDArray[np.float32] | None
    """(relations, nodes, nodes): the believed graph, if there is one."""
    is_over: bool
    won: bool

    @property
    def text(self) -> str:
        """What the game says, on one line."""
        return " ".join(self.lines)


def watch(
    brain: Brain, game: Game, *, step_limit: int, edges: int, of_all_things: bool = False
) -> Iterator[Moment]:
    """Play a game greedily.

    Args:
        brain: who plays.
        game: what.
        step_limit: the game ends after so many steps.
        edges: how many of the strongest edges to tell.
        of_all_things: tell edges between things that this game does not have, too; there are many
            more of them.
    """
    agent = GreedyAgent(brain)
    env = _begin(agent, game, step_limit)
    while True:
        decision = agent.decide(env.outputs)
        graph = brain.graph(decision.beliefs)
        is_over = bool(env.outputs.done[0])
        yield _moment(env, None if is_over else decision.ids)._replace(
            values=[] if is_over else _values(env, decision),
            edges=strongest(graph, env.graph, edges, None if of_all_things else _things(env)),
            adjacency=None if graph is None else graph.adjacency[0].float().cpu().numpy(),
        )
        if is_over:
            return
        env.step(decision.ids)


def watch_baseline(agent: Agent, game: Game, *, step_limit: int) -> Iterator[Moment]:
    """Let an agent without values and beliefs play a game.

    Args:
        agent: who plays.
        game: what.
        step_limit: the game ends after so many steps.
    """
    env = _begin(agent, game, step_limit)
    while not env.outputs.done[0]:
        chosen = agent.act(env.outputs)
        yield _moment(env, chosen)
        env.step(chosen)
    yield _moment(env, None)


def _begin(agent: Agent, game: Game, step_limit: int) -> VectorEnv:
    """A game at its beginning, and an agent that is ready to play it."""
    check_step_limit(step_limit)
    env = VectorEnv([game], 1, step_limit=step_limit)
    agent.begin([game], env.commands)
    env.reset()
    return env


def _moment(env: VectorEnv, chosen: CommandIds | None) -> Moment:
    """What a game shows, and what is done next; no values, no belief."""
    outputs = env.outputs
    return Moment(
        lines=clean_lines(env.feedback(0)),
        score=int(outputs.score[0]),
        command=None if chosen is None else env.commands[int(chosen[0])],
        values=[],
        edges=[],
        adjacency=None,
        is_over=bool(outputs.done[0]),
        won=bool(outputs.won[0]),
    )


def _values(env: VectorEnv, decision: Decision) -> list[tuple[str, float]]:
    names = env.candidates(0)
    values = decision.values[0, : len(names)].tolist()
    return sorted(zip(names, values, strict=True), key=lambda pair: -pair[1])


def _things(env: VectorEnv) -> list[int]:
    """The nodes of a game's own graph, as it is now."""
    edges = env.outputs.full_edges[0, : env.outputs.full_count[0]].tolist()
    found = (env.graph.edge_from_id(edge) for edge in edges)
    return sorted({node for edge in found for node in (edge.source, edge.target)})


def strongest(
    graph: BeliefGraph | None,
    vocabulary: GraphVocabulary,
    count: int,
    nodes: Sequence[int] | None = None,
) -> list[Edge]:
    """The edges of one believed graph that are furthest from 0.

    Args:
        graph: of one state; nothing is told of none.
        vocabulary: names its nodes and relations.
        count: how many to tell, at most.
        nodes: between these alone, if not between all.
    """
    if graph is None:
        return []
    beliefs = graph.adjacency[0]
    if nodes is not None:
        is_told = torch.zeros(beliefs.shape[-1], dtype=torch.bool, device=beliefs.device)
        is_told[list(nodes)] = True
        beliefs = beliefs * (is_told & is_told[:, None])
    flat = beliefs.flatten()
    places = flat.abs().topk(min(count, len(flat))).indices
    return [
        Edge(vocabulary.triple_from_id(int(place)), float(flat[place]))
        for place in places
        if float(flat[place]) != 0
    ]
