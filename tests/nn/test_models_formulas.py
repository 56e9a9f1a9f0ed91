"""The tasks' whole networks against the paper's formulas, one game, one graph at a time."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from gata.graph.adjacency import node_mask
from gata.nn.command_generator import CommandGenerator
from gata.nn.encoders import Encoders
from gata.nn.masking import Encoded
from gata.nn.models import (
    NodeInfomax,
    ObservationGeneration,
    Recurrent,
    Steps,
    TextObservationGeneration,
    TransitionModel,
    Transitions,
    Walked,
)
from gata.nn.models.belief_walk import BeliefWalk
from gata.nn.tokens import Grouped
from gata.nn.words import Tables
from tests.nn import slow
from tests.nn.samples import (
    HIDDEN,
    NODES,
    RELATIONS,
    assert_same,
    assert_same_gradients,
    lexicon,
    pad,
    settings,
    shaken,
    texts,
)

OBSERVATIONS, ACTIONS = (4, 2, 5), (1, 2, 1)
"""Lengths of the texts of a game of three steps."""


def slow_graph(
    encoders: Encoders,
    graph: Tensor,
    nodes: list[int],
    tables: Tables,
    activation: Callable[[Tensor], Tensor],
    features: list[Tensor] | None = None,
) -> list[Tensor]:
    """The vectors of a graph's nodes, only those that are there; ``graph``: (R, N, N)."""
    among = graph[:, nodes][:, :, nodes]
    own = features or [tables.nodes[node] for node in nodes]
    return slow.graph_encoder(
        encoders.graph_encoder, among, own, list(tables.relations), activation
    )


def slow_text(encoder: nn.Module, text: Tensor, tables: Tables) -> list[Tensor]:
    return slow.text_encoder(encoder, text.tolist(), tables.words)


def game() -> tuple[list[Tensor], list[Tensor]]:
    return texts(*OBSERVATIONS), texts(*ACTIONS)


def walk(model: Recurrent, observations: list[Tensor], actions: list[Tensor]) -> Walked:
    starts = torch.tensor([[True], *[[False]] * (len(observations) - 1)])
    steps = Steps(Grouped.of(pad(observations, 7)), pad(actions, 3), starts)
    return model.walk(steps, torch.randn_like(model.initial(1)))


def there(encoded: Encoded) -> Tensor:
    """The vectors that are there, one after another."""
    return encoded.values[encoded.mask]


def slow_belief_walk(
    model: BeliefWalk, observations: list[Tensor], actions: list[Tensor]
) -> tuple[list[Tensor], list[Tensor]]:
    """h_AG and h_GA of each step: of the action before it and the graph after it."""
    updater = model.updater
    tables = updater.encoders.tables()

    def encode(state: Tensor) -> list[Tensor]:
        hidden = slow.relu(updater.decoder.first.weight @ state)
        graph = torch.tanh(updater.decoder.second.weight @ hidden).view(RELATIONS, NODES, NODES)
        return slow_graph(updater.encoders, graph, list(range(NODES)), tables, slow.sigmoid)

    state = torch.zeros(HIDDEN)
    informed_actions, informed_graphs = [], []
    for observation, action in zip(observations, actions, strict=True):
        o, a = (
            slow_text(updater.encoders.text_encoder, text, tables) for text in (observation, action)
        )
        before = encode(state)
        means = []
        for text in (o, a):
            means += map(slow.mean, slow.aggregator(updater.delta.aggregator, text, before))
        state = slow.gru(updater.cell, torch.cat(means), state)
        of_action, of_graph = slow.aggregator(model.aggregator, a, encode(state))
        informed_actions += of_action
        informed_graphs += of_graph
    return informed_actions, informed_graphs


def test_a_belief_walk_follows_the_formula() -> None:
    model = shaken(ObservationGeneration(lexicon(), settings()))
    observations, actions = game()
    walked = walk(model, observations, actions)
    found = torch.cat([there(walked.action), there(walked.memory)])
    of_actions, of_graphs = slow_belief_walk(model, observations, actions)
    expected = torch.stack([*of_actions, *of_graphs])
    assert_same(found, expected)
    assert_same_gradients(model, found, expected)


def test_the_text_model_follows_the_formula() -> None:
    model = shaken(TextObservationGeneration(lexicon(), settings()))
    observations, actions = game()
    walked = walk(model, observations, actions)
    tables = model.tables()
    h = c = torch.zeros(HIDDEN)
    expected, read = [], []
    for pair in zip(observations, actions, strict=True):
        encoded = [slow_text(model.text_encoder, text, tables) for text in pair]
        pooled = [
            slow.mean(slow.self_attention_layer(model.pooling.attention, text)) for text in encoded
        ]
        h, c = slow.lstm(model.memory.cell, torch.cat(pooled), h, c)
        expected.append(slow.linear(model.enter, h))
        read += encoded[1]
    found = torch.cat([there(walked.memory), there(walked.action)])
    assert_same(found, torch.stack([*expected, *read]))
    assert_same_gradients(model, found, torch.stack([*expected, *read]))
    assert_same(walked.state, torch.cat([h, c])[None])


def sparse_graphs() -> tuple[Tensor, Tensor]:
    """Nodes 0 and 1; 1, 2 and 3: each has one the other lacks. Node 4 is nowhere."""
    graph = torch.zeros(2, RELATIONS, NODES, NODES)
    graph[0, 0, 0, 1] = graph[1, 1, 1, 2] = graph[1, 0, 3, 2] = 1
    return graph, node_mask(graph)


THERE = [[0, 1], [1, 2, 3]]


def test_the_command_generator_follows_the_formula() -> None:
    model = shaken(CommandGenerator(lexicon(), settings(graph_kind="discrete")))
    graph, present = sparse_graphs()
    sources, written = texts(3, 5), texts(4, 2)
    odds = model(pad(sources, 6), graph, present, pad(written, 5))
    tables = model.encoders.tables()
    expected = []
    for number in range(2):
        text, nodes = slow.aggregator(
            model.aggregator,
            slow_text(model.encoders.text_encoder, sources[number], tables),
            slow_graph(model.encoders, graph[number], THERE[number], tables, slow.relu),
        )
        said, source = written[number].tolist(), sources[number].tolist()
        expected += slow.decoder(model.decoder, said, tables.words, nodes, text, source)
    found = torch.cat([odds[number, : len(written[number])] for number in range(2)])
    assert_same(found, torch.stack(expected))
    assert_same_gradients(model, found, torch.stack(expected))


def test_a_transition_is_rated_by_what_it_changes() -> None:
    model = shaken(TransitionModel(lexicon(), settings(graph_kind="discrete")))
    graph, present = sparse_graphs()
    commands = texts(2, 3)
    one = torch.tensor([[0, 0]])
    scores = model(
        Transitions(
            graph[:1],
            present[:1],
            graph[1:],
            present[1:],
            torch.tensor([0]),
            pad(commands, 4),
            one,
            torch.tensor([[0, 1]]),
            torch.ones_like(one, dtype=torch.bool),
        )
    )
    tables, head = model.encoders.tables(), model.head
    before, after = (
        slow_graph(model.encoders, graph[number], THERE[number], tables, slow.relu)
        for number in range(2)
    )
    old, new = (sum(side) for side in slow.aggregator(head.aggregator, before, after))
    either = len({*THERE[0], *THERE[1]})
    pair = torch.cat([old / either, new / either, slow.norm(head.difference, new - old)])
    candidates = [
        torch.cat([pair, slow.mean(slow_text(model.encoders.text_encoder, command, tables))])
        for command in commands
    ]
    expected = [
        slow.linear(head.score, slow.relu(slow.linear(head.enter, seen)))[0]
        for seen in slow.self_attention_layer(head.attention, candidates)
    ]
    assert_same(scores[0], torch.stack(expected))
    assert_same_gradients(model, scores[0], torch.stack(expected))


def test_infomax_judges_a_graph_and_the_same_with_other_features() -> None:
    model = shaken(NodeInfomax(lexicon(), settings(graph_kind="discrete")))
    graph, present = sparse_graphs()
    order = torch.tensor([[1, 0, 2, 3, 4], [0, 3, 1, 2, 4]])
    true, false = model(graph, present, order)
    tables, bilinear = model.encoders.tables(), model.discriminator.bilinear
    found, expected = [], []
    for number, own in enumerate(THERE):
        shuffled = [tables.nodes[order[number, node]] for node in own]
        nodes = slow_graph(model.encoders, graph[number], own, tables, slow.relu)
        others = slow_graph(model.encoders, graph[number], own, tables, slow.relu, shuffled)
        summary = slow.sigmoid(slow.mean(nodes))
        expected += [(bilinear.left.weight @ x * summary).sum() for x in (*nodes, *others)]
        found += [true[number, own], false[number, own]]
    assert_same(torch.cat(found), torch.stack(expected) + bilinear.bias)
    assert_same_gradients(model, torch.cat(found), torch.stack(expected) + bilinear.bias)


def odds_of(model: ObservationGeneration, observations: list[Tensor], said: Tensor) -> Tensor:
    actions = [text[:1] for text in said.unbind()]
    walked = walk(model, observations, actions)
    odds: Tensor = model.decoder(
        said, walked.tables.words, walked.memory, walked.action, pad(actions, 3)
    )
    return odds


def test_what_was_observed_is_known_by_the_graph_alone() -> None:
    """If every graph is empty, other observations change nothing of what is written."""
    model = shaken(ObservationGeneration(lexicon(), settings()))
    said = pad(texts(3, 3, 3))
    one, other = texts(*OBSERVATIONS), texts(*OBSERVATIONS)
    assert not torch.allclose(odds_of(model, one, said), odds_of(model, other, said))
    with torch.no_grad():
        model.updater.decoder.second.weight.zero_()
    assert_same(odds_of(model, one, said), odds_of(model, other, said))


@pytest.mark.parametrize("kind", [ObservationGeneration, TextObservationGeneration])
def test_no_gradient_reaches_back_beyond_the_start_of_a_game(kind: type[Recurrent]) -> None:
    model = shaken(kind(lexicon(), settings()))
    state = torch.randn_like(model.initial(2)).requires_grad_()
    rows = texts(3, 2, 4, 1)
    starts = torch.tensor([[False, False], [True, False]])
    steps = Steps(Grouped.of(pad(rows)), pad([row[:1] for row in rows]), starts)
    later = model.walk(steps, state).memory.values.unflatten(0, (2, 2))[1]
    new_game, old_game = torch.autograd.grad(later.square().sum(), state)[0]
    assert not new_game.any()
    assert old_game.any()
