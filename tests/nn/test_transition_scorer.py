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


def expected(module: TransitionScorer, before, after, action) -> torch.Tensor:
    states = slow.aggregator(module.aggregator, list(before), list(after))
    return slow.score(module.scorer, slow.scorer_state(module.scorer, list(states)), action)


def test_actions_are_ranked() -> None:
    module = shaken(TransitionScorer(HIDDEN))
    before, after = rows(3, 2), rows(2, 4)
    actions = torch.randn(2, 3, HIDDEN)
    allowed = torch.tensor([[True, True, False], [True, True, True]])
    found = module(batch(before, 5), batch(after, 5), actions, allowed)
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
