import torch

from gata.nn.masking import Encoded
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


def expected(module: TransitionScorer, before, after, action) -> torch.Tensor:
    states = slow.aggregator(module.aggregator, list(before), list(after))
    return slow.score(module.scorer, slow.scorer_state(module.scorer, list(states)), action)


def test_actions_are_ranked() -> None:
    module = shaken(TransitionScorer(HIDDEN))
    before, after = rows(3, 2), rows(2, 4)
    actions = torch.randn(2, 3, HIDDEN)
    allowed = torch.tensor([[True, True, False], [True, True, True]])
    found = module.actions(batch(before, 5), batch(after, 5), actions, allowed)
    right = torch.stack(
        [
            expected(module, before[i], after[i], action)
            for i in range(2)
            for action in actions[i][allowed[i]]
        ]
    )
    assert_same(found[allowed], right)
    assert_same_gradients(module, found[allowed], right)
    assert found[0, 2] == torch.finfo(found.dtype).min


def test_graphs_are_ranked_by_the_same_score() -> None:
    module = shaken(TransitionScorer(HIDDEN))
    before = rows(3, 2)
    candidates = [rows(2, 4, 1), rows(3, 3, 2)]
    action = torch.randn(2, HIDDEN)
    allowed = torch.tensor([[True, True, True], [True, False, True]])
    batches = [batch(c, 5) for c in candidates]
    after = Encoded(*(torch.stack(parts) for parts in zip(*batches, strict=True)))
    found = module.graphs(batch(before, 5), after, action, allowed)
    right = torch.stack(
        [
            expected(module, before[i], candidates[i][c], action[i])
            for i in range(2)
            for c in range(3)
            if allowed[i, c]
        ]
    )
    assert_same(found[allowed], right)
    assert found[1, 1] == torch.finfo(found.dtype).min
