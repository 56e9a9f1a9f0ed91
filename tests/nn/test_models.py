"""The tasks' networks against walking through one game at a time, step by step."""

import pytest
import torch
from torch import Tensor

from gata.nn.masking import Encoded
from gata.nn.models import (
    ContrastiveClassification,
    NodeInfomax,
    ObservationGeneration,
    Recurrent,
    Steps,
    TextObservationGeneration,
    TransitionModel,
    Transitions,
)
from gata.nn.tokens import Grouped
from tests.nn.samples import NODES, RELATIONS, assert_same, lexicon, pad, settings, shaken, texts

LENGTHS = [[3, 5, 2, 4], [1, 6, 3, 2]]
"""Of the observations of two games."""


def make_steps(first: int, last: int, observations: list[list[Tensor]]) -> Steps:
    """Steps ``first`` to ``last`` of the games; a new one begins at step 0, in game 1 also at 2."""
    rows = [game[step] for step in range(first, last) for game in observations]
    starts = torch.tensor([[step == 0, step in (0, 2)] for step in range(first, last)])
    return Steps(Grouped.of(pad(rows, 7)), pad([row[:2] for row in rows], 3), starts)


def one_by_one(model: Recurrent, game: list[Tensor]) -> tuple[list[Encoded], Tensor]:
    state, beliefs = model.initial(1), []
    for text in game:
        steps = Steps(Grouped.of(text[None]), text[None, :2], torch.tensor([[False]]))
        walked = model.walk(steps, state)
        beliefs.append(walked.memory)
        state = walked.state
    return beliefs, state


@pytest.mark.parametrize("kind", [ObservationGeneration, TextObservationGeneration])
def test_games_side_by_side_are_as_each_alone(kind: type[Recurrent]) -> None:
    model = shaken(kind(lexicon(), settings()))
    games = [texts(*lengths) for lengths in LENGTHS]
    walked = model.walk(make_steps(0, 4, games), torch.randn_like(model.initial(2)))
    beliefs = walked.memory.values.unflatten(0, (4, 2))
    alone, state = one_by_one(model, games[0])
    assert_same(beliefs[:, 0], torch.cat([belief.values for belief in alone]))
    assert_same(walked.state[:1], state)
    before, _ = one_by_one(model, games[1][:2])
    after, state = one_by_one(model, games[1][2:])
    assert_same(beliefs[:, 1], torch.cat([belief.values for belief in (*before, *after)]))
    assert_same(walked.state[1:], state)


@pytest.mark.parametrize("kind", [ObservationGeneration, TextObservationGeneration])
def test_a_walk_can_be_cut_in_two(kind: type[Recurrent]) -> None:
    model = shaken(kind(lexicon(), settings()))
    games = [texts(*lengths) for lengths in LENGTHS]
    whole = model.walk(make_steps(0, 4, games), model.initial(2))
    first = model.walk(make_steps(0, 3, games), model.initial(2))
    second = model.walk(make_steps(3, 4, games), first.state)
    assert_same(whole.state, second.state)
    assert_same(whole.memory.values[-2:], second.memory.values)


def test_groups_by_length_change_nothing() -> None:
    model = shaken(ObservationGeneration(lexicon(), settings()))
    games = [texts(*lengths) for lengths in LENGTHS]
    steps = make_steps(0, 4, games)
    (ids,) = steps.observations.groups
    order = (ids != 0).sum(1).argsort(stable=True)
    short, long = order[:3], order[3:]
    width = int((ids[short] != 0).sum(1).max())
    grouped = Grouped((ids[short][:, :width], ids[long]), order.argsort())
    assert_same(torch.cat(grouped.order), order)
    together = model.walk(steps, model.initial(2))
    apart = model.walk(steps._replace(observations=grouped), model.initial(2))
    assert_same(together.texts.values, apart.texts.values)
    assert_same(together.memory.values, apart.memory.values)
    assert_same(together.state, apart.state)


def test_gradients_reach_the_updater_through_the_belief_alone() -> None:
    model = shaken(ObservationGeneration(lexicon(), settings()))
    games = [texts(*lengths) for lengths in LENGTHS]
    steps = make_steps(0, 2, games)
    walked = model.walk(steps, model.initial(2))
    (ids,) = steps.observations.groups
    odds = model.decoder(ids, walked.tables.words, walked.memory, walked.action, steps.actions)
    odds.sum().backward()
    without = {name for name, parameter in model.named_parameters() if parameter.grad is None}
    assert not without


def test_another_observation_is_judged_by_the_same_belief() -> None:
    model = shaken(ContrastiveClassification(lexicon(), settings()))
    games = [texts(*lengths) for lengths in LENGTHS]
    steps = make_steps(0, 4, games)
    walked = model.walk(steps, model.initial(2))
    true = model.judge(walked, walked.texts)
    flipped = Grouped.of(steps.observations.groups[0].flip(0))
    assert_same(true, model.judge_texts(walked, steps.observations))
    assert not torch.allclose(true, model.judge_texts(walked, flipped))


def test_each_outcome_is_rated_with_the_options_of_its_own_state() -> None:
    model = shaken(TransitionModel(lexicon(), settings(graph_kind="discrete")))
    before = torch.bernoulli(torch.full((2, RELATIONS, NODES, NODES), 0.3))
    after = torch.bernoulli(torch.full((5, RELATIONS, NODES, NODES), 0.3))
    everywhere = torch.ones(5, NODES, dtype=torch.bool)
    commands = pad(texts(2, 3, 1))
    state = torch.tensor([0, 0, 0, 1, 1])
    options = torch.tensor([[0, 1, 2]] * 3 + [[2, 0, 0]] * 2)
    allowed = torch.tensor([[True, True, True]] * 3 + [[True, True, False]] * 2)
    scores = model(
        Transitions(before, everywhere[:2], after, everywhere, state, commands, options, allowed)
    )
    for outcome in range(5):
        for place in range(int(allowed[outcome].sum())):
            alone = model(
                Transitions(
                    before[state[outcome]][None],
                    everywhere[:1],
                    after[outcome][None],
                    everywhere[:1],
                    torch.tensor([0]),
                    commands[options[outcome, place]][None],
                    torch.tensor([[0]]),
                    torch.tensor([[True]]),
                )
            )
            assert_same(scores[outcome, place], alone.squeeze())
    assert scores[4, 2] == torch.finfo(scores.dtype).min


def test_unshuffled_nodes_are_judged_alike() -> None:
    model = shaken(NodeInfomax(lexicon(), settings(graph_kind="discrete")))
    graph = torch.bernoulli(torch.full((2, RELATIONS, NODES, NODES), 0.3))
    present = torch.ones(2, NODES, dtype=torch.bool)
    same = torch.arange(NODES).expand(2, -1)
    true, false = model(graph, present, same)
    assert_same(true, false)
    true, false = model(graph, present, same.flip(1))
    assert not torch.allclose(true, false)
