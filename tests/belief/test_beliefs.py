"""What all beliefs have in common: each test runs for the three of them."""

import pytest
import torch

from gata.belief.continuous import ContinuousBelief
from gata.belief.discrete import DiscreteBelief
from gata.belief.given import GivenBelief
from gata.belief.interface import Belief, BeliefGraph, Step
from gata.errors import UsageError
from gata.graph.adjacency import pad_edges
from gata.graph.triples import Triple
from gata.graph.vocabulary import PAPER
from gata.language.vocabulary import EOS, SEP
from gata.nn.command_generator import CommandGenerator
from gata.nn.continuous_updater import ContinuousUpdater
from gata.nn.encoders import Encoders
from tests.belief.networks import WORDS, ids, lexicon, settings


def continuous() -> Belief:
    return ContinuousBelief(ContinuousUpdater(lexicon(), settings()))


class Parrot(CommandGenerator):
    """An untrained network talks nonsense, so this one repeats the observation's commands."""

    def write(self, text_ids, adjacency, present, *, order, begin, end, max_length, some):
        said = text_ids.new_zeros(len(text_ids), max_length)
        for row, text in zip(said, text_ids.tolist(), strict=True):
            commands = text[: len(text) - text[::-1].index(SEP) - 1]
            row[: len(commands) + 1] = torch.tensor([*commands, EOS])
        return said


def discrete(kind: type[CommandGenerator] = Parrot, capture=None) -> DiscreteBelief:
    generator = kind(lexicon(), settings(graph_kind="discrete"))
    return DiscreteBelief(generator, WORDS, max_edges=8, max_words=40, capture=capture)


def given() -> Belief:
    return GivenBelief(max_edges=8)


BELIEFS = {"continuous": continuous, "discrete": discrete, "given": given}
EVERY_BELIEF = pytest.mark.parametrize("name", BELIEFS)

GRAPHS = [
    [Triple("player", "kitchen", "at"), Triple("red apple", "table", "on")],
    [Triple("player", "shed", "at")],
    [],
]
GAMES = [
    ["add player kitchen at", "delete player kitchen at <sep> add red apple player in", "look"],
    ["add player shed at <sep> add toolbox shed at", "add toolbox closed is", "delete x"],
]


def steps(games: list[list[str]]) -> list[Step]:
    return [
        Step(
            ids(*texts),
            ids(*["restart" if t == 0 else "go north"] * len(texts)),
            pad_edges([PAPER.edge_ids(GRAPHS[(t + len(text)) % 3]) for text in texts]),
        )
        for t, texts in enumerate(zip(*games, strict=True))
    ]


def play(belief: Belief, games: list[list[str]]) -> list[torch.Tensor]:
    states = [belief.initial(len(games))]
    for step in steps(games):
        states.append(belief.update(states[-1], step))
    return states


@EVERY_BELIEF
def test_a_belief_begins_with_the_empty_graph(name: str) -> None:
    belief = BELIEFS[name]()
    graph, present, _ = belief.graph(belief.initial(2))
    assert graph.shape == (2, 10, 99, 99)
    assert present.shape == (2, 99)
    assert not graph.any()


@EVERY_BELIEF
def test_stored_states_replay_to_the_same_graphs(name: str) -> None:
    torch.manual_seed(3)
    belief = BELIEFS[name]()
    memory = torch.zeros(4, 2, *belief.state_shape, dtype=belief.state_dtype)
    memory[0] = belief.initial(2)
    shown = [belief.graph(memory[0])]
    for t, step in enumerate(steps(GAMES), start=1):
        memory[t] = belief.update(memory[t - 1], step)
        shown.append(belief.graph(memory[t]))
    for state, (graph, present, _) in zip(memory, shown, strict=True):
        again, present_again, _ = belief.graph(state.clone())
        assert torch.equal(graph, again)
        assert torch.equal(present, present_again)
    adjacent = [graph for graph, *_ in shown]
    assert not torch.equal(adjacent[0], adjacent[1])
    assert not torch.equal(adjacent[1], adjacent[2])


@EVERY_BELIEF
@pytest.mark.parametrize("weights", ["basis", "bottleneck"])
def test_an_encoder_makes_the_same_of_the_graph_that_is_for_it(name: str, weights: str) -> None:
    torch.manual_seed(3)
    belief = BELIEFS[name]()
    state = torch.cat(play(belief, GAMES))
    kind = "continuous" if name == "continuous" else "discrete"
    encoders = Encoders(lexicon(), settings(graph_kind=kind, relation_weights=weights)).double()
    # A node begins with zeros of its own: let each be itself.
    torch.nn.init.normal_(encoders.tables.node_embedding.weight)
    tables = encoders.tables()
    whole = encoders.graph(*_double(belief.graph(state))[:2], tables)
    graph, present, nodes = _double(belief.graph_to_encode(state))
    spared = encoders.graph(graph, present, tables, nodes)
    for all_nodes, all_there, some, there in zip(*whole, *spared, strict=True):
        torch.testing.assert_close(some[there], all_nodes[all_there])
        assert not some[~there].any()
    if name != "continuous":
        assert spared.values.shape[1] == 4  # two edges at most
        assert int(nodes.max()) < len(PAPER.nodes)


def _double(graph: BeliefGraph) -> BeliefGraph:
    return graph._replace(adjacency=graph.adjacency.double())


@EVERY_BELIEF
def test_later_steps_leave_earlier_states_alone(name: str) -> None:
    belief = BELIEFS[name]()
    first, second = steps(GAMES)[:2]
    state = belief.update(belief.initial(2), first)
    before = state.clone()
    belief.update(state, second)
    assert torch.equal(state, before)


@EVERY_BELIEF
def test_company_changes_nothing(name: str) -> None:
    torch.manual_seed(3)
    belief = BELIEFS[name]()
    together = play(belief, GAMES)
    for i, game in enumerate(GAMES):
        alone = play(belief, [game])
        for state, other in zip(alone, together, strict=True):
            torch.testing.assert_close(state[0], other[i], rtol=1e-4, atol=1e-5)


@EVERY_BELIEF
def test_no_gradient_leaves_a_belief(name: str) -> None:
    belief = BELIEFS[name]()
    state = play(belief, GAMES)[-1]
    graph = belief.graph(state).adjacency
    assert not state.requires_grad
    assert not graph.requires_grad


def test_a_discrete_belief_does_what_the_commands_say() -> None:
    belief = discrete()
    states = play(belief, GAMES)
    first = [
        [PAPER.triple_from_id(edge) for edge in state[0].tolist() if edge >= 0] for state in states
    ]
    apple = Triple("red apple", "player", "in")
    assert first == [[], [Triple("player", "kitchen", "at")], [apple], [apple]]
    present = belief.graph(states[2]).present[0].nonzero().flatten().tolist()
    assert [PAPER.nodes[node] for node in present] == ["player", "red apple"]


def test_a_discrete_belief_survives_an_untrained_model() -> None:
    torch.manual_seed(0)
    states = play(discrete(CommandGenerator), GAMES)
    assert states[-1].shape == (2, 8)


def test_a_given_belief_is_what_is_given() -> None:
    belief = given()
    for state, step in zip(play(belief, GAMES)[1:], steps(GAMES), strict=True):
        edges = [[e for e in row if e >= 0] for row in state.tolist()]
        assert edges == [[e for e in row if e >= 0] for row in step.edges.tolist()]


def test_a_given_belief_says_what_it_lacks() -> None:
    belief = given()
    step = steps(GAMES)[0]
    with pytest.raises(UsageError, match="needs the game's graph"):
        belief.update(belief.initial(2), step._replace(edges=None))
    with pytest.raises(UsageError, match="9 edges, expected at most 8"):
        belief.update(belief.initial(1), step._replace(edges=torch.arange(9)[None]))


def test_pieces_of_writing_can_be_replayed() -> None:
    """A captured piece has memory of its own: arguments are copied there, results from there."""
    calls = []

    def capture(write):
        def replay(*tensors):
            calls.append([tensor.shape for tensor in tensors])
            return tuple(new.clone() for new in write(*(tensor.clone() for tensor in tensors)))

        return replay

    torch.manual_seed(1)
    plain = discrete(CommandGenerator)
    replayed = discrete(CommandGenerator, capture)
    replayed.generator.load_state_dict(plain.generator.state_dict())
    for step in steps(GAMES):
        written = [belief.write(belief.initial(2), step) for belief in (plain, replayed)]
        assert torch.equal(*written)
        assert written[0].shape == (2, 40)
    assert len(calls) >= len(steps(GAMES))
