import pytest
import torch

from gata.nn.scorer import Scorer
from tests.nn import slow
from tests.nn.samples import (
    HIDDEN,
    assert_same,
    assert_same_gradients,
    batch,
    rows,
    shaken,
)

ALLOWED = torch.tensor([[True, True, False], [True, True, True]])


@pytest.mark.parametrize("states", [1, 2])
def test_follows_the_formula(states: int) -> None:
    module = shaken(Scorer(HIDDEN, states=states))
    samples = [rows(4, 2), rows(1, 5)][:states]
    commands = torch.randn(2, 3, HIDDEN)
    scores = module.rate(module.pool([batch(s, 6) for s in samples]), commands, ALLOWED)
    expected = []
    for i in range(2):
        state = slow.scorer_state(module, [list(s[i]) for s in samples])
        expected += [slow.score(module, state, c) for c in commands[i][ALLOWED[i]]]
    assert module.memory is None
    assert_same(scores[ALLOWED], torch.stack(expected))
    assert_same_gradients(module, scores[ALLOWED], torch.stack(expected))


def test_a_recurrent_scorer_remembers_by_an_lstm() -> None:
    module = shaken(Scorer(HIDDEN, states=2, recurrent=True))
    commands = torch.randn(1, 3, HIDDEN)
    allowed = torch.ones(1, 3, dtype=torch.bool)
    steps = [[rows(3), rows(2)], [rows(1), rows(4)]]
    memory, found = module.memory.initial(1), []
    h = c = torch.zeros(HIDDEN)
    expected = []
    for step in steps:
        memory = module.memory(module.pool([batch(s) for s in step]), memory)
        found.append(module.rate(memory[0], commands, allowed)[0])
        state = slow.scorer_state(module, [list(s[0]) for s in step])
        h, c = slow.lstm(module.memory.cell, state, h, c)
        expected.append(torch.stack([slow.score(module, h, x) for x in commands[0]]))
    assert_same(torch.stack(found), torch.stack(expected))
    assert_same_gradients(module, torch.stack(found), torch.stack(expected))


def test_who_is_not_there_never_wins() -> None:
    module = shaken(Scorer(HIDDEN, states=1))
    state = module.pool([batch(rows(2, 2))])
    scores = module.rate(state, torch.randn(2, 3, HIDDEN) * 100, ALLOWED)
    assert scores.isfinite().all()
    assert scores[0, 2] < scores[0, :2].min()
    nobody = torch.zeros_like(ALLOWED)
    scores = module.rate(state, torch.randn(2, 3, HIDDEN), nobody)
    assert scores.isfinite().all()


def test_company_and_padding_change_nothing() -> None:
    module = shaken(Scorer(HIDDEN, states=2))
    texts, graphs = rows(2, 6), rows(3, 4)
    commands = torch.randn(2, 3, HIDDEN)
    first = module.pool([batch(texts[:1]), batch(graphs[:1])])
    alone = module.rate(first, commands[:1, :2], ALLOWED[:1, :2])
    both = module.pool([batch(texts, 9), batch(graphs, 7)])
    together = module.rate(both, commands, ALLOWED)
    assert_same(together[:1, :2], alone)


def test_the_wrong_number_of_states_is_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        Scorer(HIDDEN, states=2).pool([batch(rows(2))])
