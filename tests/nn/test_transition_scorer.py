import torch

from gata.nn.transition_scorer import TransitionScorer
from tests.nn import slow
from tests.nn.samples import (
    HIDDEN,
    assert_same,
    assert_same_gradients,
    batch,
    rows,
    shaken,
)


def test_pairs_are_means_over_the_nodes_of_either_and_their_difference() -> None:
    module = shaken(TransitionScorer(HIDDEN))
    before, after = rows(3, 2), rows(2, 4)
    found = module.pairs(batch(before, 5), batch(after, 5))
    expected = []
    for i in range(2):
        sides = slow.aggregator(module.aggregator, list(before[i]), list(after[i]))
        most = max(len(before[i]), len(after[i]))
        old, new = (sum(side) for side in sides)
        difference = slow.norm(module.difference, new - old)
        expected.append(torch.cat([old / most, new / most, difference]))
    assert_same(found, torch.stack(expected))
    assert_same_gradients(module, found, torch.stack(expected))


def test_candidates_look_at_each_other_and_are_scored() -> None:
    module = shaken(TransitionScorer(HIDDEN))
    pairs, actions = torch.randn(2, 3, 3 * HIDDEN), torch.randn(2, 3, HIDDEN)
    allowed = torch.tensor([[True, True, False], [True, True, True]])
    found = module(pairs, actions, allowed)
    expected = []
    for i in range(2):
        there = [torch.cat([pairs[i, c], actions[i, c]]) for c in range(3) if allowed[i, c]]
        for seen in slow.self_attention_layer(module.attention, there):
            inner = slow.relu(slow.linear(module.enter, seen))
            expected.append(slow.linear(module.score, inner)[0])
    assert_same(found[allowed], torch.stack(expected))
    assert_same_gradients(module, found[allowed], torch.stack(expected))
    assert found[0, 2] == torch.finfo(found.dtype).min
