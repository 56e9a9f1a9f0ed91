"""What is told of an agent at play, against what it believes and does."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn.utils.rnn import pad_sequence

from gata.agents.greedy import GreedyAgent
from gata.agents.making import Brain
from gata.agents.playing import play
from gata.agents.stored import load_agent
from gata.agents.transcript import Edge, Moment, strongest, watch
from gata.belief.interface import BeliefGraph, Step
from gata.engine import Outputs, VectorEnv
from gata.games import Game, load_game
from gata.graph.extract import full_graph
from gata.graph.statistics import nodes
from gata.graph.triples import Triple
from gata.graph.vocabulary import PAPER
from gata.language import vocabulary
from gata.language.tokenizer import tokenize
from gata.language.vocabulary import SEP
from gata.nn.tokens import Grouped
from tests.agents.brains import small_brain

GAME = "level1/test/56274"
TWO_GAMES = ("level2/test/84367", "level2/test/59970")
STEPS = 9

BELIEVED = [
    Edge(Triple("knife", "table", "on"), -0.875),
    Edge(Triple("carrot", "fridge", "in"), 0.75),
    Edge(Triple("fridge", "kitchen", "at"), 0.5),
    Edge(Triple("carrot", "player", "in"), -0.25),
]


def believed() -> BeliefGraph:
    count = len(PAPER.nodes)
    adjacency = torch.zeros(1, len(PAPER.relations), count, count)
    for (source, target, relation), strength in BELIEVED:
        place = PAPER.relation_id(relation), PAPER.node_id(source), PAPER.node_id(target)
        adjacency[0][place] = strength
    return BeliefGraph(adjacency, torch.ones(1, count, dtype=torch.bool))


@pytest.mark.parametrize("count", [0, 1, 3, 4, 9])
def test_the_strongest_edges_come_first_and_what_is_not_believed_never(count: int) -> None:
    assert strongest(believed(), PAPER, count) == BELIEVED[:count]


def test_edges_between_some_things_have_both_ends_among_them() -> None:
    some = [PAPER.node_id(name) for name in ("fridge", "carrot", "player", "knife")]
    assert strongest(believed(), PAPER, 9, some) == [BELIEVED[1], BELIEVED[3]]
    assert strongest(believed(), PAPER, 1, some) == [BELIEVED[1]]
    assert strongest(believed(), PAPER, 9, []) == []


def test_without_a_graph_nothing_is_told() -> None:
    assert strongest(None, PAPER, 9) == []


def test_a_transcript_tells_what_the_agent_does_and_believes(tmp_path: Path) -> None:
    brain, game = small_brain("gata-coc-text", tmp_path), load_game(GAME)
    moments = list(watch(brain, game, step_limit=4, edges=6))
    (episode,) = play(GreedyAgent(brain), [game], step_limit=4)
    assert len(moments) == episode.steps + 1
    assert (moments[-1].score, moments[-1].won) == (episode.score, episode.won)
    for moment in moments[:-1]:
        numbers = [value for _, value in moment.values]
        assert numbers == sorted(numbers, reverse=True)
        assert moment.command == moment.values[0][0]
        assert not moment.is_over
    assert (moments[-1].command, moments[-1].values, moments[-1].is_over) == (None, [], True)
    for moment in moments:
        for edge in moment.edges:
            source, target, relation = edge.triple
            place = PAPER.relation_id(relation), PAPER.node_id(source), PAPER.node_id(target)
            assert moment.adjacency is not None
            assert edge.strength == moment.adjacency[place]
        strengths = [abs(edge.strength) for edge in moment.edges]
        assert len(strengths) == 6
        assert strengths == sorted(strengths, reverse=True)


def test_edges_are_of_the_things_that_the_game_has_unless_all_are_wanted(tmp_path: Path) -> None:
    brain, game = small_brain("gata-coc", tmp_path), load_game(GAME)
    things = nodes(full_graph(game.facts, game.names))
    (own, *_), (of_all, *_) = (
        watch(brain, game, step_limit=1, edges=200, of_all_things=wanted)
        for wanted in (False, True)
    )
    assert nodes([edge.triple for edge in own.edges]) <= things
    assert not nodes([edge.triple for edge in of_all.edges]) <= things
    # The strongest of all that are of the game's things are the strongest of these.
    shared = [edge for edge in of_all.edges if nodes([edge.triple]) <= things]
    assert shared
    assert own.edges[: len(shared)] == shared


class Noting:
    """An agent, with the scores it sees and the commands it gives, game by game."""

    def __init__(self, agent: GreedyAgent) -> None:
        self.agent, self.name = agent, agent.name
        self.steps: list[list[tuple[int, str]]] = []

    def begin(self, games: Sequence[Game], commands: Sequence[str]) -> None:
        self.commands, self.steps = commands, [[] for _ in games]
        self.agent.begin(games, commands)

    def act(self, outputs: Outputs, live: np.ndarray | None = None) -> np.ndarray:
        ids = self.agent.act(outputs, live)
        for row, steps in enumerate(self.steps):
            steps.append((int(outputs.score[row]), self.commands[ids[row]]))
        return ids


@torch.no_grad()
def by_hand(brain: Brain, game: Game, step_limit: int) -> Iterator[Moment]:
    """A game, the belief and the values of each state one after the other; no edges."""
    env, words = VectorEnv([game], 1, step_limit=step_limit), vocabulary.default()
    outputs, previous, state, memory = env.reset(), "restart", brain.initial(1), None
    selector, tables = brain.selector, brain.selector.tables()
    while True:
        text = outputs.observation[0, : outputs.observation_length[0]].tolist()
        action = words.encode(tokenize(previous))
        if brain.belief is not None:
            edges = torch.from_numpy(outputs.full_edges[:, : outputs.full_count[0]].copy())
            step = Step(torch.tensor([text]), torch.tensor([action]), edges)
            state = brain.belief.update(state, step)
        graph = brain.graph(state)
        names = [] if outputs.done[0] else env.candidates(0)
        values: list[float] = []
        if names:
            read = [*text, SEP, *action] if brain.preset.action_in_text else text
            pooled = selector.pool(Grouped.of(torch.tensor([read])), graph, tables)
            if selector.recurrent:
                pooled, memory = selector.remember(pooled, memory)
            rows = [torch.tensor(words.encode(tokenize(name))) for name in names]
            commands = selector.commands(pad_sequence(rows, batch_first=True), tables)[None]
            allowed = torch.ones(1, len(names), dtype=torch.bool)
            values = selector.rate(pooled, commands, allowed)[0].tolist()
            previous = names[int(np.argmax(values))]
        yield Moment(
            lines=[],
            score=int(outputs.score[0]),
            command=previous if names else None,
            values=list(zip(names, values, strict=True)),
            edges=[],
            adjacency=None if graph is None else graph.adjacency[0].float().numpy(),
            is_over=bool(outputs.done[0]),
            won=bool(outputs.won[0]),
        )
        if not names:
            return
        outputs = env.step([env.commands.index(previous)])


def shipped(name: str) -> Callable[[Path], Brain]:
    return lambda _: load_agent(name, "cpu").brain


PLAYERS: dict[str, Callable[[Path], Brain]] = {
    "text": shipped("agent/tr-dqn-level2-100games-seed3"),
    "learnt graph": shipped("agent/gata-coc-text-level2-100games-seed1"),
    "given graph": shipped("agent/gtf-sp-level2-100games-seed1"),
    "memory": lambda folder: small_brain("tr-drqn", folder),
}


@pytest.mark.parametrize("name", PLAYERS)
def test_a_transcript_is_the_game_that_the_agent_plays(name: str, tmp_path: Path) -> None:
    """Step by step: as ``play`` lets it play several games, and as its parts say one by one."""
    brain, games = PLAYERS[name](tmp_path), [load_game(game) for game in TWO_GAMES]
    player = Noting(GreedyAgent(brain))
    episodes = play(player, games, step_limit=STEPS)
    for game, episode, steps in zip(games, episodes, player.steps, strict=True):
        moments = list(watch(brain, game, step_limit=STEPS, edges=0))
        assert len(moments) == episode.steps + 1 > 3
        told = [(moment.score, moment.command) for moment in moments]
        assert told == [*steps[: episode.steps], (episode.score, None)]
        assert (moments[-1].is_over, moments[-1].won) == (True, episode.won)
        for moment, expected in zip(moments, by_hand(brain, game, STEPS), strict=True):
            assert (moment.command, moment.score) == (expected.command, expected.score)
            assert dict(moment.values) == pytest.approx(dict(expected.values), abs=1e-4)
            assert (moment.adjacency is None) == (expected.adjacency is None)
            if moment.adjacency is not None:
                np.testing.assert_allclose(moment.adjacency, expected.adjacency, atol=1e-5)
