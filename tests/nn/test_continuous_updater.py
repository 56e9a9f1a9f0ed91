import copy

import torch

from gata.nn.continuous_updater import ContinuousUpdater
from gata.nn.graph_decoder import GraphDecoder
from gata.nn.graph_delta import GraphDelta
from tests.nn import slow
from tests.nn.samples import (
    HIDDEN,
    NODES,
    RELATIONS,
    assert_same,
    assert_same_gradients,
    batch,
    lexicon,
    pad,
    rows,
    settings,
    shaken,
    texts,
)


def updater() -> ContinuousUpdater:
    return shaken(ContinuousUpdater(lexicon(), settings()))


def slow_delta(module: GraphDelta, graph, observation, action) -> torch.Tensor:
    means = []
    for text in (observation, action):
        means += map(slow.mean, slow.aggregator(module.aggregator, text, graph))
    return torch.cat(means)


def test_the_delta_is_four_means() -> None:
    module = shaken(GraphDelta(HIDDEN))
    graphs, observations, actions = rows(3, 2), rows(4, 1), rows(1, 2)
    found = module(batch(graphs, 5), batch(observations, 6), batch(actions, 4))
    expected = torch.stack(
        [
            slow_delta(module, *map(list, sample))
            for sample in zip(graphs, observations, actions, strict=True)
        ]
    )
    assert_same(found, expected)
    assert_same_gradients(module, found, expected)


def test_the_decoder_is_an_mlp_that_knows_nothing_of_nothing() -> None:
    module = shaken(GraphDecoder(HIDDEN, RELATIONS, NODES))
    state = torch.randn(HIDDEN)
    found = module(state[None])
    expected = torch.tanh(module.second.weight @ slow.relu(module.first.weight @ state))
    expected = expected.view(1, RELATIONS, NODES, NODES)
    assert_same(found, expected)
    assert_same_gradients(module, found, expected)
    assert not module(torch.zeros(1, HIDDEN)).any()
    with torch.no_grad():
        assert_same(module(torch.stack([state, state * 0])), torch.cat([expected, expected * 0]))


def test_a_decoder_of_single_precision_is_the_same_with_and_without_gradients() -> None:
    exact = shaken(GraphDecoder(HIDDEN, RELATIONS, NODES))
    module = copy.deepcopy(exact).float()
    states = torch.randn(3, HIDDEN)
    expected = exact(states)
    assert torch.allclose(module(states.float()).double(), expected, atol=1e-6)
    with torch.no_grad():
        assert torch.allclose(module(states.float()).double(), expected, atol=1e-6)


def test_a_step_follows_the_formula() -> None:
    module = updater()
    observations, actions = texts(5, 2), texts(1, 3)
    states = torch.randn(2, HIDDEN)
    tables = module.encoders.tables()
    found = module(
        states,
        module.encode(states, tables),
        module.encoders.text(pad(observations, 7), tables),
        module.encoders.text(pad(actions, 4), tables),
    )
    expected = []
    for state, observation, action in zip(states, observations, actions, strict=True):
        hidden = slow.relu(module.decoder.first.weight @ state)
        graph = torch.tanh(module.decoder.second.weight @ hidden)
        encoded = slow.graph_encoder(
            module.encoders.graph_encoder,
            graph.view(RELATIONS, NODES, NODES),
            list(tables.nodes),
            list(tables.relations),
            torch.sigmoid,
        )
        o, a = (
            slow.text_encoder(module.encoders.text_encoder, t.tolist(), tables.words)
            for t in (observation, action)
        )
        delta = slow_delta(module.delta, encoded, o, a)
        assert delta.shape == (4 * HIDDEN,)
        expected.append(slow.gru(module.cell, delta, state))
    assert_same(found, torch.stack(expected))
    assert_same_gradients(module, found, torch.stack(expected))


def play(module: ContinuousUpdater, samples: list, width: int) -> torch.Tensor:
    tables = module.encoders.tables()
    state = module.initial(len(samples))
    graph = module.encode(state, tables)
    for step in zip(*samples, strict=True):
        observation = module.encoders.text(pad([o for o, _ in step], width), tables)
        action = module.encoders.text(pad([a for _, a in step], width), tables)
        state = module(state, graph, observation, action)
        graph = module.encode(state, tables)
    return state


def test_company_and_padding_change_nothing_over_steps() -> None:
    module = updater()
    games = [[texts(3, 1), texts(2, 2)], [texts(6, 2), texts(1, 1)]]
    alone = play(module, games[:1], 3)
    together = play(module, games, 9)
    assert_same(together[:1], alone)


def test_gradients_flow_back_through_time() -> None:
    module = updater()
    tables = module.encoders.tables()
    observation, action = (module.encoders.text(pad(texts(n)), tables) for n in (3, 1))
    first = torch.zeros(1, HIDDEN, requires_grad=True)
    second = module(first, module.encode(first.detach(), tables), observation, action)
    assert torch.autograd.grad(second.sum(), first)[0].any(), "through the memory"
    second = module(first.detach(), module.encode(first + 1, tables), observation, action)
    assert torch.autograd.grad(second.sum(), first)[0].any(), "through the graph"
