import torch

from gata.nn.discriminators import NodeDiscriminator, ObservationDiscriminator, shuffled_nodes
from tests.nn import slow
from tests.nn.samples import (
    HIDDEN,
    assert_same,
    assert_same_gradients,
    batch,
    rows,
    shaken,
)


def bilinear(module, x, y) -> torch.Tensor:
    w = module.left.weight
    return sum(x[i] * w[j, i] * y[j] for i in range(len(x)) for j in range(len(y))) + module.bias


def test_observations_are_judged_by_means() -> None:
    module = shaken(ObservationDiscriminator(HIDDEN))
    graphs, actions, observations = rows(3, 2), rows(1, 2), rows(4, 2)
    found = module(batch(graphs, 5), batch(actions, 4), batch(observations, 6))
    expected = torch.stack(
        [
            bilinear(
                module.bilinear,
                torch.cat([slow.mean(list(a)), slow.mean(list(g))]),
                slow.mean(list(o)),
            )
            for g, a, o in zip(graphs, actions, observations, strict=True)
        ]
    )
    assert_same(found, expected)
    assert_same_gradients(module, found, expected)


def test_nodes_are_judged_by_the_graph_s_summary() -> None:
    module = shaken(NodeDiscriminator(HIDDEN))
    graphs, others = rows(3, 2), rows(3, 2)
    found = module(batch(graphs, 4), batch(others, 4))
    for i, (graph, other) in enumerate(zip(graphs, others, strict=True)):
        summary = slow.sigmoid(slow.mean(list(graph)))
        expected = torch.stack([bilinear(module.bilinear, node, summary) for node in other])
        assert_same(found[i, : len(graph)], expected)
        assert_same_gradients(module, found[i, : len(graph)], expected)


def test_only_nodes_that_are_there_are_shuffled() -> None:
    present = torch.tensor([[1, 0, 1, 1, 0, 1, 1], [0, 0, 0, 1, 0, 0, 0]], dtype=torch.bool)
    seen = set()
    for _ in range(20):
        order = shuffled_nodes(present, torch.rand(present.shape))
        for row, there in zip(order, present, strict=True):
            assert row[~there].tolist() == there.logical_not().nonzero().flatten().tolist()
            assert sorted(row[there].tolist()) == there.nonzero().flatten().tolist()
        seen.add(tuple(order[0].tolist()))
    assert len(seen) > 10
